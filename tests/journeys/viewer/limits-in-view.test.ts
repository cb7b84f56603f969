import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { becomeDemo, enter, expectDark, expectSomePainted, listLinks, makeLink, openDoor } from '../support/steps.ts';

/* Limits of a link, as they are met by people who look at it. */

test('a timed link counts down in front of its viewer, goes dark at its end and says why', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { rules: { openForMs: 60_000 } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  const timer = viewer.getByRole('timer');
  await expect(timer).toContainText('0:');
  // Every second that is shown, and whether a picture was there with it.
  const seen = await viewer.evaluateHandle(() => {
    const seconds: [left: number, canvases: number][] = [];
    const look = () => {
      const [, minutes, rest] = /(\d+):(\d\d)/.exec(document.querySelector('[role=timer]')?.textContent ?? '') ?? [];
      if (rest !== undefined)
        seconds.push([60 * Number(minutes) + Number(rest), document.querySelectorAll('canvas').length]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seconds;
  });
  await expect(viewer.getByRole('heading', { name: 'Your 1 minute has ended' })).toBeVisible({ timeout: 120_000 });
  await expectDark(viewer);
  const seconds = await seen.jsonValue();
  const lefts = seconds.map(([left]) => left);
  expect(
    lefts.toSorted((one, other) => other - one),
    'the clock never goes back',
  ).toEqual(lefts);
  expect(seconds.find(([left]) => left === 1)?.[1] ?? 0, 'pictures stand in the last second').toBeGreaterThan(0);

  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Your 1 minute has ended' })).toBeVisible();
  await expectDark(viewer);
  await phone.close();
});

test('a link for one person opens for the first, and says nothing to whom it was forwarded', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'For one', rules: { bindFirstViewer: true } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  const { phone: another, viewer: friend } = await openDoor(browser, link.url);
  await friend.getByRole('button', { name: 'Open', exact: true }).click();
  const yes = friend.getByRole('button', { name: 'Yes' });
  const closed = friend.getByRole('heading', { name: "This link isn't available" });
  await expect(yes.or(closed).first()).toBeVisible();
  if (await yes.isVisible()) await yes.click();
  await expect(closed).toBeVisible();
  await expectDark(friend);
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectSomePainted(viewer, 8);
  await Promise.all([phone.close(), another.close()]);
});

test('a bundle shows the pictures of all its albums', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const { albums } = await call<{ albums: { id: string; name: string; photoCount: number; videoCount: number }[] }>(
    page,
    app.url,
    'GET',
    '/albums?filter=ready',
  );
  const two = albums.filter(({ photoCount }) => photoCount > 0).slice(0, 2);
  const albumIds = two.map(({ id }) => id);
  await call(page, app.url, 'POST', '/links', { albumIds, linkName: 'A bundle', isLaxConfirmed: true });
  const link = (await listLinks(page, app.url)).find(({ linkName }) => linkName === 'A bundle');
  const { phone, viewer } = await openDoor(browser, link?.url ?? '');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  const items = two.reduce((sum, { photoCount, videoCount }) => sum + photoCount + videoCount, 0);
  await expect(viewer.locator('#grid .cell')).toHaveCount(items);
  await phone.close();
});
