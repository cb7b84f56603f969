import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { middleOf, openFingers, type Spot } from '../support/fingers.ts';
import { becomeDemo, enter, makeLink, openDoor } from '../support/steps.ts';

/*
 * A viewer's hands: two fingers, two taps, a swipe and a pull on a phone; a mouse and the keys for saving on a computer. What the
 * keyboard does beside them is told in `keyboard.test.ts`.
 */

test('fingers enlarge the picture, move it, turn to its neighbours and put it away', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const { phone, viewer } = await openDoor(browser, (await makeLink(page, app.url, { linkName: 'Fingers' })).url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
  const fingers = await openFingers(viewer);
  const dialog = viewer.getByRole('dialog', { name: 'Pictures' });
  const picture = (place: number) => dialog.getByRole('img', { name: `Photo ${place} of 8` });
  const isOpen = (place: number) =>
    expect(dialog.getByRole('status').filter({ hasText: `Photo ${place} of 8` })).toBeAttached();
  await viewer.getByRole('button', { name: 'Photo 2 of 8' }).tap();
  await isOpen(2);
  const whole = await boxOf(picture(2));
  const middle = await middleOf(dialog);
  const by = (x: number, y = 0): Spot => ({ x: middle.x + x, y: middle.y + y });

  // Two fingers go apart to three times their distance, and the picture with them.
  await fingers.move([
    [by(-40), by(-120)],
    [by(40), by(120)],
  ]);
  await expect.poll(async () => (await boxOf(picture(2))).width / whole.width).toBeGreaterThan(2.5);
  const enlarged = await boxOf(picture(2));
  await fingers.move([[by(0), by(-100)]]);
  await expect.poll(async () => (await boxOf(picture(2))).x).toBeLessThan(enlarged.x - 60);
  await isOpen(2);
  await fingers.move([
    [by(-120), by(-20)],
    [by(120), by(20)],
  ]);
  await expect.poll(async () => Math.round((await boxOf(picture(2))).width)).toBe(Math.round(whole.width));

  await fingers.tap(middle, 2);
  await expect.poll(async () => (await boxOf(picture(2))).width / whole.width).toBeGreaterThan(2);
  await fingers.tap(middle, 2);
  await expect.poll(async () => Math.round((await boxOf(picture(2))).width)).toBe(Math.round(whole.width));

  await fingers.move([[by(100), by(-120)]]);
  await isOpen(3);
  await fingers.move([[by(-100), by(120)]]);
  await isOpen(2);
  await fingers.move([[by(-100), by(120)]]);
  await isOpen(1);
  // There is nothing before the first one: it gives way and comes back.
  await fingers.move([[by(-100), by(120)]]);
  await isOpen(1);
  await expect.poll(async () => Math.round((await boxOf(picture(1))).x)).toBe(Math.round((390 - whole.width) / 2));

  await fingers.move([[by(0, -60), by(0, 340)]]);
  await expect(dialog).toBeHidden();
  await expect(viewer.getByRole('button', { name: 'Photo 1 of 8' })).toBeVisible();
  await phone.close();
});

test('a mouse and the keys for saving get at no picture', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Mouse' });
  const desk = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  const viewer = await desk.newPage();
  let leftWith = 0;
  viewer.on('download', () => leftWith++);
  desk.on('page', () => leftWith++);
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  const cell = viewer.getByRole('button', { name: 'Photo 1 of 8' });
  await expect(cell.locator('canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
  const refused = await watchRefusals(viewer);

  await cell.click({ button: 'right' });
  expect(await refused()).toEqual({ contextmenu: [true] });
  await cell.click();
  const dialog = viewer.getByRole('dialog', { name: 'Pictures' });
  const picture = dialog.getByRole('img', { name: 'Photo 1 of 8' });
  await expect(dialog.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1, { timeout: 20_000 });
  await picture.click({ button: 'right' });
  expect(await refused()).toEqual({ contextmenu: [true] });
  for (const key of ['s', 'p', 'c', 'u']) await viewer.keyboard.press(`Control+${key}`);
  const { keydown = [], copy = [] } = await refused();
  expect(keydown, 'save, print, copy, source').toEqual(['s', 'p', 'c', 'u']);
  expect(copy.filter((isRefused) => isRefused !== true)).toEqual([]);

  // Out of the window by the mouse: nothing is dragged away and nothing becomes selected.
  const { x, y } = await middleOf(picture);
  await viewer.mouse.move(x, y);
  await viewer.mouse.down();
  await viewer.mouse.move(x + 300, y + 200, { steps: 8 });
  await viewer.mouse.up();
  const { dragstart = [], selectstart = [] } = await refused();
  expect([...dragstart, ...selectstart].filter((isRefused) => isRefused !== true)).toEqual([]);
  await viewer.keyboard.press('Control+a');
  expect(await viewer.evaluate(() => String(getSelection()).includes('Photo'))).toBe(false);
  expect(await viewer.evaluate(() => document.querySelectorAll('img, video, a[download]').length)).toBe(0);

  await viewer.emulateMedia({ media: 'print' });
  await expect(viewer.locator('body')).toBeHidden();
  await viewer.emulateMedia({ media: null });
  await expect(viewer.locator('body')).toBeVisible();
  expect(leftWith, 'nothing was saved, no other page came').toBe(0);
  await desk.close();
});

async function boxOf(picture: Locator) {
  const box = await picture.boundingBox();
  if (box === null) throw new Error('The picture is not on the screen.');
  return box;
}

/**
 * Writes down what the page does with a hand's request to save: for an event whether the page keeps the browser's own answer
 * back, for a key its letter when it does. @returns what happened since it was last asked
 */
async function watchRefusals(viewer: Page): Promise<() => Promise<Record<string, unknown[]>>> {
  await viewer.evaluate(() => {
    const seen: [type: string, what: unknown][] = [];
    const note = (event: Event) => {
      // After everybody else has had it.
      setTimeout(() => {
        if (!(event instanceof KeyboardEvent)) seen.push([event.type, event.defaultPrevented]);
        else if (event.key !== 'Control' && event.defaultPrevented) seen.push([event.type, event.key]);
      });
    };
    for (const type of ['contextmenu', 'dragstart', 'selectstart', 'copy', 'keydown'])
      addEventListener(type, note, true);
    Object.assign(window, { takeSeen: () => seen.splice(0) });
  });
  return async () => {
    const seen = await viewer.evaluate(async () => {
      await new Promise((noted) => setTimeout(noted, 20));
      return (window as unknown as { takeSeen(): [string, unknown][] }).takeSeen();
    });
    const types = [...new Set(seen.map(([type]) => type))];
    return Object.fromEntries(types.map((type) => [type, seen.flatMap(([of, what]) => (of === type ? [what] : []))]));
  };
}
