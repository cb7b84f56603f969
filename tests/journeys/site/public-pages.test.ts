import type { Browser, Page, Response } from '@playwright/test';
import { sitePages } from '../../../src/features/marketing/site-pages.ts';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';

/** The words of each page's one headline. */
const headlines = new Map([
  ['/', 'Secure, No-Leak Private Albums'],
  ['/pricing', 'One plan, everything in it'],
  ['/demo', 'PrivateFans in eight scenes'],
  ['/help', 'Help'],
  ['/about', 'Private by design, honest by habit'],
  ['/creator-safety', 'Your safety comes first'],
  ['/onlyfans-alternative', 'A private alternative to OnlyFans'],
  ['/comparison', 'Side by side, with sources'],
  ['/signup', 'Recommend what you trust'],
  ['/diagram', 'Follow one photo from you to a viewer'],
  ['/contact', 'Contact'],
  ['/report', 'Report a picture'],
  ['/terms-of-use', 'Terms of use'],
  ['/acceptable-use', 'Content policy'],
  ['/privacy-policy', 'Privacy policy'],
  ['/dmca', 'Copyright and DMCA'],
]);

const open = async (browser: Browser, { url }: JourneyApp, address: string, options = {}) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const answer = await page.goto(url + address);
  return { context, page, answer };
};

/** Where the links of a page lead, within the site. */
const linksOf = (page: Page) =>
  page
    .locator('a[href^="/"]')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));

test('every public page is there without JavaScript: one headline, what is told of it, and ways that lead somewhere', {
  tag: '@main',
}, async ({ browser, app }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const leads = new Set<string>();
  for (const { address } of sitePages) {
    expect((await page.goto(app.url + address))?.status(), address).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText([headlines.get(address) ?? '']);
    const head = (selector: string, name: string) => page.locator(`head ${selector}`).getAttribute(name);
    expect(await head('link[rel="canonical"]', 'href')).toBe(app.url + address);
    expect(await head('link[rel="manifest"]', 'href')).toBe('/manifest.webmanifest');
    expect((await head('meta[name="description"]', 'content'))?.length ?? 0, address).toBeGreaterThan(30);
    const card = await page.request.get((await head('meta[property="og:image"]', 'content')) ?? '');
    expect([card.status(), card.headers()['content-type']], address).toEqual([200, 'image/jpeg']);
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
    for (const to of await linksOf(page)) leads.add(to);
  }
  for (const to of leads) expect((await page.request.get(app.url + to)).status(), to).toBe(200);
  expect([...leads]).toEqual(expect.arrayContaining(sitePages.map(({ address }) => address)));
  await context.close();
});

