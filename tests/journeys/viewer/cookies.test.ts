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

async function answer(route: Route, came: Response, cookies: string[] = []): Promise<void> {
  const others = [...came.headers].filter(([name]) => !/^(set-cookie|content-encoding)$/.test(name));
  const headers = { ...Object.fromEntries(others), ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }) };
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

test('"only the first person" opens in both tabs of somebody who taps in both on a slow line', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { rules: { ...onePerson.rules, maxConcurrent: 2 } });
  const { phone, viewer } = await openDoor(browser, link.url);
  const second = await phone.newPage();
  await second.goto(link.url);
  const line = Promise.withResolvers<void>();
  const letIn = Promise.withResolvers<void>();
  // The answer that lets the first tab in is on its way for long, and its cookie with it.
  await viewer.route('**/api/view/*/open', async (route) => {
    const cookies = await phone.cookies(app.url);
    const came = await sendWithoutCookies(route, cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
    if (came.headers.get('content-type') === 'application/octet-stream') {
      letIn.resolve();
      await line.promise;
    }
    await answer(route, came, came.headers.getSetCookie());
  });
  await tap(viewer);
  await letIn.promise;
  await tap(second);
  await expect(second.getByRole('status')).toHaveText('Opening…');
  line.resolve();
  await expectPainted(viewer, 8);
  await expectPainted(second, 8);
  await phone.close();
});
