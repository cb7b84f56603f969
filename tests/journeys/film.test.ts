import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { findBrowser } from '../support/browser.ts';
import { takeClip } from '../support/camera-clip.ts';
import { canDrawClips, tellNoClips } from '../support/clips.ts';
import {
  countGiven,
  expectNoStall,
  fetched,
  film,
  forgetTaps,
  needPlayer,
  noteFilms,
  noteFilmTraffic,
  playhead,
  playsFilms,
  readNoted,
  untilTold,
} from './film-watch.ts';
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

const isPaused = (viewer: Page) => film(viewer).evaluate((video: HTMLVideoElement) => video.paused);

/** What the figures say of the only film: its plays, and how many of them showed each of its seconds. */
async function readFigures({ page, url }: Made) {
  const { films } = await call<{ films: { mediaId: string; plays: number; completions: number }[] }>(
    page,
    url,
    'GET',
    '/insights/films',
  );
  const [film] = films;
  if (film === undefined) return { plays: 0, completions: 0, shown: [] };
  const { seconds: shown } = await call<{ seconds: number[] }>(page, url, 'GET', `/insights/films/${film.mediaId}`);
  return { plays: film.plays, completions: film.completions, shown: shown.slice(0, seconds) };
}

/** Somebody reads what is measured here: it belongs to the run, and to no limit. */
function report(what: string, figure: string): void {
  test.info().annotations.push({ type: what, description: figure });
  process.stdout.write(`    film: ${what} ${figure}\n`);
}

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
  report('browser', `${said}; plays H.264: ${await playsFilms(page)}`);

  const clip = takeClip(folder, seconds);
  report('clip', clip.said);
  await house.newCreator(page);
  await page.getByRole('button', { name: /Upload photos/ }).click();
  await makeAlbum(page, 'Moving', []);
  await page.getByLabel('Photos to upload').setInputFiles(clip.file);
  const albumId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const stateOf = async () =>
    (await call<{ items: { state: string }[] }>(page, house.url, 'GET', `/albums/${albumId}`)).items[0]?.state;
  await expect.poll(stateOf, { timeout: 900_000, intervals: [1000] }).toBe('ready');
  const made = { page, url: house.url, albumId };

  await test.step('its owner sees it large by its poster, and is told how to watch it', async () => {
    await page.getByRole('button', { name: 'Video 1 of 1', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Video', exact: true });
    await expect(dialog.getByRole('img', { name: 'Your video', exact: true })).toHaveAttribute('data-painted', '', {
      timeout: 30_000,
    });
    await expect(dialog.getByText(`${clip.width}\u00a0×\u00a0${clip.height} · 0:24 ·`)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Play video' })).toBeVisible();
    await show(page, 'film-of-owner');
    await page.keyboard.press('Escape');
  });

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
    await viewer.waitForTimeout(2500); // as long as somebody rests before what plays films would come
    expect(await fetched(viewer, '/film-')).toEqual([]);
    await old.close();
  });
  await needPlayer(page, browser);

  await test.step('begun in its middle it plays to its end, and the figures show just that', async () => {
    const phone = await openPhone(browser);
    const { viewer } = await openFilm(made, phone);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    const seek = viewer.getByRole('slider', { name: 'Seek' });
    await seek.focus();
    for (const key of ['PageUp', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowLeft'])
      await viewer.keyboard.press(key);
    await expect(seek).toHaveValue('15');
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect
      .poll(() => film(viewer).evaluate(({ ended }: HTMLVideoElement) => ended), { timeout: 60_000 })
      .toBe(true);
    await untilTold(viewer);
    await viewer.close();
    await phone.close();
    const shown = Array.from({ length: seconds }, (_, second) => (second >= 15 ? 1 : 0));
    await expect.poll(() => readFigures(made), { timeout: 60_000 }).toEqual({ plays: 1, completions: 0, shown });
  });

  let reached = 0;
  await test.step('it plays through ten seconds without waiting, with keys a few seconds at a time', async () => {
    const phone = await openPhone(browser);
    await noteFilms(phone);
    const { viewer } = await openFilm(made, phone);
    await expect.poll(() => fetched(viewer, '/film-'), 'what plays it comes before it is opened').not.toEqual([]);
    const { keyCalls, bytes } = noteFilmTraffic(viewer);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    expect([keyCalls, bytes], 'no key and no byte of a film is asked for before it is played').toEqual([[], []]);
    const lists = ['audio.m3u8', 'main.m3u8', 'v480.m3u8'];
    const fetchedLists = async () => (await fetched(viewer, '.m3u8')).toSorted();
    await expect.poll(fetchedLists, 'a tap has not to wait for them').toEqual(lists);
    await showSalon(viewer, 'film-poster');
    await forgetTaps(viewer);
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(10);
    const { tapAt = 0, firstFrameAt = 0, waits } = await readNoted(viewer);
    report('first frame', `${Math.round(firstFrameAt - tapAt)} ms after the tap, ${waits.length} waits`);
    expect(firstFrameAt, 'a frame was seen after the tap').toBeGreaterThan(tapAt);
    expectNoStall(waits);
    expect(await fetchedLists(), 'and none comes twice').toEqual([...lists, 'v720.m3u8']);
    const parts = bytes.map((place) => place.split('/').at(-1)).filter((part) => part !== 'init');
    expect(new Set(parts), 'pieces of both variants').toEqual(new Set(['0', '1']));
    expect(keyCalls.length, 'ten seconds of keys at a time').toBeGreaterThanOrEqual(2);

    // What stands around the picture has faded: a hand that moves brings it back.
    await viewer.mouse.move(195, 300);
    await viewer.getByRole('button', { name: 'Pause' }).click();
    expect(await isPaused(viewer)).toBe(true);
    reached = Math.floor(await playhead(viewer));
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
    await viewer.mouse.move(195, 320);
    await viewer.getByRole('button', { name: 'Pause' }).click();
    await untilTold(viewer);
    await viewer.close();
    await phone.close();
  });

  await test.step('on a large screen it is watched by the keyboard alone, and becomes sharper by itself', async () => {
    await noteFilms(page.context());
    const { viewer } = await openFilm(made, page.context());
    // So high that a film of a phone held upright has a use for its larger rung.
    await viewer.setViewportSize({ width: 1280, height: 1400 });
    const { bytes } = noteFilmTraffic(viewer);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    await viewer.keyboard.press('k');
    await expect.poll(async () => (await readNoted(viewer)).heights.at(-1), { timeout: 60_000 }).toBe(720);
    await expect.poll(() => playhead(viewer), { timeout: 30_000 }).toBeGreaterThan(0.5);
    const { heights, waits } = await readNoted(viewer);
    report('rungs', `${heights.join(', ')}, ${waits.length} waits`);
    expect(heights, 'the small rung first').toEqual([480, 720]);
    expectNoStall(waits);
    const partsOf = () => Map.groupBy(new Set(bytes), (place) => place.split('/')[0]);
    const isMixed = (places: string[]) => ['/0', '/1'].every((part) => places.some((place) => place.endsWith(part)));
    // The small rung is left after a few seconds, which may all have been of one variant.
    await expect.poll(() => [...partsOf().values()].filter(isMixed).length, 'pieces of both').toBeGreaterThan(0);
    expect(partsOf().size, 'both rungs and the sound').toBe(3);
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
    await viewer.keyboard.press('End');
    await expect.poll(() => playhead(viewer)).toBeGreaterThan(seconds - 0.5);
    await viewer.keyboard.press('Home');
    await expect.poll(() => playhead(viewer)).toBeLessThan(0.2);
    await viewer.keyboard.press('ArrowRight');
    await expect.poll(() => playhead(viewer), 'a key on the line is worth five seconds').toBeCloseTo(5, 0);
    await viewer.keyboard.press('Home');
    await viewer.keyboard.press('Escape');
    await expect(viewer.getByRole('dialog', { name: 'Pictures' })).toBeHidden();
    await expect(film(viewer)).toHaveCount(0);
    await viewer.close();
  });

  await test.step('what was watched stands in the figures, over the film’s own pictures, and nothing else', async () => {
    // The second viewer saw it from its beginning to her pause, then some of that once more; the owner's look is none.
    await expect.poll(async () => (await readFigures(made)).plays, { timeout: 60_000 }).toBe(2);
    const { completions, shown } = await readFigures(made);
    const expected = Array.from({ length: seconds }, (_, n) => (n < reached ? 1 : 0) + (n >= 15 ? 1 : 0));
    // Whether the second in which she paused was played, a moment decides.
    expected[reached] = shown[reached] ?? 0;
    expect([completions, shown]).toEqual([0, expected]);
    await page.goto(`${house.url}/analytics`);
    await expect(page.getByRole('heading', { name: 'Videos', exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('2 plays', { exact: true })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Still watching by moment' })).toBeAttached();
    await page.getByRole('heading', { name: 'Videos', exact: true }).evaluate((heading) => heading.scrollIntoView());
    await show(page, 'film-figures');
  });

  await test.step('a revoke takes picture and sound away at once, and no key is given after it', async () => {
    const phone = await openPhone(browser);
    const { viewer, linkId } = await openFilm(made, phone);
    const { keyCalls } = noteFilmTraffic(viewer);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect.poll(() => playhead(viewer), { timeout: 30_000 }).toBeGreaterThan(1);
    const data = keyCalls[0]?.postDataJSON();
    const askAgain = () =>
      viewer.request.post(`${house.url}/api/v1/view/film-keys`, { data, headers: { 'x-csrf-token': 'orpc' } });
    expect((await askAgain()).status(), 'until now keys are given').toBe(200);
    await call(page, house.url, 'POST', '/links/revoke', { linkIds: [linkId] });
    const given = keyCalls.length;
    expect((await askAgain()).status(), 'and from now on none').toBe(410);
    await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 10_000 });
    await expect(film(viewer)).toHaveCount(0);
    await expectDark(viewer);
    expect(await countGiven(keyCalls.slice(given)), 'keys given after the revoke').toBe(0);
    await phone.close();
  });
});
