import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { findBrowser } from '../../support/browser.ts';
import { takeClip } from '../../support/media/camera-clip.ts';
import { canDrawClips, warnNoClips } from '../../support/media/clips.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { apartOf, isDrawn, readLevels } from '../support/levels.ts';
import { pictureOf } from '../support/looking.ts';
import { openVideo, untilReady } from '../support/made-video.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectStrip, readCurve, readFigures, readWords } from '../support/video-figures.ts';
import {
  expectNoStall,
  fetched,
  forgetTaps,
  holdAfterFirst,
  needPlayer,
  noteVideos,
  noteVideoTraffic,
  playhead,
  playsVideos,
  readNoted,
  readVariants,
  untilTold,
  video,
} from '../support/video-watch.ts';

/*
 * A video on somebody else's screen: played, sought in, and told in the figures. All of it is one story, because making a
 * video of this length takes a while. How it comes from the page and how a revoke stops it is told in `video.test.ts`.
 */
const seconds = 24;
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-video-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isPaused = (viewer: Page) => video(viewer).evaluate((video: HTMLVideoElement) => video.paused);
const untilEnded = (viewer: Page) =>
  expect.poll(() => video(viewer).evaluate(({ ended }: HTMLVideoElement) => ended), { timeout: 60_000 }).toBe(true);

/** Somebody reads what is measured here: it belongs to the run, and to no limit. */
function report(what: string, figure: string): void {
  test.info().annotations.push({ type: what, description: figure });
  process.stdout.write(`    video: ${what} ${figure}\n`);
}

