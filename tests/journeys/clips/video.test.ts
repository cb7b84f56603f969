import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { openVideo, untilReady } from '../support/made-video.ts';
import { expectDark } from '../support/steps.ts';
import { countGiven, needPlayer, noteVideoTraffic, playhead, video } from '../support/video-watch.ts';

/* A short video from the creator's file to somebody else's phone; all that can be done with one is told in `video.test.ts`. */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-video-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const seconds = 4;

test('a video is uploaded and plays on a phone; a revoke takes it away, and no key is given after it', {
  tag: '@main',
}, async ({ page, app, browser }) => {
  test.setTimeout(600_000);
  await needPlayer(page, browser);
  const clip = path.join(folder, 'clip.mp4');
  writeFileSync(clip, drawClip({ seconds, width: 640, height: 360 }));
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'Moving');
  await page.getByLabel('Photos to upload').setInputFiles(clip);
  await expect(page.getByRole('button', { name: 'Video 1 of 1', exact: true })).toBeVisible({ timeout: 300_000 });

  const phone = await openPhone(browser);
  const { viewer, linkId } = await openVideo({ page, url: app.url, albumId, seconds }, phone);
  const { keyCalls } = noteVideoTraffic(viewer);
  await viewer.getByRole('button', { name: /^Video 1 of 1/ }).tap();
  await untilReady(viewer);
  await viewer.getByRole('button', { name: 'Play video' }).tap();
  await expect.poll(() => playhead(viewer), { timeout: 60_000 }).toBeGreaterThan(1);

  const data = keyCalls[0]?.postDataJSON();
  const askAgain = () =>
    viewer.request.post(`${app.url}/api/v1/view/video-keys`, { data, headers: { 'x-csrf-token': 'orpc' } });
  expect((await askAgain()).status(), 'until now keys are given').toBe(200);
  await call(page, app.url, 'POST', '/links/revoke', { linkIds: [linkId] });
  const given = keyCalls.length;
  expect((await askAgain()).status(), 'and from now on none').toBe(410);
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible();
  await expect(video(viewer)).toHaveCount(0);
  await expectDark(viewer);
  expect(await countGiven(keyCalls.slice(given)), 'keys given after the revoke').toBe(0);
  await phone.close();
});
