import type { Page, Request } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { becomeDemo, expectPainted, hold, makeLink, openDoor } from '../support/steps.ts';

/* What somebody on a slow line does before everything is there. */
const photos = 8;
const cellOf = (viewer: Page, n: number) => viewer.getByRole('button', { name: `Photo ${n} of ${photos}` });
const openPhoto = '.slide[data-current] canvas.full[data-painted]';

test('a tap before anything can open the picture shows at once, and its picture is asked for meanwhile', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const { url } = await makeLink(page, app.url, { linkName: 'Early', rules: { ageGate: false } });
  const { phone, viewer } = await openDoor(browser, 'about:blank');
  const asked = noteLeases(viewer);
  const visit = await hold(viewer, '**/viewer/assets/visit-*.js');
  const frame = await hold(viewer, '**/viewer/assets/frame-*.js');
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await cellOf(viewer, 3).click();
  await expect(cellOf(viewer, 3)).toHaveAttribute('aria-busy', 'true');
  expect(await readRing(viewer), 'it is to be seen').toContain('inset');
  visit.letCome();
  await expect.poll(() => asked.of('p2048'), 'the third and its neighbours').toHaveLength(3);

  // Somebody who thinks better of it: the last tap counts.
  await cellOf(viewer, 6).click();
  await expect(viewer.locator('[aria-busy]')).toHaveCount(1);
  await expect(cellOf(viewer, 6)).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => asked.of('p2048'), 'the sixth and its neighbours').toHaveLength(6);
  await expect(viewer.getByRole('dialog')).toBeHidden();

  frame.letCome();
  await expect(viewer.getByRole('status').filter({ hasText: `Photo 6 of ${photos}` })).toBeAttached();
  await expect(viewer.locator(openPhoto)).toHaveCount(1, { timeout: 20_000 });
  await expect(viewer.locator('[aria-busy]')).toHaveCount(0);
  expect(asked.of('p2048'), 'what opens was asked for before, and once').toHaveLength(6);
  await viewer.keyboard.press('Escape');
  await expectPainted(viewer, photos);
  await phone.close();
});

test('an opened photo comes before the rest of the gallery, which goes on after it', async ({ page, app, browser }) => {
  test.setTimeout(120_000);
  await becomeDemo(page, app);
  const { url } = await makeLink(page, app.url, { linkName: 'Give way', rules: { ageGate: false } });
  const { phone, viewer } = await openDoor(browser, 'about:blank');
  const asked = noteLeases(viewer);
  // What the page is built of comes from beside the line: the frame stands while the gallery has hardly begun.
  await viewer.route('**/viewer/assets/**', async (route) => route.fulfill({ response: await route.fetch() }));
  const line = await viewer.context().newCDPSession(viewer);
  await line.send('Network.enable');
  const setLine = (bytesPerSecond: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: bytesPerSecond < 0 ? 0 : 300,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: -1,
    });
  await setLine(16 * 1024);
  const gaveWay = viewer.waitForEvent('requestfailed', (request) => request.url().endsWith('/open'));
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible({ timeout: 30_000 });
  await cellOf(viewer, 1).click();
  await expect(viewer.getByRole('status').filter({ hasText: `Photo 1 of ${photos}` })).toBeAttached();
  await gaveWay;
  const whole = await readPainted(viewer);
  expect(whole.length, 'the gallery was still coming').toBeLessThan(photos - 1);
  expect(asked.of('thumb512'), 'nothing was asked for beside the photo').toEqual([]);

  await setLine(-1);
  await expect(viewer.locator(openPhoto)).toHaveCount(1, { timeout: 30_000 });
  await viewer.keyboard.press('Escape');
  await expectPainted(viewer, photos);
  const again = asked.of('thumb512');
  expect(new Set(again).size, 'none twice').toBe(again.length);
  expect(again.length, 'all that was owed').toBeGreaterThanOrEqual(2);
  // One may have become whole between its last byte and the look at the screen.
  expect(again.length, 'and nothing that had come').toBeLessThanOrEqual(photos - whole.length);
  expect(asked.calls(), 'one call for the photo, one for the rest of the gallery').toBe(2);
  await phone.close();
});

/** Every picture that is asked for after the door, in order. */
function noteLeases(viewer: Page): { of(rendition: string): string[]; calls(): number } {
  const calls: { mediaId: string; rendition: string }[][] = [];
  viewer.on('request', (request: Request) => {
    if (new URL(request.url()).pathname === '/api/view/leases') calls.push(request.postDataJSON().items);
  });
  return {
    of: (rendition) => calls.flat().flatMap((item) => (item.rendition === rendition ? [item.mediaId] : [])),
    calls: () => calls.length,
  };
}

/** Returns what is drawn around the cell that was tapped. */
const readRing = (viewer: Page): Promise<string> =>
  viewer.evaluate(() => {
    const cell = document.querySelector('[aria-busy]');
    return cell === null ? '' : getComputedStyle(cell, '::after').boxShadow;
  });

/** Numbers of the thumbnails that are whole. */
const readPainted = (viewer: Page): Promise<number[]> =>
  viewer.evaluate(() =>
    [...document.querySelectorAll('#grid .cell')].flatMap((cell, n) =>
      cell.querySelector('[data-painted]') === null ? [] : [n],
    ),
  );
