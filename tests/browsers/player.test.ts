import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Caller, call, makeAlbum } from '../journeys/support/calls.ts';
import { canDrawClips, drawClip, warnNoClips } from '../support/media/clips.ts';
import { needPlayer } from './support/playing.ts';
import { expect, test } from './support/story.ts';
import { button, css, heading, text } from './support/targets.ts';
import { enter, playhead, untilDark, untilPainted, untilPlayed } from './support/viewing.ts';

if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
test.setTimeout(600_000);

/** A link to a video of twelve seconds. */
async function shareVideo(creator: Caller, url: string): Promise<{ id: string; url: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-player-'));
  const clip = path.join(folder, 'clip.mp4');
  writeFileSync(clip, drawClip({ seconds: 12, width: 320, height: 180 }));
  const albumId = await makeAlbum(creator, url, 'Moving', [clip]);
  rmSync(folder, { recursive: true });
  const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  return call(creator, url, 'POST', '/links', rules);
}

test('a video is heard, sought, slowed down, silenced, and ends with the link', async ({ app, creator, browsers }) => {
  const viewer = await browsers.openDesk();
  await needPlayer(viewer, browsers.engine);
  await app.newCreator(creator);
  const link = await shareVideo(creator, app.url);
  await enter(viewer, link.url, { isAsked: false });
  await untilPainted(viewer, 1);
  await viewer.tap(button(/^Video 1 of 1/));
  await viewer.tap(button('Play video'));
  await untilPlayed(viewer, 1);
  await viewer.waitFor('it has a picture, and its sound is on', () => {
    const video = document.querySelector<HTMLVideoElement>('video.video');
    return video !== null && video.videoWidth > 0 && !video.muted && video.volume > 0;
  });
  await viewer.press('Space');
  const told = () =>
    viewer.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('video.video');
      return video && { paused: video.paused, muted: video.muted, rate: video.playbackRate };
    });
  await expect.poll(async () => (await told())?.paused).toBe(true);
  await viewer.tap(button('Mute'));
  await expect.poll(async () => (await told())?.muted).toBe(true);
  await viewer.choose({ by: 'role', role: 'combobox', words: 'Speed' }, '2×');
  await expect.poll(async () => (await told())?.rate).toBe(2);
  await viewer.picture('video-desk');
  await viewer.focus(css('.stage'));
  await viewer.press('ArrowRight');
  await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(5.5);
  await viewer.press('Space');
  await untilPlayed(viewer, 9);
  await call(creator, app.url, 'POST', '/links/revoke', { linkIds: [link.id] });
  await viewer.see(heading('Access ended'));
  await viewer.seeNo(css('video'));
  await untilDark(viewer);
});

test('without media sources a true sentence stands in the place of a video', async ({ app, creator, browsers }) => {
  test.skip(browsers.engine === 'webkit', 'Its driver runs nothing before a page’s own scripts.');
  await app.newCreator(creator);
  const link = await shareVideo(creator, app.url);
  const without = '(() => { delete globalThis.MediaSource; delete globalThis.ManagedMediaSource; })()';
  const viewer = await browsers.openPhone({ without });
  await enter(viewer, link.url, { isAsked: false });
  await untilPainted(viewer, 1);
  await viewer.tap(button(/^Video 1 of 1/));
  await viewer.see(text('Please update your browser to play videos.'));
  await viewer.picture('video-without-media-source');
});

test('without a canvas for workers the page draws, photos and all', async ({ app, creator, browsers }) => {
  test.skip(browsers.engine === 'webkit', 'Its driver runs nothing before a page’s own scripts.');
  await app.newCreator(creator);
  const link = await shareVideo(creator, app.url);
  const without =
    '(() => { delete globalThis.OffscreenCanvas; delete HTMLCanvasElement.prototype.transferControlToOffscreen; delete globalThis.ImageDecoder; })()';
  const viewer = await browsers.openPhone({ without });
  await enter(viewer, link.url, { isAsked: false });
  await untilPainted(viewer, 1);
});
