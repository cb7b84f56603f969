import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listOwnProcesses } from '../../support/database/own-processes.ts';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, test } from '../support/app.ts';
import { listItems, openNewAlbum } from '../support/calls.ts';
import { noteChanges } from '../support/changing.ts';

/*
 * A video on its way, as its creator sees it: in percent, until it is ready or she does not want it any more.
 */
if (!canDrawClips) warnNoClips();
test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
const folder = mkdtempSync(path.join(tmpdir(), 'pf-making-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const percents = { selector: 'main li button', words: /Processing… \d+%/ };
const numberOf = (words: string) => Number(/\d+/.exec(words)?.[0]);
const patience = { timeout: 400_000, intervals: [250] };

test('a video tells its percents by itself, can be taken back meanwhile, and the next one is made at once', async ({
  page,
  app,
}) => {
  test.setTimeout(1_200_000);
  const long = path.join(folder, 'long.mp4');
  const hard = ['-preset', 'ultrafast', '-vf', 'noise=alls=24:allf=t', '-crf', '36'];
  writeFileSync(long, drawClip({ seconds: 75, width: 1280, height: 720, also: hard }));
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'On its way');
  const statesOf = async () => (await listItems(page, app.url, albumId)).map(({ state }) => state);
  const videos = page.getByRole('button', { name: /^Video \d of/ });

  await test.step('the percents move while nobody touches the page', async () => {
    const shown = await noteChanges(page, percents);
    await page.getByLabel('Photos to upload').setInputFiles(long);
    await expect.poll(async () => new Set(await shown()).size, patience).toBeGreaterThanOrEqual(3);
    const numbers = (await shown()).map(numberOf);
    expect(numbers, 'never back').toEqual(numbers.toSorted((a, b) => a - b));
    expect(await statesOf()).toEqual(['processing']);
  });

  await test.step('taken back, it is gone from the page and nothing works on it any more', async () => {
    expect(listOwnProcesses('ffmpeg'), 'somebody works on it').not.toEqual([]);
    await videos.click();
    const dialog = page.getByRole('dialog', { name: 'long.mp4', exact: true });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(videos).toHaveCount(0);
    await expect(page.getByText(/Processing…/)).toHaveCount(0);
    // A minute of work was left at least.
    await expect.poll(() => listOwnProcesses('ffmpeg'), { timeout: 20_000 }).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'On its way', level: 1 })).toBeVisible();
    await expect(videos).toHaveCount(0);
    expect(await statesOf()).toEqual([]);
  });

  await test.step('the next video has its turn, and stands ready without a reload', async () => {
    const short = path.join(folder, 'short.mp4');
    writeFileSync(short, drawClip({ seconds: 3 }));
    await page.getByLabel('Photos to upload').setInputFiles(short);
    await expect(page.getByRole('button', { name: 'Video 1 of 1', exact: true })).toBeVisible(patience);
    await expect(page.getByText(/Processing…/)).toHaveCount(0);
    await expect(page.locator('figure[data-painted]')).toHaveCount(1, { timeout: 60_000 });
    expect(await statesOf()).toEqual(['ready']);
  });
});