test('a video is played, sought in, and told in the figures', async ({ page, app, browser }) => {
  test.setTimeout(1_200_000);
  const { said } = await findBrowser();
  report('browser', `${said}; plays H.264: ${await playsVideos(page)}`);

  const clip = takeClip(folder, seconds);
  report('clip', clip.said);
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'Moving', [clip.file]);
  const made = { page, url: app.url, albumId, seconds };

  await test.step('its owner sees it large by its poster, and is told how to watch it', async () => {
    await page.getByRole('button', { name: 'Video 1 of 1', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Video', exact: true });
    await expect(dialog.getByRole('img', { name: 'Your video', exact: true })).toHaveAttribute('data-painted', '', {
      timeout: 30_000,
    });
    await expect(dialog.getByText(`${clip.width}\u00a0×\u00a0${clip.height} · 0:24 ·`)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Play video' })).toBeVisible();
    await show(page, 'video-of-owner');
    await page.keyboard.press('Escape');
  });

  await test.step('its poster stands first; without a player for it that is all, and it is said', async () => {
    const old = await openPhone(browser);
    await old.addInitScript(() => {
      for (const name of ['MediaSource', 'ManagedMediaSource', 'WebKitMediaSource'])
        Reflect.deleteProperty(globalThis, name);
    });
    const { viewer } = await openVideo(made, old);
    await viewer.keyboard.press('Enter');
    await expect(viewer.getByText('Please update your browser to play videos.')).toBeVisible();
    await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
    await viewer.waitForTimeout(2500); // as long as somebody rests before what plays videos would come
    expect(await fetched(viewer, '/video-')).toEqual([]);
    await old.close();
  });
  await needPlayer(page, browser);

  await test.step('begun in its middle it plays to its end, and the figures show just that', async () => {
    const phone = await openPhone(browser);
    await noteVideos(phone);
    const { viewer } = await openVideo(made, phone);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    const seek = viewer.getByRole('slider', { name: 'Seek' });
    await seek.focus();
    for (const key of ['PageUp', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowLeft'])
      await viewer.keyboard.press(key);
    await expect(seek).toHaveValue('15');
    const { letCome } = await holdAfterFirst(viewer);
    await viewer.getByRole('button', { name: 'Play video' }).click();
    // As many as a line has to bring before anything moves.
    const enough = 'one answer with keys, one piece of the picture and one of the sound';
    await expect.poll(() => playhead(viewer), { message: enough, timeout: 30_000 }).toBeGreaterThan(15.1);
    expect((await readNoted(viewer)).firstFrameAt, 'and a frame was seen').toBeGreaterThan(0);
    letCome();
    await untilEnded(viewer);
    await untilTold(viewer);
    await viewer.close();
    await phone.close();
    const shown = Array.from({ length: seconds }, (_, second) => (second >= 15 ? 1 : 0));
    await expect.poll(() => readFigures(made), { timeout: 60_000 }).toMatchObject({ plays: 1, completions: 0, shown });
  });

  await test.step('it plays through ten seconds without waiting, with keys a few seconds at a time', async () => {
    const phone = await openPhone(browser);
    await noteVideos(phone);
    const { viewer } = await openVideo(made, phone);
    await expect.poll(() => fetched(viewer, '/video-'), 'what plays it comes before it is opened').not.toEqual([]);
    const { keyCalls, bytes } = noteVideoTraffic(viewer);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    expect([keyCalls, bytes], 'no key and no byte of a video is asked for before it is played').toEqual([[], []]);
    const lists = ['audio.m3u8', 'main.m3u8', 'v480.m3u8'];
    const fetchedLists = async () => (await fetched(viewer, '.m3u8')).toSorted();
    await expect.poll(fetchedLists, 'a tap has not to wait for them').toEqual(lists);
    await showViewerApp(viewer, 'video-poster');
    await forgetTaps(viewer);
    await viewer.getByRole('button', { name: 'Play video' }).click();
    await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(10);
    const noted = await readNoted(viewer);
    const { tapAt = 0, firstFrameAt = 0, waits } = noted;
    report('first frame', `${Math.round(firstFrameAt - tapAt)} ms after the tap, ${waits.length} waits`);
    expect(firstFrameAt, 'a frame was seen after the tap').toBeGreaterThan(tapAt);
    expectNoStall(noted);
    const playedLists = await fetchedLists();
    expect(playedLists, 'and none comes twice').toEqual([...new Set(playedLists)]);
    const { packId: ofSound } = await readVariants(viewer, 'audio');
    const parts = bytes.filter((place) => !place.startsWith(ofSound)).map((place) => place.split('/').at(-1));
    expect(new Set(parts), 'pieces of both variants').toEqual(new Set(['init', '0', '1']));
    expect(keyCalls.length, 'ten seconds of keys at a time').toBeGreaterThanOrEqual(2);

    // What stands around the picture has faded: a hand that moves brings it back.
    await viewer.mouse.move(195, 300);
    await viewer.getByRole('button', { name: 'Pause' }).click();
    expect(await isPaused(viewer)).toBe(true);
    const seek = viewer.getByRole('slider', { name: 'Seek' });
    const box = await seek.boundingBox();
    if (box === null) throw new Error('no line to seek on');
    const dragTo = (share: number) =>
      viewer.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 4 });
    const cell = viewer.locator('.preview .preview-cell');
    await dragTo(0.5);
    await viewer.mouse.down();
    await dragTo(0.8);
    await expect.poll(async () => isDrawn(await readLevels(cell)), 'the storyboard shows what is there').toBe(true);
    const late = await readLevels(cell);
    await dragTo(0.2);
    const early = await readLevels(cell);
    expect(isDrawn(early)).toBe(true);
    expect(apartOf(early, late), 'and elsewhere something else').toBeGreaterThan(2);
    await viewer.screenshot({ path: pictureOf('video-seeking', 'phone'), scale: 'css' });
    await viewer.mouse.up();
    await expect.poll(() => playhead(viewer)).toBeLessThan(seconds * 0.35);
    expect(await isPaused(viewer), 'a pause outlives a jump').toBe(true);
    await showViewerApp(viewer, 'video-paused');
    await viewer.getByRole('combobox', { name: 'Speed' }).selectOption('2×');
    await viewer.getByRole('button', { name: 'Play', exact: true }).click();
    await untilEnded(viewer);
    await untilTold(viewer);
    await viewer.close();
    await phone.close();
  });

  await test.step('on a large screen it is watched by the keyboard alone, and becomes sharper by itself', async () => {
    await noteVideos(page.context());
    const { viewer } = await openVideo(made, page.context());
    // So high that a video of a phone held upright has a use for its larger rung.
    await viewer.setViewportSize({ width: 1280, height: 1400 });
    const { bytes } = noteVideoTraffic(viewer);
    await viewer.keyboard.press('Enter');
    await untilReady(viewer);
    await viewer.keyboard.press('k');
    const largestOf = async () => (await readNoted(viewer)).rungs.find(({ height }) => height === 720)?.from;
    await expect.poll(largestOf, { timeout: 60_000 }).toBeDefined();
    const sharpFrom = Math.ceil((await largestOf()) ?? 0);
    const { packId, slots } = await readVariants(viewer, 'v720');
    const seam = slots.findIndex((slot, second) => second > sharpFrom && slot !== slots[second - 1]);
    expect(seam, 'a second of one variant follows one of the other').toBeGreaterThan(sharpFrom);
    // For a while, and at the least over the place where both variants meet.
    const until = Math.max(sharpFrom + 6, seam + 1);
    await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(until);
    const noted = await readNoted(viewer);
    const heights = noted.rungs.map(({ height }) => height);
    report('rungs', `${heights.join(', ')} from ${sharpFrom} s, ${noted.waits.length} waits`);
    expect(heights, 'the small rung first').toEqual([480, 720]);
    expectNoStall(noted);
    expect(bytes, 'pieces of both variants').toEqual(expect.arrayContaining([`${packId}/0`, `${packId}/1`]));
    expect(new Set(bytes.map((place) => place.split('/')[0])).size, 'both rungs and the sound').toBe(3);
    await viewer.keyboard.press('Space');
    await expect.poll(() => isPaused(viewer)).toBe(true);
    const before = await playhead(viewer);
    await viewer.keyboard.press('ArrowRight');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(before + 5, 0);
    await viewer.keyboard.press('ArrowLeft');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(before, 0);
    await viewer.keyboard.press('m');
    await expect(viewer.getByRole('button', { name: 'Unmute' })).toBeVisible();
    await viewer.keyboard.press('f');
    await expect(viewer.getByRole('button', { name: 'Exit full screen' })).toBeVisible();
    await viewer.keyboard.press('f');
    await expect(viewer.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
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
    await expect(video(viewer)).toHaveCount(0);
    await viewer.close();
  });

  await test.step("what was watched stands in the figures, over the video's own pictures, and nothing else", async () => {
    // The second viewer saw all of it, some of that twice; the owner's look is none.
    const shown = Array.from({ length: seconds }, (_, second) => (second >= 15 ? 2 : 1));
    await expect.poll(() => readFigures(made), { timeout: 60_000 }).toMatchObject({ plays: 2, completions: 1, shown });
    await page.goto(`${app.url}/analytics`);
    const videos = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Videos', exact: true }) });
    await expect(videos).toBeVisible({ timeout: 30_000 });
    await expect(videos.getByText('2 plays', { exact: true })).toBeVisible();
    const { toTheEnd, watchedMs, rest } = await readWords(videos);
    expect([toTheEnd, rest]).toEqual(['50% watched to the end', '0:24 long']);
    const { shownSeconds } = await readFigures(made);
    const whole = shown.reduce((sum, plays) => sum + plays, 0);
    expect(shownSeconds - whole, 'both plays came to what is left after the last whole second').toBeLessThanOrEqual(2);
    expect(watchedMs, 'what was shown of it, however fast, and nothing of how long it was open').toBe(
      1000 * shownSeconds,
    );
    expect([await readCurve(videos, 5), await readCurve(videos, 20)]).toEqual(['0:05: 50%', '0:20: 100%']);
    await expectStrip(videos);
    await page.getByRole('heading', { name: 'Videos', exact: true }).evaluate((heading) => heading.scrollIntoView());
    await show(page, 'video-figures');
  });
});
