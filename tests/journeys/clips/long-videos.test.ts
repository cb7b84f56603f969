import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { slowDown } from '../support/noise.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { becomeDemo } from '../support/steps.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-videos-'));
const pictures = pictureFiles('dunes');
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.setTimeout(180_000);

const megabyte = 2 ** 20;

/** Begins like a video, and is longer than a phone has room for twice. */
function makeVideo(name: string, megabytes: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, Buffer.from(`\0\0\0\x18ftypisom\0\0\x02\0isomiso2${name}`, 'latin1'));
  truncateSync(file, megabytes * megabyte);
  return file;
}

/** Returns what this browser wrote down of the files that were picked. */
const readKept = (page: Page): Promise<{ name: string; hasFile: boolean }[]> =>
  page.evaluate(
    () =>
      new Promise((reported) => {
        const opening = indexedDB.open('pf-uploads', 1);
        opening.onsuccess = () => {
          const all = opening.result.transaction('files').objectStore('files').getAll();
          all.onsuccess = () => {
            opening.result.close();
            reported(all.result.map((kept) => ({ name: kept.name, hasFile: kept.file !== undefined })));
          };
        };
      }),
  );

test('long videos that were picked are asked for after a reload, also those that were still waiting', async ({
  page,
  app,
}) => {
  const videos = [1, 2, 3, 4].map((n) => makeVideo(`Video ${n}.mp4`, 260));
  const [, , third = '', fourth = ''] = videos;
  const other = makeVideo('Other.mp4', 261);
  await becomeDemo(page, app);
  await openNewAlbum(page, app.url, 'Long videos');
  await slowDown(page, 3 * megabyte);
  const pick = page.getByLabel('Photos to upload');
  await pick.setInputFiles([...videos, ...pictures]);
  const tile = (name: string) => page.getByRole('listitem', { name });
  await expect(tile('Video 1.mp4')).toHaveAttribute('aria-label', /[1-9]\d* MB of/, { timeout: 60_000 });
  await expect(tile('Video 4.mp4')).toHaveAttribute('aria-label', /Waiting/);
  const kept = await readKept(page);
  expect(kept.filter(({ hasFile }) => hasFile).map(({ name }) => name)).toEqual([path.basename(pictures[0] ?? '')]);
  expect(kept).toHaveLength(5);

  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Choose it again' })).toHaveCount(4, { timeout: 30_000 });
  await expect(tile('Video 1.mp4')).toContainText('Choose it again to continue.');
  await expect(tile('Video 4.mp4')).toContainText("It hasn't been sent yet. Choose it again to start.");
  await page.getByLabel('The file Video 4.mp4').setInputFiles(other);
  await expect(page.getByText("That's a different file. Choose Video 4.mp4 again.")).toBeVisible();
  await page.getByLabel('The file Video 4.mp4').setInputFiles(fourth);
  await expect(tile('Video 4.mp4')).toHaveAttribute('aria-label', /MB of/, { timeout: 60_000 });
  // Also from the album's own picker: it is known again, and takes one place only.
  await pick.setInputFiles([third]);
  // For a moment both are there: the one that is asked for, and the one that is read to know it again.
  const goingOn = page.getByRole('listitem', { name: /Video 3\.mp4: (?!.*Choose it again).*MB of/ });
  await expect(goingOn).toHaveCount(1, { timeout: 60_000 });
  await expect(tile('Video 3.mp4')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Choose it again' })).toHaveCount(2);
  for (const video of videos) await page.getByRole('button', { name: `Remove ${path.basename(video)}` }).click();
  await expect(page.getByRole('listitem', { name: /Video/ })).toHaveCount(0);
  const left = async () => (await readKept(page)).filter(({ name }) => name.startsWith('Video'));
  await expect.poll(left).toEqual([]);
});
