import { type Browser, expect, type Page } from '@playwright/test';
import type { JourneyApp } from './app.ts';
import { call } from './calls.ts';
import { show, visit } from './showing.ts';
import { signUp } from './signing-up.ts';
import { setUpTwoStep } from './two-step.ts';

/** Makes whoever signs up in this browser an administrator with a second factor, given in this session. */
export async function becomeAdministrator(page: Page, app: JourneyApp, scopes = 'owner'): Promise<void> {
  const { email, password } = await signUp(page, app, { displayName: 'Operator' });
  await setUpTwoStep(page, app.url, password);
  await app.operate('admin', email, '--scopes', scopes);
}

/** Sends something to support, a report and an application as a partner, as somebody without an account. */
async function writeToUs(
  browser: Browser,
  app: JourneyApp,
): Promise<{ support: string; report: string; email: string }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(app.url);
  const email = `lea-${Date.now()}@example.com`;
  const message = 'I asked for a code twice and nothing came.\nNot in spam either.';
  const support = await call<{ number: string }>(page, app.url, 'POST', '/support-requests', {
    name: 'Lea',
    email,
    subject: 'I never got my code',
    message,
  });
  const report = await call<{ number: string }>(page, app.url, 'POST', '/reports', {
    kind: 'other',
    target: 'https://example.com/somewhere-else',
    details: 'This page sells my pictures under another name.',
    onBehalf: 'self',
    name: 'Lea Example',
    email,
    isInGoodFaith: true,
  });
  const audience = 'Creators whose albums I help with, in a newsletter.';
  await call(page, app.url, 'POST', '/affiliate-applications', { name: 'Lea', email, audience, marksAds: true });
  await context.close();
  return { support: support.number, report: report.number, email };
}

/** Has the bank of whoever paid an order dispute it. @returns the dispute's id as the desk knows it */
async function disputeOrder(page: Page, app: JourneyApp, order: string): Promise<string> {
  await page.request.post(`${app.url}/dev/disputes`, { form: { order } });
  let disputeId = '';
  await expect(async () => {
    const listed = await call<{ disputes: { disputeId: string }[] }>(page, app.url, 'GET', '/admin/disputes');
    disputeId = listed.disputes[0]?.disputeId ?? '';
    expect(disputeId).not.toBe('');
  }).toPass({ timeout: 60_000 });
  return disputeId;
}

/** Takes a picture of every page of the operator's desk. */
export async function tourDesk(page: Page, app: JourneyApp, browser: Browser): Promise<void> {
  await becomeAdministrator(page, app);
  const { support, report, email } = await writeToUs(browser, app);
  const { partners } = await call<{ partners: { id: string; name: string }[] }>(
    page,
    app.url,
    'GET',
    '/admin/affiliates',
  );
  const partner = partners.find(({ name }) => name === 'Lea')?.id;
  const { orders } = await call<{ orders: { id: string }[] }>(page, app.url, 'POST', '/admin/orders/find', {});
  const dispute = await disputeOrder(page, app, orders[0]?.id ?? '');
  const { requests } = await call<{ requests: { id: string }[] }>(page, app.url, 'GET', '/admin/requests');
  const me = await call<{ user: { id: string } }>(page, app.url, 'GET', '/me');
  for (const [address, heading, name] of [
    ['/admin', 'Admin', 'admin'],
    ['/admin/users', 'People', 'admin-users'],
    [`/admin/users/${me.user.id}`, 'Operator', 'admin-account'],
    [`/admin/mails#${encodeURIComponent(email)}`, 'Emails', 'admin-mails'],
    ['/admin/functions', 'Functions', 'admin-functions'],
    ['/admin/audit-buttons', 'Buttons', 'admin-audit-buttons'],
    ['/admin/junk', 'Junk', 'admin-junk'],
    ['/admin/nervecheck', 'Nervecheck', 'admin-nervecheck'],
    ['/diagram/installation', 'This installation', 'diagram-installation'],
    ['/admin/debug', 'Debug', 'admin-debug'],
    ['/admin/audit', 'Audit', 'admin-audit'],
    ['/admin/settings', 'Settings', 'admin-settings'],
    ['/admin/settings/claims', 'Claims', 'admin-claims'],
    ['/admin/settings/invitations', 'Join links', 'admin-invitations'],
    ['/admin/test', 'Full check', 'admin-fullcheck'],
    ['/test-access', 'This browser', 'test-access'],
    ['/test-auth', 'Session and role', 'test-auth'],
    ['/test-payment', 'Payments', 'test-payment'],
    ['/admin/payments', 'Payments', 'admin-payments'],
    [`/admin/payments/orders/${orders[0]?.id}`, /\$/, 'admin-payment'],
    ['/admin/payments/disputes', 'Payments', 'admin-disputes'],
    [`/admin/payments/disputes/${dispute}`, /\$/, 'admin-dispute'],
    ['/admin/payments/requests', 'Payments', 'admin-requests'],
    [`/admin/payments/requests/${requests[0]?.id}`, /./, 'admin-request'],
    ['/admin/payments/payouts', 'Payments', 'admin-payouts'],
    ['/admin/payments/events', 'Payments', 'admin-provider-events'],
    ['/admin/payments/books', 'Payments', 'admin-books'],
    ['/admin/affiliates', 'Partners', 'admin-partners'],
    [`/admin/affiliates/${partner}`, 'Lea', 'admin-partner'],
    ['/admin/affiliates/pay', 'Pay partners', 'admin-partner-pay'],
    ['/admin/support', 'Support', 'admin-support'],
    [`/admin/support/${support}`, 'I never got my code', 'admin-support-case'],
    ['/admin/moderation', 'Reports', 'admin-moderation'],
    [`/admin/moderation/${report}`, `Report ${report}`, 'admin-report'],
  ] as const) {
    await visit(page, app, address, heading);
    await show(page, name);
  }
}
