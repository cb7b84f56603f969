import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { show } from '../support/showing.ts';

/** The scenes, each by its second and by words that only it has. */
const scenes = [
  [0, 'You sent it to one person.'],
  [9, "A photo can't be unsent."],
  [18, 'What if every link knew who it was for?'],
  [30, 'Create Protected Link'],
  [42, 'People pay for what you choose to show.'],
  [52, 'Something feels wrong? Take it back.'],
  [64, 'ACCESS DENIED'],
  [72, 'Your off switch.'],
] as const;

test('the story goes on at its seconds, tells each scene once and ends at the way in', { tag: '@main' }, async ({
  page,
  app,
}) => {
  const complaints = await collectComplaints(page);
  const reported: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/marketing/recordDemoEvent')) reported.push(request.postDataJSON().json.meta.phase);
  });
  await page.clock.install({ time: '2026-11-21T12:00:00Z' });
  await page.clock.pauseAt('2026-11-21T12:00:01Z');
  await page.goto(`${app.url}/demo`);
  const story = page.getByRole('main');
  // The clock stands until the story has begun.
  await expect(async () => {
    await page.clock.runFor(50);
    expect(await readStory(page)).toBeGreaterThan(0);
  }).toPass();
  let at = await readStory(page);
  const goTo = async (ms: number) => {
    await page.clock.runFor(ms - at);
    at = ms;
  };
  for (const [seconds, words] of scenes) {
    if (seconds > 0) {
      await goTo(1000 * seconds - 200);
      await expect(story, `just before ${seconds}`).not.toContainText(words);
      await goTo(1000 * seconds + 200);
    }
    await expect(story).toContainText(words);
  }
  await page.clock.runFor(60_000);
  await expect(page.getByRole('heading', { level: 2 })).toContainText('Your photos.');
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth?action=signup');
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/');
  expect(reported).toEqual(scenes.map((_, at) => `scene${at + 1}`));
  expect(complaints).toEqual([]);
});

/** Returns how long the story has been told, in milliseconds, by how far its first line is. */
const readStory = async (page: Page): Promise<number> =>
  90 * Number(await page.getByRole('progressbar', { name: 'Scene' }).locator('rect').first().getAttribute('width'));

test('where nothing is to move, texts stand whole, Next leads on and the buttons work', async ({ browser, app }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${app.url}/demo`);
  const story = page.getByRole('main');
  for (const [at, [, words]] of scenes.entries()) {
    await expect(story).toContainText(words);
    await show(page, `demo-${at + 1}`);
    if (at === 3) {
      await page.getByRole('button', { name: 'Create Protected Link' }).click();
      await expect(story.getByRole('status')).toHaveText('Link created and copied');
    }
    if (at === 5) {
      await page.getByRole('button', { name: 'REVOKE' }).click();
      await expect(story.getByRole('status')).toHaveText('Link REVOKED Forever');
    }
    if (at < scenes.length - 1) await page.getByRole('button', { name: 'Next' }).click();
  }
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0);
  await context.close();
});
