import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { pictureOf } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { needPlayer, playhead, video } from '../support/video-watch.ts';

/*
 * The player's own controls, each button, line and key of them: what they do to the video, and that nothing else can be done
 * with it.
 */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-player-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const seconds = 14;
const caption = 'The roofs, on the first evening';

const controls = (viewer: Page) => viewer.getByRole('region', { name: 'Video controls' });

/** What the video's own element is told, never what the controls show of it. */
const reported = (viewer: Page) =>
  video(viewer).evaluate(({ paused, muted, volume, playbackRate }: HTMLVideoElement) => ({
    paused,
    muted,
    volume: Math.round(volume * 100) / 100,
    playbackRate,
  }));

/** The video's picture and its buttons fill the screen, nothing less: a video alone would bring the browser's own buttons. */
const isFull = (viewer: Page) =>
  viewer.evaluate(() => {
    const full = document.fullscreenElement;
    return full !== null && ['video.video', '.video-bar'].every((part) => full.querySelector(part) !== null);
  });

/** Somebody opens a link to the video and has it large before her. */
async function openVideo(viewer: Page, url: string): Promise<void> {
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const tile = viewer.getByRole('button', { name: `Video 1 of 2, 0:${seconds}, ${caption}` });
  await expect(tile.locator('canvas[data-painted]')).toHaveCount(1, { timeout: 60_000 });
  await tile.click();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 60_000 });
  await expect(controls(viewer)).toBeAttached({ timeout: 60_000 });
}

async function play(viewer: Page): Promise<void> {
  await viewer.getByRole('button', { name: 'Play video' }).click();
  await expect.poll(() => playhead(viewer), { timeout: 90_000 }).toBeGreaterThan(0);
}

/** Returns where two things stand: neither covers the other. */
async function expectApart(above: Locator, below: Locator): Promise<void> {
  const [upper, lower] = [await above.boundingBox(), await below.boundingBox()];
  if (upper === null || lower === null) throw new Error('One of the two is not on the screen.');
  expect(upper.y + upper.height).toBeLessThanOrEqual(lower.y);
}

