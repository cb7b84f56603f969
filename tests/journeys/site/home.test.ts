import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { becomeDemo } from '../support/steps.ts';

/** Returns how far things have been pushed about since the page came. */
const readShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 300);
      }),
  );

test('signed out, / is there without JavaScript: words, price, doors and answers', { tag: '@main' }, async ({
  browser,
  app,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Secure, No-Leak Private Albums', level: 1 })).toBeVisible();
  await expect(page.getByText('7 days free, then $3.99 a month. No card needed.').first()).toBeVisible();
  for (const name of ['Try FREE', 'Start Free Trial'])
    await expect(page.getByRole('link', { name }).first()).toHaveAttribute('href', '/auth?action=signup');
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
  await page.getByText('Can I take a link back?').click();
  await expect(page.getByText('open screens close within 30 seconds')).toBeVisible();

  await page.getByRole('link', { name: 'View All Features' }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One plan, everything in it');
  await expect(page.getByText('$3.99', { exact: true })).toBeVisible();
  const terms = page.getByRole('region', { name: 'Your terms' });
  await expect(terms).toContainText('7 days free, then $3.99 a month. No card needed.');
  await expect(terms).toContainText('No credit card required, cancel anytime');
  await expect(terms.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth?action=signup');
  await expect(page.getByText('10% of what viewers pay you')).toBeVisible();
  await context.close();
});

test("its tab has a picture, and so has a creator's page", async ({ page, app }) => {
  for (const path of ['', '/@nobody_is_here']) {
    const html = await (await page.request.get(`${app.url}${path}`)).text();
    const [, icon = 'none'] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const answer = await page.request.get(`${app.url}${icon}`);
    expect([answer.status(), answer.headers()['content-type']], path).toEqual([200, 'image/svg+xml']);
    expect(await answer.text()).toContain('<svg');
  }
});

test('what people agree to can be read without JavaScript, from the foot of the page and from the sign-up', async ({
  browser,
  app,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [name, address] of [
    ['Terms of use', '/terms-of-use'],
    ['Content policy', '/acceptable-use'],
    ['Privacy policy', '/privacy-policy'],
    ['Copyright and DMCA', '/dmca'],
  ] as const) {
    await page.goto(app.url);
    await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name, exact: true }).click();
    expect(new URL(page.url()).pathname).toBe(address);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByText("this installation's operator").first()).toBeVisible();
  }
  await context.close();
});

test('who runs the place stands in its terms, and the sign-up leads to them', async ({ page, app }) => {
  const complaints = await collectComplaints(page);
  await page.goto(`${app.url}/auth?action=signup`);
  const terms = page.getByRole('link', { name: 'terms of service' });
  await expect(terms).toHaveAttribute('href', '/terms-of-use');
  await page.goto(`${app.url}/terms-of-use`);
  await expect(page.getByText('This installation is a sandbox')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a visitor gets a door to the demo, and nothing of the page moves', async ({ page, app }) => {
  const complaints = await collectComplaints(page);
  await becomeDemo(page, app);
  await page.context().clearCookies();
  await page.goto(app.url);
  const door = page.getByRole('link', { name: 'Open the demo album' });
  await expect(door).toHaveAttribute('href', /\/view\/[A-Za-z0-9-]{12,}$/);
  expect(await readShift(page)).toBeLessThan(0.01);
  expect(complaints).toEqual([]);
  await door.click();
  await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeVisible();
});

test('signed in, / is the dashboard at once; a session that ended shows the landing page', async ({ page, app }) => {
  const complaints = await collectComplaints(page);
  await becomeDemo(page, app);
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: /^Good (morning|afternoon|evening), Ana$/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Latest links' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByText('Trial: 7 days left')).toBeVisible();
  expect(await readShift(page)).toBeLessThan(0.01);
  await page.goto(`${app.url}/pricing`);
  await expect(page.getByRole('heading', { name: /^Your free trial ends on/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toHaveCount(0);
  expect(complaints).toEqual([]);

  const [session] = (await page.context().cookies()).filter(({ name }) => name.endsWith('session_token'));
  await page.context().clearCookies();
  await page.context().addCookies([{ name: session?.name ?? '', value: 'of-nobody', url: app.url }]);
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Secure, No-Leak Private Albums' })).toBeVisible();
});

test('signing out from the dashboard leads home, and home is the landing page', async ({ page, app }) => {
  await becomeDemo(page, app);
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByText('Signed out')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Secure, No-Leak Private Albums' })).toBeVisible();
  await page.goto(`${app.url}/analytics`);
  await expect(page).toHaveURL(/\/auth\?returnTo=%2Fanalytics$/);
});
