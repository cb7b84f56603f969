import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { findBrowser } from '../support/browser.ts';
import { canDrawClips, drawClip, tellNoClips } from '../support/clips.ts';
import { expect, openPhone, test } from './house.ts';
import { pictureOf } from './looking.ts';
import { show, showSalon } from './showing.ts';
import { call, expectDark, makeAlbum } from './steps.ts';

/*
 * A film from the creator's file to somebody else's screen: uploaded, made, played, sought in, and stopped. All of it is one
 * story, because making a film takes a while.
 */
const seconds = 24;
if (!canDrawClips) tellNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-film-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Made {
  page: Page;
  url: string;
  albumId: string;
}

/** The film's own element, as the page's scripts see it. */
const film = (viewer: Page) => viewer.locator('video.film');
const playhead = (viewer: Page) => film(viewer).evaluate((video: HTMLVideoElement) => video.currentTime);
const isPaused = (viewer: Page) => film(viewer).evaluate((video: HTMLVideoElement) => video.paused);
const marks = (viewer: Page, name: string) =>
  viewer.evaluate((mark) => performance.getEntriesByName(mark).map(({ startTime }) => startTime), name);

/** Somebody opens a new link to the film, on a phone of their own. */
async function openFilm(
  { page, url, albumId }: Made,
  phone: BrowserContext,
): Promise<{ viewer: Page; linkId: string }> {
  const link = await call<{ id: string; url: string }>(page, url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false },
    isLaxConfirmed: true,
  });
  const viewer = await phone.newPage();
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const tile = viewer.getByRole('button', { name: /^Video 1 of 1, 0:24/ });
  await expect(tile.locator('canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await tile.focus();
  return { viewer, linkId: link.id };
}

/** The poster stands, and what plays films has come. */
async function untilReady(viewer: Page): Promise<void> {
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await expect(viewer.getByRole('region', { name: 'Video controls' })).toBeAttached({ timeout: 30_000 });
}

test('a film is uploaded, played, sought in, stopped by a revoke, and told in the figures', async ({
  page,
  house,
  browser,
}) => {
  test.setTimeout(1_200_000);
  const { said } = await findBrowser();
  const playsFilms = await page.evaluate(() =>
    MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'),
  );
  test.info().annotations.push({ type: 'browser', description: `${said}; plays H.264: ${playsFilms}` });
  process.stdout.write(`${said}; plays H.264: ${playsFilms}\n`);

  const file = path.join(folder, 'clip.mp4');
  writeFileSync(file, drawClip({ seconds, width: 320, height: 180 }));
  await house.newCreator(page);
  await page.getByRole('button', { name: /Upload photos/ }).click();
  await makeAlbum(page, 'Moving', []);
  await page.getByLabel('Photos to upload').setInputFiles(file);
  const albumId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const stateOf = async () =>
    (await call<{ items: { state: string }[] }>(page, house.url, 'GET', `/albums/${albumId}`)).items[0]?.state;
  await expect.poll(stateOf, { timeout: 900_000, intervals: [1000] }).toBe('ready');
  const made = { page, url: house.url, albumId };

  await test.step('its poster stands first; without a player for it that is all, and it is said', async () => {
    const old = await openPhone(browser);
    await old.addInitScript(() => {
      for (const name of ['MediaSource', 'ManagedMediaSource', 'WebKitMediaSource'])
        Reflect.deleteProperty(globalThis, name);
    });
    const { viewer } = await openFilm(made, old);
    await viewer.keyboard.press('Enter');
    await expect(viewer.getByText('Please update your browser to play videos.')).toBeVisible();
    await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
    expect(
      await viewer.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\/film-/.test(name))),
    ).toEqual([]);
    await old.close();
  });
  test.skip(!playsFilms, `This browser plays no H.264: ${said}`);

  await test.step('it plays through ten seconds without waiting, with keys a few seconds at a time', async () => {
    const phone = await openPhone(browser);
    const { viewer } = await openFilm(made, phone);
    const keyCalls: number[] = [];
    const bytes: string[] = [];
    viewer.on('request', (request) => {
      if (request.url().endsWith('/view/film-keys')) keyCalls.push(request.postDataJSON().tracks[0].from);
      if (request.url().includes('/m/s/')) bytes.push(`${new URL(request.url()).pathname.split('/').at(-1)}`);
    });
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    expect([keyCalls, bytes], 'nothing of a film is asked for before it is played').toEqual([[], []]);
    await showSalon(viewer, 'film-poster');
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(10);
    const [first = 0] = await marks(viewer, 'film-playing');
    expect(
      (await marks(viewer, 'film-waiting')).filter((at) => at > first),
      'no stall',
    ).toEqual([]);
    expect(new Set(bytes.filter((part) => part !== 'init')), 'pieces of both variants').toEqual(new Set(['0', '1']));
    expect(keyCalls.length, 'ten seconds of keys at a time').toBeGreaterThanOrEqual(2);

    // What stands around the picture has faded: a hand that moves brings it back.
    await viewer.mouse.move(195, 300);
    await viewer.getByRole('button', { name: 'Pause' }).click();
    expect(await isPaused(viewer)).toBe(true);
    const seek = viewer.getByRole('slider', { name: 'Seek' });
    const box = await seek.boundingBox();
    if (box === null) throw new Error('no line to seek on');
    const middle = box.y + box.height / 2;
    await viewer.mouse.move(box.x + box.width * 0.5, middle);
    await viewer.mouse.down();
    await viewer.mouse.move(box.x + box.width * 0.2, middle, { steps: 4 });
    await expect(viewer.locator('.preview')).toBeVisible();
    await viewer.screenshot({ path: pictureOf('film-seeking', 'phone'), scale: 'css' });
    await viewer.mouse.up();
    await expect.poll(() => playhead(viewer)).toBeLessThan(seconds * 0.35);
    expect(await isPaused(viewer), 'a pause outlives a jump').toBe(true);
    await showSalon(viewer, 'film-paused');
    await viewer.getByRole('button', { name: 'Play', exact: true }).click();
    const from = await playhead(viewer);
    await expect.poll(() => playhead(viewer)).toBeGreaterThan(from + 1);
    await viewer.close();
    await phone.close();
  });

  await test.step('it is watched by the keyboard alone', async () => {
    const { viewer } = await openFilm(made, page.context());
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    await viewer.keyboard.press('k');
    await expect.poll(() => playhead(viewer), { timeout: 30_000 }).toBeGreaterThan(0.5);
    await viewer.keyboard.press('Space');
    await expect.poll(() => isPaused(viewer)).toBe(true);
    const before = await playhead(viewer);
    await viewer.keyboard.press('ArrowRight');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(before + 5, 0);
    await viewer.keyboard.press('ArrowLeft');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(before, 0);
    await viewer.keyboard.press('m');
    await expect(viewer.getByRole('button', { name: 'Sound on' })).toBeVisible();
    await viewer.keyboard.press('f');
    await expect(viewer.getByRole('button', { name: 'Leave full picture' })).toBeVisible();
    await viewer.keyboard.press('f');
    await expect(viewer.getByRole('button', { name: 'Full picture', exact: true })).toBeVisible();
    await viewer.getByRole('slider', { name: 'Seek' }).focus();
    await viewer.keyboard.press('Home');
    await expect.poll(() => playhead(viewer)).toBeLessThan(0.2);
    await viewer.keyboard.press('Escape');
    await expect(viewer.getByRole('dialog', { name: 'Pictures' })).toBeHidden();
    await expect(film(viewer)).toHaveCount(0);
    await viewer.close();
  });

  await test.step('a revoke takes picture and sound away at once, and no key is given after it', async () => {
    const phone = await openPhone(browser);
    const { viewer, linkId } = await openFilm(made, phone);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect.poll(() => playhead(viewer), { timeout: 30_000 }).toBeGreaterThan(1);
    await call(page, house.url, 'POST', '/links/revoke', { linkIds: [linkId] });
    await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 10_000 });
    await expect(film(viewer)).toHaveCount(0);
    await expectDark(viewer);
    await phone.close();
  });

  await test.step('what was watched stands in the figures, over the film’s own pictures', async () => {
    await page.goto(`${house.url}/analytics`);
    await expect(page.getByRole('heading', { name: 'Videos', exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(/^\d+ plays?$/)).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Still watching by moment' })).toBeAttached();
    await page.getByRole('heading', { name: 'Videos', exact: true }).evaluate((heading) => heading.scrollIntoView());
    await show(page, 'film-figures');
  });
});