test('what robots are told is true: each page on the map is there, and is not asked to be left out', {
  tag: '@main',
}, async ({ page, app }) => {
  const map = await (await page.request.get(`${app.url}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
  expect(listed).toEqual(sitePages.map(({ address }) => app.url + address));
  for (const address of listed) {
    const answer = await page.request.get(address);
    expect([address, answer.status(), answer.headers()['x-robots-tag']]).toEqual([address, 200, undefined]);
  }
  const robots = await (await page.request.get(`${app.url}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${app.url}/sitemap.xml`);
  expect(robots).not.toContain('/view');
});

test('where no page is, two sentences and a way home, without JavaScript too', async ({ browser, app }) => {
  const { context, page, answer } = await open(browser, app, '/not-a-page', { javaScriptEnabled: false });
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(`${app.url}/`);
  await context.close();
});

test('the home page is light: bytes by kind, and nothing moves while it comes', async ({ browser, app }) => {
  for (const context of [await browser.newContext(), await openPhone(browser)]) {
    const page = await context.newPage();
    const complaints = await collectComplaints(page);
    const answers: Response[] = [];
    // What a HEAD says of a body is counted as one, and none comes.
    page.on('response', (response) => {
      if (response.request().method() !== 'HEAD') answers.push(response);
    });
    await noteShifts(page);
    await page.goto(app.url, { waitUntil: 'load' });
    await page.waitForTimeout(2500);
    const sizes = await Promise.all(
      answers.map(async (one) => ({ url: one.url(), bytes: (await one.request().sizes()).responseBodySize })),
    );
    const sum = (ending: RegExp) =>
      sizes.filter(({ url }) => ending.test(url)).reduce((total, { bytes }) => total + bytes, 0);
    expect(sum(/\.js$/), 'bytes of scripts').toBeLessThanOrEqual(40_000);
    expect(sum(/./), 'bytes of all').toBeLessThanOrEqual(200_000);
    expect(sizes.every(({ url }) => url.startsWith(app.url))).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  }
});

/** Sums up how far things are pushed about, from the first frame on. */
const noteShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as unknown as { shifts: number }).shifts += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

test('on a phone the bar at the foot covers nothing of the first screen', async ({ browser, app }) => {
  const phone = await openPhone(browser);
  const page = await phone.newPage();
  for (const [width, height] of [
    [390, 844],
    [360, 740],
    [430, 932],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(app.url);
    const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    const picture = await page.getByRole('img', { name: /A private album on a phone/ }).boundingBox();
    expect((picture?.y ?? 0) + (picture?.height ?? 0), `${width}×${height}`).toBeLessThanOrEqual(bar?.y ?? 0);
  }
  await phone.close();
});

test('nothing keeps anybody from reading a public page, in light and in dark', async ({ page, app }) => {
  for (const address of [...sitePages.map((each) => each.address), '/not-a-page']) {
    await page.goto(app.url + address);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await untilCalm(page);
      await expectAccessible(
        page,
        `${address} (${colorScheme})`,
        colorScheme === 'light' ? {} : { runOnly: 'color-contrast' },
      );
    }
  }
});

test('a stage of the diagram is shown when it is chosen, by hand and by key, without JavaScript', async ({
  browser,
  app,
}) => {
  const { context, page } = await open(browser, app, '/diagram', { javaScriptEnabled: false });
  const shown = page.getByRole('group').getByRole('heading', { level: 2 });
  await expect(shown).toHaveText(['You choose a photo']);
  await page.locator('label', { hasText: 'Revoke' }).click();
  await expect(page.getByRole('radio', { name: 'Revoke', exact: true })).toBeChecked();
  await expect(shown).toHaveText(['You take it back']);
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText(['A copy names its link']);
  await context.close();
});

test('prices, the name of the operator and confirmed claims are in the pages as soon as they are in force', async ({
  browser,
  app,
}) => {
  const { context, page } = await open(browser, app, '/', { javaScriptEnabled: false });
  await expect(page.getByText('Sample figures').first()).toBeVisible();
  await expect(page.getByText('to undo a revoke that you regret')).toBeVisible();
  await app.operate('set', 'plan.priceCents', '450');
  try {
    await page.reload();
    await expect(page.getByText('7 days free, then $4.50 a month. No card needed.').first()).toBeVisible();
    expect(await page.locator('script[type="application/ld+json"]').textContent()).toContain('"price":"4.50"');
  } finally {
    await app.operate('set', 'plan.priceCents', '399');
  }
  await context.close();
});

test('what goes wrong in a public page is told to the operator once, without what its address asks for', async ({
  page,
  app,
}) => {
  const reported: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/support/logError')) reported.push(request.postDataJSON());
  });
  await page.goto(`${app.url}/about?from=somebody`);
  await page.evaluate(() => {
    for (const _time of [1, 2])
      setTimeout(() => {
        throw new TypeError('a part of the page broke');
      });
    void Promise.reject(new Error('a promise broke'));
  });
  await expect.poll(() => reported.length).toBe(2);
  await page.waitForTimeout(500);
  expect(reported).toHaveLength(2);
  expect(JSON.stringify(reported)).toContain('TypeError: a part of the page broke');
  expect(reported).toMatchObject([{ json: { url: '/about' } }, { json: { url: '/about' } }]);
});
