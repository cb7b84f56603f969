import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';

const desk = { width: 1280, height: 800 };

/** A browser that is asked and measured: this machine's own memory and line must not decide it. */
async function openDesk(browser: Browser, { memory = 8, line = '4g', viewport = desk } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport });
  await context.addInitScript(
    ([deviceMemory, effectiveType]) => {
      Object.defineProperty(navigator, 'deviceMemory', { value: deviceMemory, configurable: true });
      Object.defineProperty(navigator, 'connection', { value: { effectiveType }, configurable: true });
    },
    [memory, line] as const,
  );
  return context;
}

/** Returns what a page sends of itself. */
function listenToVisits(page: Page): { path: string; utm: object }[][] {
  const calls: { path: string; utm: object }[][] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/marketing/noteVisits'))
      calls.push(JSON.parse(request.postData() ?? '').json.visits);
  });
  return calls;
}

const questionOn = (page: Page) => page.getByRole('region', { name: 'Measuring visits' });
const vidOf = async (context: BrowserContext) => (await context.cookies()).find(({ name }) => name === 'vid');

async function whileCounting(app: JourneyApp, tell: () => Promise<void>): Promise<void> {
  await app.operate('set', 'marketing.countVisits', '1');
  try {
    await tell();
  } finally {
    await app.operate('set', 'marketing.countVisits', '0');
  }
}

test('visits are counted after a yes, with one number for a browser, and forgotten when it is taken back', {
  tag: '@main',
}, async ({ browser, app }) => {
  await whileCounting(app, async () => {
    const context = await openDesk(browser);
    const page = await context.newPage();
    const complaints = await collectComplaints(page);
    const calls = listenToVisits(page);
    await page.goto(`${app.url}/about`);
    await expect(questionOn(page)).toContainText('It stays on this server for a year');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await untilCalm(page);
      await expectAccessible(page, `the question (${colorScheme})`);
    }
    await page.waitForTimeout(600);
    expect([calls.length, await vidOf(context)], 'nothing before an answer').toEqual([0, undefined]);
    await questionOn(page).getByRole('button', { name: 'Yes, count it' }).click();
    await expect.poll(() => vidOf(context)).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const first = await vidOf(context);
    const answered = page.waitForResponse(/noteVisits/);
    await page.goto(`${app.url}/pricing?utm_source=bio&utm_campaign=`);
    await expect(questionOn(page)).toHaveCount(0);
    expect((await answered).status()).toBe(200);
    expect((await vidOf(context))?.value).toBe(first?.value);
    expect(calls.map((visits) => visits.map(({ path, utm }) => [path, utm]))).toEqual([
      [['/about', {}]],
      [['/pricing', { source: 'bio' }]],
    ]);
    // The studio's program tells of its public pages too.
    await page.goto(`${app.url}/auth`);
    await expect.poll(() => calls.at(-1)?.[0]?.path).toBe('/auth');

    await page.goto(`${app.url}/privacy-policy`);
    await expect(page.getByText('your browser gets the cookie “vid”')).toBeVisible();
    await page.getByRole('button', { name: 'Take back my answer about counting visits' }).click();
    await expect(questionOn(page)).toBeVisible();
    expect(await vidOf(context)).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

test('nobody is asked or counted on a phone, a slow line or a weak machine, nor after a no', async ({
  browser,
  app,
}) => {
  await whileCounting(app, async () => {
    for (const face of [{ viewport: { width: 767, height: 900 } }, { line: '3g' }, { memory: 4 }]) {
      const context = await openDesk(browser, face);
      const page = await context.newPage();
      const calls = listenToVisits(page);
      await page.goto(`${app.url}/about`, { waitUntil: 'networkidle' });
      await expect(questionOn(page), JSON.stringify(face)).toBeHidden();
      await context.addCookies([{ name: 'pf_consent', value: 'yes', url: app.url }]);
      await page.goto(`${app.url}/pricing`, { waitUntil: 'networkidle' });
      await page.waitForTimeout(400);
      expect(calls, JSON.stringify(face)).toEqual([]);
      await context.close();
    }
    const context = await openDesk(browser);
    const page = await context.newPage();
    const calls = listenToVisits(page);
    await page.goto(`${app.url}/about`);
    await questionOn(page).getByRole('button', { name: 'No, thanks' }).click();
    await page.goto(`${app.url}/pricing`, { waitUntil: 'networkidle' });
    await page.waitForTimeout(400);
    await expect(questionOn(page)).toHaveCount(0);
    expect([calls, await vidOf(context)]).toEqual([[], undefined]);
    await context.close();
  });
});
