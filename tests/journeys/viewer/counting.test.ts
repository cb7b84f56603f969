import type { Browser, Page } from '@playwright/test';
import { asPerson, findBrowser } from '#tests/support/browser.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { becomeDemo, enter, listLinks, makeLink, renewNow } from '../support/steps.ts';

test('a browser that a program drives sees the album and is listed as a program; a person beside it is counted', async ({
  page,
  app,
  browser,
  playwright,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Seen by two' });
  const { executablePath, args, env } = await findBrowser();
  const driven = await playwright.chromium.launch({
    executablePath,
    args: args.filter((flag) => flag !== asPerson),
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const person = await look(browser, link.url);
  const program = await look(driven, link.url);
  expect(await Promise.all([person, program].map((viewer) => viewer.evaluate(() => navigator.webdriver)))).toEqual([
    false,
    true,
  ]);
  // A view counts after two seconds. A renewal brings word of it; a visit that is not over is told with its reason all the same.
  await person.waitForTimeout(2500);
  await Promise.all([person, program].map(renewNow));
  const countViews = async () => (await listLinks(page, app.url)).find(({ id }) => id === link.id)?.viewsCount;
  await expect.poll(countViews, { timeout: 30_000 }).toBe(1);
  await page.goto(`${app.url}/analytics`);
  await page.getByRole('radio', { name: 'Not counted' }).click();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Seen by two' }).filter({ hasText: 'A bot, not a person' }),
  ).toBeVisible({ timeout: 20_000 });
  expect(await countViews()).toBe(1);
  await driven.close();
});

/** Opens a link on a phone and looks at its first photo. */
async function look(opener: Browser, address: string): Promise<Page> {
  const viewer = await (await openPhone(opener)).newPage();
  await viewer.goto(address);
  await enter(viewer, 8);
  await viewer.getByRole('button', { name: /^Photo 1 of 8/ }).click();
  return viewer;
}
