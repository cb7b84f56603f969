import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import type { VideoLeases } from '#features/media/contract.ts';
import { canDrawClips, warnNoClips } from '../../support/media/clips.ts';
import { playThrough } from '../../support/media/played-video.ts';
import { drawVideo, recode } from '../../support/tracing/leaked-clips.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { noteChanges } from '../support/changing.ts';
import { apartOf, isDrawn, levelsOf } from '../support/levels.ts';
import { type MadeVideo, openVideo, untilReady } from '../support/made-video.ts';
import { show } from '../support/showing.ts';
import { needPlayer } from '../support/video-watch.ts';

/*
 * A video that leaked: what a viewer's own player was given is submitted as a clip, and the answer shows which seconds of the
 * original it was read from.
 */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a video with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-leaked-video-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seconds = 60;
/** What of it leaks. */
const [from, until] = [7, 55];

/** Somebody opens the video by a link of their own. @returns everything that their player is given of it */
async function watch(
  made: MadeVideo,
  browser: Browser,
  recipientName: string,
): Promise<{ phone: BrowserContext; video: Buffer }> {
  const phone = await openPhone(browser);
  const { viewer } = await openVideo(made, phone, { recipientName, linkName: `For ${recipientName}` });
  const asked = viewer.waitForRequest(/\/main\.m3u8$/);
  await viewer.keyboard.press('Enter');
  await untilReady(viewer);
  const lists = (await asked).url().replace(/\/main\.m3u8$/, '');
  const [visitId, mediaId] = lists.split('/').slice(-2);
  const player = {
    list: async (track: string) => (await viewer.request.get(`${lists}/${track}.m3u8`)).text(),
    async lend(wanted: object) {
      const answer = await viewer.request.post(`${made.url}/api/v1/view/video-keys`, {
        headers: { 'x-csrf-token': 'orpc' },
        data: { visitId, mediaId, tracks: [wanted] },
      });
      const [lease] = ((await answer.json()) as VideoLeases).leases;
      if (lease === undefined) throw new Error('Nothing was lent.');
      return lease;
    },
    bytes: async (address: string, headers: Record<string, string>) =>
      (await viewer.request.get(`${made.url}${address}`, { headers })).body(),
  };
  return { phone, video: await playThrough(player, 'v720') };
}

/** The seconds that are lit on the strip of a video. */
async function readLit(strip: Locator): Promise<number[]> {
  const runs = await strip
    .locator('rect')
    .evaluateAll((rects) => rects.map((rect) => ['x', 'width'].map((name) => Number(rect.getAttribute(name)))));
  return runs.flatMap(([x = 0, width = 0]) => Array.from({ length: width }, (_, n) => x + n));
}

/** A picture of the answer, which has come. */
async function readPicture(page: Page, picture: Locator): Promise<Buffer> {
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const address = await picture.evaluate((img: HTMLImageElement) => img.src);
  return levelsOf(await (await page.request.get(address)).body());
}

test('a clip of what a viewer was shown of a video names their link, second by second, beside the original', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(900_000);
  await needPlayer(page, browser);
  const original = path.join(folder, 'video.mp4');
  writeFileSync(original, await drawVideo({ seconds, width: 512, height: 288 }));
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'Moving', [original]);
  const made = { page, url: app.url, albumId, seconds };
  const [anna, bob] = [await watch(made, browser, 'Anna'), await watch(made, browser, 'Bob')];
  const copy = path.join(folder, 'copy.mp4');
  const coding = [
    '-t',
    String(until - from),
    '-vf',
    'scale=456:-2',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '26',
  ];
  writeFileSync(copy, await recode(bob.video, coding, 'mp4', ['-ss', String(from)]));

  await page.getByRole('link', { name: 'Found a leak?' }).click();
  const shares = await noteChanges(page, { selector: '[role=progressbar][aria-label="Trace progress"]' });
  const steps = await noteChanges(page, { selector: 'h2[role=status]' });
  await page.getByLabel('The leaked copy').setInputFiles(copy);
  const sentence = /^This copy was made from what (Bob )?was shown through the link “For Bob”\. The chance/;
  await expect(page.getByRole('heading', { name: sentence })).toBeVisible({ timeout: 400_000 });
  const percents = (await shares()).map(Number);
  expect([percents.length > 2, percents], 'it goes on by itself, and never back').toEqual([
    true,
    percents.toSorted((a, b) => a - b),
  ]);
  expect(await steps()).toEqual(
    expect.arrayContaining(['Comparing it with 1 item', 'Reading the mark, piece by piece']),
  );
  await expect(page.getByRole('region', { name: 'Link For Bob' })).toContainText('1 visit');
  await expect(page.getByRole('main')).not.toContainText('Anna');

  const both = page.getByRole('region', { name: 'The copy and the original' });
  const leaked = await readPicture(page, both.getByRole('img', { name: 'The leaked copy' }));
  const same = await readPicture(page, both.getByRole('img', { name: 'The same moment of the original' }));
  expect(isDrawn(leaked)).toBe(true);
  // Half a second from here, whatever is seen lies elsewhere: nine levels and more.
  expect(apartOf(leaked, same), 'both show one moment').toBeLessThan(6);
  const lit = await readLit(both.locator('svg:has(rect)'));
  expect(lit.length, 'nearly all of what leaked').toBeGreaterThan(0.9 * (until - from));
  expect([lit[0] ?? 0, lit.at(-1) ?? 0], 'and nothing else').toEqual([from, until - 1]);
  await expect(both).toContainText(`Your video: ${lit.length} of ${seconds} seconds were read`);
  await show(page, 'leak-of-video');
  for (const { phone } of [anna, bob]) await phone.close();
});
