import { randomUUID } from 'node:crypto';
import type { Page, Request } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show, visit } from '../support/showing.ts';
import { signUp } from '../support/signing-up.ts';
import { becomeDemo, makeLink } from '../support/steps.ts';

/** The screens that somebody comes upon seldom: what is missing, what has ended, what went wrong. */
test.setTimeout(300_000);

test('a link as a code for cameras, and what is not there', async ({ page, app }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Kim', recipientName: 'Kim' });
  await visit(page, app, `/magic-links/${link.id}`, /Kim/);
  await page.getByRole('button', { name: 'QR code' }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: /QR code/ })).toBeVisible();
  await show(page, 'qr-code');
  await call(page, app.url, 'POST', '/links/revoke', { linkIds: [link.id] });
  await visit(page, app, `/magic-links/${link.id}`, /Kim/);
  await expect(page.getByRole('button', { name: 'Undo revoke' })).toBeVisible();
  await show(page, 'link-revoked');

  await visit(page, app, `/albums/${randomUUID()}`, 'Oops! Page not found');
  await show(page, 'album-missing');
  await visit(page, app, '/no/such/page', 'Oops! Page not found');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: /, Ana$/ })).toBeVisible({ timeout: 20_000 });
  await visit(page, app, `/magic-links/${randomUUID()}`, /doesn.t exist, or isn.t yours/);
  await show(page, 'link-missing');
});

test('the pages that mailed links lead to', async ({ page, app, browser }) => {
  const email = `mailed-${randomUUID()}@example.com`;
  await call(page, app.url, 'POST', '/sign-up', { email, isAdult: true });
  const { link } = await app.readEmail(email);
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible();
  await show(page, 'confirm-link');

  // Opened where it was not asked for, as a mail app does.
  const other = await browser.newContext();
  const stranger = await other.newPage();
  await stranger.goto(link);
  await stranger.getByRole('button', { name: 'Confirm my email' }).click();
  await expect(stranger.getByRole('heading', { name: 'Enter the code where you started' })).toBeVisible();
  await show(stranger, 'confirm-elsewhere');
  await stranger.goto('about:blank');
  await stranger.goto(`${app.url}/auth?action=confirm`);
  await expect(stranger.getByRole('heading', { name: "This link doesn't work" })).toBeVisible();
  await show(stranger, 'confirm-broken');
  await other.close();
});

test('a new password, by the code of a mail and by its link', async ({ page, app }) => {
  const email = 'creator@example.com';
  await visit(page, app, `/auth?action=set-password&email=${encodeURIComponent(email)}`, 'Create Your Password');
  await show(page, 'create-password-ask');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  await show(page, 'create-password-code');
  // Others look at the demo's links meanwhile, and their letters go to the same address.
  const { link } = await app.readEmail(email, 'action=set-password');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Create Your Password' })).toBeVisible();
  await expect(page.getByLabel('New password')).toBeVisible();
  await expect(page.getByLabel('6-digit code'), 'the link is the proof').toHaveCount(0);
  await show(page, 'create-password-link');
});

test('somebody whose trial has ended, and somebody who gets none', async ({ page, app }) => {
  const [, email = ''] = /sign in\s+(\S+@\S+)/.exec(await app.seed('lapsed')) ?? [];
  await app.become(page, email);
  await visit(page, app, '/albums', "Your subscription isn't active");
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText(/^Your free trial ended on/)).toBeVisible();
  await show(page, 'lapsed');
  await visit(page, app, '/', 'Your free trial has ended');
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(page.getByRole('button', { name: 'Choose plan' })).toBeVisible();
  await show(page, 'pricing-ended');

  await page.context().clearCookies();
  // A mailbox has one trial, under whatever address it comes.
  await signUp(page, app, { email: `admin+${randomUUID()}@example.com` });
  await visit(page, app, '/', 'Subscription required');
  await show(page, 'subscription-required');
});

test('a part of the program that does not come, inside a page and as a page', async ({ page, app }) => {
  await becomeDemo(page, app);
  await expectOneReload(page, app, '/', /\/assets\/studio-home-[^/]*\.js$/);
  await show(page, 'broken');
  await expectMended(page, /\/assets\/studio-home-[^/]*\.js$/, /, Ana$/);
  // Another tab: it has not been reloaded for this build yet.
  await page.evaluate(() => sessionStorage.clear());
  await expectOneReload(page, app, '/albums', /\/assets\/albums-page-[^/]*\.js$/);
  await expectMended(page, /\/assets\/albums-page-[^/]*\.js$/, 'Albums');
});

test('a part of the program that is broken, or that is no program at all, leaves a page with ways on', async ({
  page,
  app,
}) => {
  await becomeDemo(page, app);
  const part = /\/assets\/albums-page-[^/]*\.js$/;
  const failure = page.getByRole('heading', { name: 'Something went wrong on this page' });
  for (const body of [
    'export const meta = () => []; export default function Page() { throw new Error("a bug"); }',
    "<!doctype html><title>A proxy's own page</title>",
  ]) {
    await page.route(part, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await page.goto(`${app.url}/albums`);
    await expect(failure).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('a bug')).toHaveCount(0);
  }
  await show(page, 'something-went-wrong');
  await page.getByRole('button', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: /, Ana$/ })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('link', { name: 'Albums', exact: true }).first().click();
  await expect(failure, 'also on the way there from another page').toBeVisible();
  await page.unroute(part);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Albums' })).toBeVisible({ timeout: 20_000 });
});

/** The program reloads itself once for a part that never comes, and then says so. */
async function expectOneReload(page: Page, app: JourneyApp, to: string, part: RegExp): Promise<void> {
  let loads = 0;
  const count = (request: Request) => {
    if (request.isNavigationRequest()) loads++;
  };
  await page.route(part, (route) => route.abort());
  page.on('request', count);
  await visit(page, app, to, "Part of this page didn't load");
  // Long enough for another turn.
  await page.waitForTimeout(1500);
  page.off('request', count);
  expect(loads, 'tried again by itself, and only once').toBe(2);
}

/** The part is there again: the same button that failed before brings the page. */
async function expectMended(page: Page, part: RegExp, heading: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: "Part of this page didn't load" })).toBeVisible({
    timeout: 20_000,
  });
  await page.unroute(part);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: heading })).toBeVisible({ timeout: 20_000 });
}
