import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { hold, openDoor } from '../support/steps.ts';
import { fetched, needPlayer } from '../support/video-watch.ts';

/* What plays a video is large. It comes beside nothing that somebody waits for. */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-rest-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** What plays videos is asked for once somebody has rested for two seconds. */
const longerThanRestMs = 5000;

test('what plays a video waits until the open photo is there', async ({ page, app, browser }) => {
  test.setTimeout(600_000);
  await needPlayer(page, browser);
  await app.newCreator(page);
  const video = path.join(folder, 'clip.mp4');
  writeFileSync(video, drawClip({ seconds: 3, width: 640, height: 360 }));
  const albumId = await makeAlbum(page, app.url, 'Rest', [...pictureFiles('sea'), video]);
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false },
    isLaxConfirmed: true,
  });

  const { phone, viewer } = await openDoor(browser, 'about:blank');
  // The tap comes before anything can open the photo, so there is no moment of rest in the grid.
  const frame = await hold(viewer, '**/viewer/assets/frame-*.js');
  const photo = await hold(viewer, '**/api/view/leases');
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Photo 1 of 2' }).click();
  frame.letCome();
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 1 of 2' })).toBeAttached({ timeout: 30_000 });
  await viewer.waitForTimeout(longerThanRestMs);
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]'), 'it is not there').toHaveCount(0);
  expect(await fetched(viewer, '/video-'), 'nothing comes beside it').toEqual([]);

  photo.letCome();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await expect.poll(() => fetched(viewer, '/video-'), { timeout: 30_000 }).not.toEqual([]);
  await phone.close();
});