test('whoever watches a video has its words, every control by button and by key, and no way to take it along', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(1_200_000);
  await needPlayer(page, browser);
  await app.newCreator(page);
  const file = path.join(folder, 'clip.mp4');
  writeFileSync(file, drawClip({ seconds, width: 640, height: 360 }));
  // A photo beside it, to which the video's keys must not turn.
  const albumId = await openNewAlbum(page, app.url, 'Controls', [file, ...pictureFiles('sea')]);
  const tile = page.getByRole('button', { name: 'Video 1 of 2', exact: true });

  await test.step('its creator watches it herself, and takes it away by closing', async () => {
    await expect(tile).toHaveAccessibleDescription(`0:${seconds}`);
    await tile.click();
    const dialog = page.getByRole('dialog', { name: 'Video', exact: true });
    // The first time nothing comes of it; that is said, and the next tap plays.
    await page.route('**/video/main.m3u8', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await dialog.getByRole('button', { name: 'Play video' }).click();
    await expect(dialog.getByRole('alert')).toHaveText("This video couldn't be played. Please try again.");
    await expect(dialog.getByRole('button', { name: 'Play video' })).toBeFocused();
    await page.keyboard.press('Enter');
    const own = dialog.locator('video');
    const at = () => own.evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
    await expect.poll(at, { timeout: 90_000 }).toBeGreaterThan(1);
    await own.evaluate((video: HTMLVideoElement) => {
      video.currentTime = 9;
    });
    await expect.poll(at, { timeout: 90_000 }).toBeGreaterThan(10);
    await expect(own).toHaveAttribute('controlslist', /nodownload/);
    await page.keyboard.press('Space');
    await expect(own, 'the keys go on where the button was').toHaveJSProperty('paused', true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(page.locator('video'), 'also from the buttons of the browser').toHaveCount(0);
  });

  await test.step('its creator gives it words', async () => {
    await tile.click();
    const dialog = page.getByRole('dialog', { name: 'Video', exact: true });
    await dialog.getByLabel('Caption').fill(caption);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByRole('img', { name: caption })).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `Video 1 of 2, ${caption}`, exact: true })).toBeVisible();
  });
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false },
    isLaxConfirmed: true,
  });
  const desk = await browser.newContext();
  const viewer = await desk.newPage();
  await openVideo(viewer, url);
  const words = viewer.locator('.foot').getByText(caption);
  const muteButton = controls(viewer).getByRole('button', { name: /^(Unm|M)ute$/ });
  const volume = controls(viewer).getByRole('slider', { name: 'Volume' });
  const speed = controls(viewer).getByRole('combobox', { name: 'Speed' });

  await test.step('the words stand with the video, above its controls', async () => {
    await expect(words).toBeVisible();
    await expectApart(words, controls(viewer));
    await play(viewer);
    await viewer.keyboard.press('k');
    await expect.poll(async () => (await reported(viewer)).paused).toBe(true);
    await expect(words).toBeVisible();
    await expectApart(words, controls(viewer));
  });

  await test.step('volume: a button, a line, and keys', async () => {
    expect(await reported(viewer)).toMatchObject({ muted: false, volume: 1 });
    await volume.fill('0.35');
    await expect.poll(() => reported(viewer)).toMatchObject({ muted: false, volume: 0.35 });
    await expect(muteButton).toHaveAccessibleName('Mute');
    await muteButton.click();
    await expect.poll(() => reported(viewer)).toMatchObject({ muted: true, volume: 0.35 });
    await expect(muteButton).toHaveAccessibleName('Unmute');
    await expect(volume).toHaveValue('0');
    await muteButton.click();
    await expect.poll(() => reported(viewer)).toMatchObject({ muted: false, volume: 0.35 });
    await expect(volume).toHaveValue('0.35');
    await volume.focus();
    await viewer.keyboard.press('ArrowRight');
    await expect.poll(() => reported(viewer), 'the arrows of a line are its own').toMatchObject({ volume: 0.4 });
    await viewer.keyboard.press('Home');
    await expect.poll(() => reported(viewer)).toMatchObject({ muted: true, volume: 0 });
    await muteButton.click();
    await expect
      .poll(() => reported(viewer), 'sound that is put on is heard')
      .toMatchObject({ muted: false, volume: 0.5 });
    await volume.fill('0');
    await viewer.locator('.stage').focus();
    for (const [key, loud] of [
      ['ArrowUp', 0.1],
      ['ArrowUp', 0.2],
      ['ArrowDown', 0.1],
    ] as const) {
      await viewer.keyboard.press(key);
      await expect.poll(() => reported(viewer)).toMatchObject({ muted: false, volume: loud });
    }
    for (const muted of [true, false]) {
      await viewer.keyboard.press('m');
      await expect.poll(() => reported(viewer)).toMatchObject({ muted, volume: 0.1 });
    }
  });

  await test.step('speed: six of them, and a jump keeps the chosen one', async () => {
    await expect(speed.getByRole('option')).toHaveText(['0.5×', '0.75×', '1×', '1.25×', '1.5×', '2×']);
    for (const each of [2, 0.5]) {
      await speed.selectOption(`${each}×`);
      await expect.poll(() => reported(viewer)).toMatchObject({ playbackRate: each });
    }
    await viewer.locator('.stage').focus();
    await viewer.keyboard.press('ArrowRight');
    await viewer.keyboard.press('Space');
    await expect.poll(() => reported(viewer), { timeout: 60_000 }).toMatchObject({ paused: false, playbackRate: 0.5 });
    await speed.selectOption('1×');
    await expect.poll(() => reported(viewer)).toMatchObject({ playbackRate: 1 });
    await viewer.locator('.stage').focus();
    await viewer.keyboard.press('Space');
    await expect.poll(() => reported(viewer)).toMatchObject({ paused: true });
  });

  await test.step('seeking: the arrows step by five seconds, and stop at both ends', async () => {
    await controls(viewer).getByRole('slider', { name: 'Seek' }).focus();
    await viewer.keyboard.press('Home');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(0, 0);
    await viewer.keyboard.press('ArrowRight');
    await expect.poll(() => playhead(viewer)).toBeCloseTo(5, 0);
    await viewer.keyboard.press('Home');
    await speed.focus();
    await viewer.keyboard.press('ArrowLeft');
    await expect(viewer.getByRole('status').filter({ hasText: /^Video 1 of 2/ }), 'still the video').toBeAttached();
    await speed.selectOption('1×');
    await viewer.locator('.stage').focus();
    for (const [key, at] of [
      ['ArrowRight', 5],
      ['ArrowRight', 10],
      ['ArrowRight', seconds],
      ['ArrowLeft', seconds - 5],
      ['ArrowLeft', seconds - 10],
      ['ArrowLeft', 0],
    ] as const) {
      await viewer.keyboard.press(key);
      await expect.poll(() => playhead(viewer), { message: `${key} to ${at}` }).toBeCloseTo(at, 0);
    }
  });

  await test.step('full picture: a button and a key, with its controls and its words inside', async () => {
    const full = controls(viewer).getByRole('button', { name: /^(Exit f|F)ull screen$/ });
    await full.click();
    await expect.poll(() => isFull(viewer)).toBe(true);
    await expect(full).toHaveAccessibleName('Exit full screen');
    await expect(words).toBeVisible();
    await full.click();
    await expect.poll(() => viewer.evaluate(() => document.fullscreenElement)).toBeNull();
    await expect(full).toHaveAccessibleName('Full screen');
    await viewer.locator('.stage').focus();
    await viewer.keyboard.press('f');
    await expect.poll(() => isFull(viewer)).toBe(true);
    await viewer.keyboard.press('f');
    await expect.poll(() => viewer.evaluate(() => document.fullscreenElement)).toBeNull();
  });

  await test.step('no picture in picture, no other screen, no download, no menu of the browser', async () => {
    const offered = await video(viewer).evaluate(async (video: HTMLVideoElement) => ({
      pictureInPicture: await video.requestPictureInPicture().then(
        () => 'opened',
        ({ name }: Error) => name,
      ),
      remote: video.disableRemotePlayback,
      ownButtons: video.controls,
      address: new URL(video.currentSrc).protocol,
    }));
    expect(offered).toEqual({
      pictureInPicture: 'InvalidStateError',
      remote: true,
      ownButtons: false,
      address: 'blob:',
    });
    expect(await viewer.locator('a[download], video[controls], video[src^="http"]').count()).toBe(0);
    await expect(controls(viewer).getByRole('button')).toHaveCount(3);
    await viewer.evaluate(() => {
      const seen: boolean[] = [];
      Object.assign(window, { menus: seen });
      addEventListener('contextmenu', ({ defaultPrevented }) => seen.push(defaultPrevented));
    });
    await viewer.mouse.click(640, 300, { button: 'right' });
    expect(await viewer.evaluate(() => (window as unknown as { menus: boolean[] }).menus)).toEqual([true]);
  });
  await desk.close();

  await test.step('a video that could not be begun goes on with one tap, or one key, as soon as it can', async () => {
    const unlucky = await browser.newContext();
    const guest = await unlucky.newPage();
    const rungs = '**/main.m3u8';
    for (const again of ['Play video', 'k']) {
      await guest.route(rungs, (route) => route.abort());
      await openVideo(guest, url);
      await expect(guest.getByText('Please try again')).toBeVisible({ timeout: 60_000 });
      await guest.unroute(rungs);
      if (again === 'k') await guest.keyboard.press('k');
      else await guest.getByRole('button', { name: again }).click();
      await expect.poll(() => playhead(guest), { timeout: 90_000 }).toBeGreaterThan(0);
    }
    await unlucky.close();
  });

  await test.step('on a phone the same by thumb: the words, the sound, the speed, the full picture', async () => {
    const phone = await openPhone(browser);
    const hand = await phone.newPage();
    await openVideo(hand, url);
    await expect(hand.locator('.foot').getByText(caption)).toBeVisible();
    await expectApart(hand.locator('.foot').getByText(caption), controls(hand));
    await play(hand);
    // What fades while it plays comes back for a thumb, and goes again after two seconds.
    await expect(async () => {
      if ((await hand.locator('dialog.item[data-quiet]').count()) === 1) await hand.touchscreen.tap(195, 250);
      await controls(hand).getByRole('button', { name: 'Pause' }).tap({ timeout: 1500 });
    }).toPass({ timeout: 60_000 });
    await expect.poll(() => reported(hand)).toMatchObject({ paused: true });
    await controls(hand).getByRole('button', { name: 'Mute' }).tap();
    await expect.poll(() => reported(hand)).toMatchObject({ muted: true });
    await controls(hand).getByRole('combobox', { name: 'Speed' }).selectOption('1.5×');
    await expect.poll(() => reported(hand)).toMatchObject({ playbackRate: 1.5 });
    await controls(hand).getByRole('button', { name: 'Full screen' }).tap();
    await expect.poll(() => isFull(hand)).toBe(true);
    await hand.screenshot({ path: pictureOf('video-words', 'phone'), scale: 'css' });
    await phone.close();
  });
});
