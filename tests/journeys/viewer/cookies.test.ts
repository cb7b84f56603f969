import type { Page, Route } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { becomeDemo, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

const onePerson = { rules: { bindFirstViewer: true, ageGate: false } };
const tap = (viewer: Page) => viewer.getByRole('button', { name: 'Open', exact: true }).click();

/** Sends a call on as a browser does that neither keeps cookies nor sends any. */
async function sendWithoutCookies(route: Route, cookie = ''): Promise<Response> {
  const { cookie: _own, ...headers } = await route.request().allHeaders();
  const said = Object.entries({ ...headers, cookie }).filter(([name, value]) => !name.startsWith(':') && value !== '');
  return fetch(route.request().url(), {
    method: 'POST',
    headers: said as [string, string][],
    body: route.request().postData(),
  });
}

async function answer(route: Route, came: Response): Promise<void> {
  const headers = Object.fromEntries(
    [...came.headers].filter(([name]) => !/^(set-cookie|content-encoding)$/.test(name)),
  );
  await route.fulfill({ status: came.status, headers, body: Buffer.from(await came.arrayBuffer()) });
}

test('a browser that blocks cookies is told so and takes no place: the link waits for its one person', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, onePerson);
  const blocking = await openDoor(browser, link.url);
  let calls = 0;
  await blocking.viewer.route('**/api/view/*/open', async (route) => {
    calls++;
    await answer(route, await sendWithoutCookies(route));
  });
  await tap(blocking.viewer);
  await expect(blocking.viewer.getByRole('heading', { name: 'Cookies are blocked' })).toBeVisible();
  await expect(blocking.viewer.getByText('Your browser blocks cookies for this site.')).toBeVisible();
  expect(calls, 'asked again once, by itself').toBe(2);
  await expectDark(blocking.viewer);

  const other = await openDoor(browser, link.url);
  await tap(other.viewer);
  await expectPainted(other.viewer, 8);

  // Whoever allows cookies after that comes too late: there was one place.
  await blocking.viewer.unroute('**/api/view/*/open');
  await blocking.viewer.getByRole('button', { name: 'Try again' }).click();
  await expect(blocking.viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  await Promise.all([blocking.phone.close(), other.phone.close()]);
});

test('"only the first person" opens for the one whose first answers were lost on the way', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, onePerson);
  const { phone, viewer } = await openDoor(browser, link.url);
  const lost: string[] = [];
  await viewer.route('**/api/view/*/open', async (route) => {
    const cookies = await phone.cookies(app.url);
    const came = await sendWithoutCookies(route, cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
    await came.arrayBuffer();
    const isStream = came.headers.get('content-type') === 'application/octet-stream';
    // The first answer of all, and the first one that lets somebody in, never arrive.
    const kind = isStream ? 'stream' : 'cookie';
    if (!lost.includes(kind)) {
      lost.push(kind);
      return route.abort('connectionreset');
    }
    return route.continue();
  });
  await tap(viewer);
  await expect(viewer.getByRole('status').filter({ hasText: /Please try again/ })).toBeVisible();
  await tap(viewer);
  await expect.poll(() => lost).toEqual(['cookie', 'stream']);
  await expect(viewer.getByRole('status').filter({ hasText: /Please try again/ })).toBeVisible();
  await tap(viewer);
  await expectPainted(viewer, 8);
  await phone.close();
});
