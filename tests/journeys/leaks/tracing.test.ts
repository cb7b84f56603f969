import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { canDrawClips, warnNoClips } from '../../support/media/clips.ts';
import { drawStranger, paintJpeg } from '../../support/media/paint.ts';
import { recordScreen } from '../../support/media/with-ffmpeg.ts';
import { expect, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { noteChanges } from '../support/changing.ts';
import { untilCalm } from '../support/looking.ts';
import { show } from '../support/showing.ts';
import { enter, expectDark, makeLink, openDoor } from '../support/steps.ts';

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pf-leaked-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A picture as busy as a photograph, as a camera's file. */
async function takePhoto(seed: number): Promise<string> {
  const file = path.join(folder, `photo-${seed}.jpg`);
  await writeFile(file, await paintJpeg(seed, 1600, 1200));
  return file;
}

async function takeStranger(): Promise<string> {
  const file = path.join(folder, 'stranger.jpg');
  await writeFile(file, await drawStranger(1500, 1000));
  return file;
}

/** Somebody with a link of their own looks at the first photo, as large as their phone shows it. */
async function lookThrough(browser: Browser, address: string): Promise<{ phone: BrowserContext; viewer: Page }> {
  const { phone, viewer } = await openDoor(browser, address);
  await enter(viewer, 2);
  await viewer.getByRole('button', { name: 'Photo 1 of 2' }).click();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  return { phone, viewer };
}

/** Each of these people has a link of their own, and looks at the first photo. */
async function showTo(page: Page, url: string, browser: Browser, names: readonly string[]) {
  const screens = [];
  for (const recipientName of names) {
    const link = await makeLink(page, url, { recipientName, linkName: `For ${recipientName}` });
    screens.push(await lookThrough(browser, link.url));
  }
  return screens;
}

/** Keeps the picture of an answer back. @returns lets it come */
async function holdPicture(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/preview?read', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Nothing moves when a picture comes: it has its place, and its own shape, before. */
async function expectPlaceKept(picture: Locator, letCome: () => void): Promise<void> {
  const before = await picture.boundingBox();
  expect(before?.height).toBeGreaterThan(100);
  letCome();
  const shapeOf = () => picture.evaluate((img: HTMLImageElement) => img.naturalWidth / img.naturalHeight || 0);
  await expect.poll(shapeOf, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await picture.boundingBox()).toEqual(before);
  expect(Math.abs((before?.width ?? 0) / (before?.height ?? 1) - (await shapeOf()))).toBeLessThan(0.01);
}

/** To the list of all copies: an answer has a place for another copy of its own, which is not meant. */
async function goToCopies(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All copies' }).click();
  await expect(page.getByRole('heading', { name: 'Submitted copies' })).toBeVisible();
}

test("a screenshot of a viewer's own screen names their link among three, and its link is taken back", {
  tag: '@main',
}, async ({ page, app, browser }) => {
  test.setTimeout(600_000);
  await app.newCreator(page);
  const first = await takePhoto(7);
  await openNewAlbum(page, app.url, 'Golden hour', [first, await takePhoto(8)]);
  const screens = await showTo(page, app.url, browser, ['Anna', 'Bob', 'Carl']);
  const [anna, bob] = screens.map(({ viewer }) => viewer);
  if (anna === undefined || bob === undefined) throw new Error('Two screens are missing.');
  const copy = path.join(folder, 'copy.png');
  await untilCalm(bob);
  await bob.screenshot({ path: copy, scale: 'device' });

  await page.getByRole('link', { name: 'Found a leak?' }).click();
  await expect(page.getByRole('heading', { name: 'Found a leak?' })).toBeVisible();
  await expect(page.getByText('No copies checked yet.')).toBeVisible();
  await show(page, 'leaks-empty');
  await page.getByLabel('The leaked copy').setInputFiles(copy);
  const sentence =
    /^This copy was made from what (Bob )?was shown through the link “For Bob”\. The chance that this is a coincidence is below 1 in [\d,]{9,}\.$/;
  await expect(page.getByRole('heading', { name: sentence })).toBeVisible({ timeout: 400_000 });
  await expect(page.getByRole('region', { name: 'Link For Bob' })).toContainText('1 visit');
  for (const other of ['Anna', 'Carl']) await expect(page.getByRole('main')).not.toContainText(other);
  await expect(page.locator('rect[data-read]').first()).toBeAttached();
  await show(page, 'leak-traced');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Evidence (PDF)' }).click();
  expect((await download).suggestedFilename()).toMatch(/^evidence-[0-9a-f-]{36}\.pdf$/);

  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
  await expect(bob.getByRole('heading', { name: 'Access ended' })).toBeVisible();
  await expectDark(bob);
  await expect(page.getByRole('region', { name: 'Link For Bob' }).getByText('Revoked')).toBeVisible();
  await expect(anna.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1);
  for (const { phone } of screens) await phone.close();
});

test('a picture of somebody else, one that nobody was shown and a file that is none name nobody; a copy can be deleted', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(600_000);
  await app.newCreator(page);
  const first = await takePhoto(7);
  const albumId = await openNewAlbum(page, app.url, 'Golden hour', [first, await takePhoto(8)]);
  const screens = await showTo(page, app.url, browser, ['Anna', 'Bob', 'Carl']);
  await page.goto(`${app.url}/albums/${albumId}/leaks`);
  // A picture of somebody else's is nobody's leak.
  await page.getByLabel('The leaked copy').setInputFiles(await takeStranger());
  await expect(page.getByRole('heading', { name: "This picture isn't in this album." })).toBeVisible({
    timeout: 400_000,
  });
  await show(page, 'leak-no-match');
  await page.getByRole('button', { name: 'Compare with all my albums' }).click();
  await expect(page.getByRole('heading', { name: "This picture isn't in your albums." })).toBeVisible({
    timeout: 400_000,
  });
  // What nobody was ever shown holds no mark: nobody is named, and no link stands out.
  await goToCopies(page);
  await page.getByLabel('The leaked copy').setInputFiles(first);
  await expect(page.getByRole('heading', { name: 'Not enough of the mark could be read.' })).toBeVisible({
    timeout: 400_000,
  });
  await expect(page.getByRole('list', { name: 'Who has seen it' }).getByRole('listitem')).toHaveText([
    /^Anna/,
    /^Bob/,
    /^Carl/,
  ]);
  await show(page, 'leak-inconclusive');
  await goToCopies(page);
  const words = path.join(folder, 'words.jpg');
  await writeFile(words, 'no picture at all');
  await page.getByLabel('The leaked copy').setInputFiles(words);
  await expect(page.getByRole('heading', { name: "This copy couldn't be read" })).toBeVisible({ timeout: 400_000 });
  await show(page, 'leak-failed');
  await page.getByRole('button', { name: 'Delete now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete copy' }).click();
  await expect(page.getByText('The copy and its result were deleted.')).toBeVisible();
  // Comparing with everything was a copy of its own.
  await expect(page.getByRole('list', { name: 'Submitted copies' }).getByRole('listitem')).toHaveCount(3);
  await show(page, 'leaks');
  for (const { phone } of screens) await phone.close();
});

if (!canDrawClips) warnNoClips();

test("a recording of a viewer's screen with photos names their link", async ({ page, app, browser }) => {
  test.skip(!canDrawClips, 'There is no ffmpeg to record a screen with.');
  test.setTimeout(900_000);
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Golden hour', [await takePhoto(17), await takePhoto(18)]);
  const screens = await showTo(page, app.url, browser, ['Anna', 'Bob']);
  const bob = screens[1]?.viewer;
  if (bob === undefined) throw new Error('A screen is missing.');
  await untilCalm(bob);
  const shown = [await bob.screenshot({ scale: 'device' })];
  await bob.keyboard.press('ArrowRight');
  await expect(bob.getByRole('status').filter({ hasText: 'Photo 2 of 2' })).toBeAttached();
  await expect(bob.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await untilCalm(bob);
  shown.push(await bob.screenshot({ scale: 'device' }));
  const copy = path.join(folder, 'screen.mp4');
  await writeFile(copy, await recordScreen(shown, { width: 780, height: 1688 }));

  await page.getByRole('link', { name: 'Found a leak?' }).click();
  const shares = await noteChanges(page, { selector: '[role=progressbar][aria-label="Trace progress"]' });
  const letPictureCome = await holdPicture(page);
  await page.getByLabel('The leaked copy').setInputFiles(copy);
  const sentence = /^This copy was made from what (Bob )?was shown through the link “For Bob”\. The chance/;
  await expect(page.getByRole('heading', { name: sentence })).toBeVisible({ timeout: 400_000 });
  const percents = (await shares()).map(Number);
  expect([percents.length > 1, percents], 'never back').toEqual([true, percents.toSorted((a, b) => a - b)]);
  await expect(page.getByText('2 pictures from the copy')).toBeVisible();
  await expectPlaceKept(page.getByRole('img', { name: 'Pictures from the leaked copy' }), letPictureCome);
  await expect(page.getByRole('main')).not.toContainText('Anna');
  await expect(page.locator('rect[data-read]').first()).toBeAttached();
  await show(page, 'leak-recorded');
  for (const { phone } of screens) await phone.close();
});
