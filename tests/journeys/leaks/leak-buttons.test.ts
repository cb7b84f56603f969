import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { paintJpeg } from '../../support/media/paint.ts';
import { expect, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { noteChanges } from '../support/changing.ts';
import { untilCalm } from '../support/looking.ts';
import { show } from '../support/showing.ts';
import { enter, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-leak-buttons-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const photos = 4;

async function takePhotos(): Promise<string[]> {
  const files = Array.from({ length: photos }, (_, n) => path.join(folder, `photo-${n}.jpg`));
  for (const [n, file] of files.entries()) await writeFile(file, await paintJpeg(20 + n, 1600, 1200));
  return files;
}

/** What everybody hears who may not know more. */
async function expectNeutral(viewer: Page): Promise<void> {
  await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible({ timeout: 20_000 });
  await expect(viewer.getByText('It may have expired or been turned off by its owner.')).toBeVisible();
  await expectDark(viewer);
}

/** The code in the visible mark of this viewer, as the server tells it to whoever opens: read on its way, for a browser keeps no stream. */
async function codeOf(viewer: Page): Promise<string> {
  const code = Promise.withResolvers<string>();
  await viewer.route('**/open', async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    const [, found] = / · ([0-9A-F]{8})"/.exec(body.toString()) ?? [];
    if (found !== undefined) code.resolve(found);
    await route.fulfill({ response: answer, body });
  });
  return code.promise;
}

const tapOpen = (viewer: Page) => viewer.getByRole('button', { name: 'Open', exact: true }).click();

test('a trace tells how far it is; who is named in it can be blocked there, everywhere, and let in again', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(600_000);
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Golden hour', await takePhotos());
  const [forAnna, forBob] = [
    await makeLink(page, app.url, { recipientName: 'Anna', linkName: 'For Anna' }),
    await makeLink(page, app.url, { recipientName: 'Bob', linkName: 'For Bob' }),
  ];
  const [ofAnna, ofBob] = [await openDoor(browser, forAnna.url), await openDoor(browser, forBob.url)];
  const [anna, bob] = [ofAnna.viewer, ofBob.viewer];
  await enter(anna, photos);
  const [code] = await Promise.all([codeOf(bob), enter(bob, photos)]);
  await bob.getByRole('button', { name: `Photo 1 of ${photos}` }).click();
  await expect(bob.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  const copy = path.join(folder, 'copy.png');
  await untilCalm(bob);
  await bob.screenshot({ path: copy, scale: 'device' });

  await test.step('the code in the visible mark leads to its view; what is none is said beside the field', async () => {
    await page.getByRole('link', { name: 'Found a leak?' }).click();
    const field = page.getByLabel('Code in the picture');
    await field.fill('Bob');
    await field.press('Enter');
    await expect(page.getByText('A code is eight characters: digits and the letters A to F.')).toBeVisible();
    await field.fill(`Somebody · ${code.toLowerCase()}`);
    await field.press('Enter');
    const views = page.getByRole('list', { name: `Views with the code ${code}` });
    await expect(views.getByRole('listitem')).toHaveText(/Bob.*Through “For Bob”/);
    await show(page, 'leaks-code');
    await views.getByRole('link', { name: 'Bob' }).click();
    await expect(page.getByRole('heading', { name: 'For Bob', level: 1 })).toBeVisible();
    await page.goBack();
  });

  await test.step('how far it is moves by itself, from its turn to its answer', async () => {
    await expect(page.getByText('No copies checked yet.')).toBeVisible();
    const words = await noteChanges(page, {
      selector: 'h2',
      words: /^(?:Waiting its turn|Comparing it with .+|Reading the mark, piece by piece|This copy was made .+)$/,
    });
    const shares = await noteChanges(page, { selector: '[role="progressbar"][aria-label="Trace progress"]' });
    await page.getByLabel('The leaked copy').setInputFiles(copy);
    await expect(
      page.getByRole('heading', { name: /^This copy was made from what .* through the link “For Bob”\./ }),
    ).toBeVisible({
      timeout: 300_000,
    });
    process.stdout.write(`    trace: ${(await words()).join(' > ')} | ${(await shares()).join(', ')}\n`);
    const numbers = (await shares()).map(Number);
    expect(numbers, 'never back').toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size, 'more than one length of the line').toBeGreaterThanOrEqual(2);
    expect(
      numbers.filter((share) => share > 2 && share < 100),
      'seen in the middle of the work',
    ).not.toEqual([]);
    expect((await words()).at(-1)).toMatch(/^This copy was made/);
    expect((await words()).slice(0, -1).join(), 'and what is done').toMatch(/Comparing|Reading/);
  });

  const card = page.getByRole('region', { name: 'Link For Bob' });
  const block = card.getByRole('button', { name: 'Block viewer' });
  const unblock = card.getByRole('button', { name: 'Unblock' });

  await test.step('asked first, and nothing happens to who changes her mind', async () => {
    await block.click();
    const dialog = page.getByRole('dialog', { name: /^Block .+\?$/ });
    await expect(dialog).toContainText('None of your links will open for this viewer');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(unblock).toHaveCount(0);
    await expect(bob.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1);
  });

  await test.step('blocked: the open screen closes, and no door of hers opens for this browser', async () => {
    await block.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block viewer' }).click();
    await expect(page.getByText(/ is blocked\.$/)).toBeVisible();
    await expect(card.getByText('Blocked', { exact: true })).toBeVisible();
    await expectNeutral(bob);
    for (const { url } of [forBob, forAnna]) {
      await bob.goto(url);
      await tapOpen(bob);
      await expectNeutral(bob);
    }
    await expect(card.getByRole('button', { name: 'Revoke link' }), 'the link itself stays').toBeVisible();
    await expectPainted(anna, photos);
  });

  await test.step('unblocked: the same door opens again, without a reload of the studio', async () => {
    await unblock.click();
    await expect(page.getByText(/ is unblocked\.$/)).toBeVisible();
    await expect(card.getByText('Blocked', { exact: true })).toHaveCount(0);
    await expect(block).toBeVisible();
    await bob.goto(forBob.url);
    await tapOpen(bob);
    await expectPainted(bob, photos);
  });
  for (const { phone } of [ofAnna, ofBob]) await phone.close();
});
