import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { untilReady } from '../support/made-video.ts';
import { openDoor } from '../support/steps.ts';
import { needPlayer, video } from '../support/video-watch.ts';

/* Videos that are over before a player has begun: what telephones put beside a photo. They come to their end all the same. */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-short-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clips = [{ seconds: 0.1 }, { seconds: 0.3 }, { seconds: 0.2, hasSound: false }, { seconds: 1.1 }];

/** From which second on a video was there whenever one of this page was over. */
declare const ends: number[];

/** Notes from the page's next address on which of its videos are over. */
const noteEnds = (whose: Page) =>
  whose.addInitScript(() => {
    const noted: number[] = [];
    Object.assign(window, { ends: noted });
    const note = ({ target }: Event) => target instanceof HTMLVideoElement && noted.push(target.buffered.start(0));
    document.addEventListener('ended', note, true);
  });

/** It is over so many times by now, and was there from its first moment on: players jump over a hole before it, and what is short is over with it. */
const expectEnds = (whose: Page, which: string, times: number) =>
  expect.poll(() => whose.evaluate(() => [...ends]), { message: which, timeout: 30_000 }).toEqual(Array(times).fill(0));

/** What the figures say of each video. */
async function readPlays(page: Page, url: string): Promise<object[]> {
  const { videos } = await call<{ videos: { plays: number; completions: number }[] }>(
    page,
    url,
    'GET',
    '/insights/videos',
  );
  return videos.map(({ plays, completions }) => ({ plays, completions }));
}

test('videos of a tenth of a second are played to their end, by a viewer and by the creator', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(600_000);
  await needPlayer(page, browser);
  await app.newCreator(page);
  const files = clips.map((clip, n) => {
    const file = path.join(folder, `clip-${n}.mp4`);
    writeFileSync(file, drawClip({ width: 640, height: 360, ...clip }));
    return file;
  });
  const albumId = await openNewAlbum(page, app.url, 'Short', files);
  const made = page.getByRole('button', { name: /^Video \d of 4/ }).filter({ hasText: '0:01' });
  await expect(made).toHaveCount(clips.length);
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false },
    isLaxConfirmed: true,
  });

  const { phone, viewer } = await openDoor(browser, 'about:blank');
  await noteEnds(viewer);
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  for (const n of clips.keys()) {
    await viewer.getByRole('button', { name: `Video ${n + 1} of 4, 0:01` }).click();
    await untilReady(viewer);
    for (const times of [1, 2]) {
      await viewer.keyboard.press('k');
      await expectEnds(viewer, `video ${n + 1}`, times);
    }
    await viewer.keyboard.press('Escape');
    await expect(video(viewer)).toHaveCount(0);
    await viewer.evaluate(() => ends.splice(0));
  }
  // Whoever leaves says what was seen last; nothing was told before.
  await viewer.goto('about:blank');
  await viewer.waitForTimeout(1000);
  await phone.close();
  await expect
    .poll(() => readPlays(page, app.url), { message: 'each was played, and to its end', timeout: 60_000 })
    .toEqual(clips.map(() => ({ plays: 1, completions: 1 })));

  await noteEnds(page);
  await page.reload();
  for (const n of clips.keys()) {
    await made.nth(n).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Play video' }).click();
    await expectEnds(page, `her own video ${n + 1}`, 1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.evaluate(() => ends.splice(0));
  }
});
