import type { Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';

test.setTimeout(180_000);

/** An invitation, made as an operator makes it. @returns its address and what ends it */
async function invite(app: JourneyApp, ...more: string[]): Promise<{ url: string; id: string }> {
  const said = await app.operate('invite', 'Friends of the house', '--days', '30', ...more);
  const [, token = ''] = /\/free-join\/(\w{22})/.exec(said) ?? [];
  const [, id = ''] = /invite revoke (\S+)/.exec(said) ?? [];
  return { url: `${app.url}/free-join/${token}`, id };
}

/** Nothing keeps anybody from reading it, in light and in dark. */
async function expectReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilCalm(page);
    await expectAccessible(page, `${name} (${colorScheme})`);
  }
}

test('an invitation greets, and who accepts it has a free account after the setup', { tag: '@main' }, async ({
  page,
  app,
}) => {
  const { url } = await invite(app);
  const answer = await page.goto(url);
  expect([answer?.status(), answer?.headers()['referrer-policy']]).toEqual([200, 'no-referrer']);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'You are invited to PrivateFans – free for 30 days. No card.',
  );
  await expectReadable(page, 'invited');
  const email = `guest-${process.pid}@example.com`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const { code } = await app.readEmail(email);
  await page.getByLabel('6-digit code').fill(code);
  await expect(page).toHaveURL(`${app.url}/account/setup`);
  const me = await (await page.request.get(`${app.url}/api/me`)).json();
  expect([me.isFreeUser, me.freeUntil === null]).toEqual([true, false]);

  // Its one place is taken: from now on it has ended, for its guest too.
  expect((await page.goto(url))?.status()).toBe(410);
});

test('an invitation that has ended says so, whatever ended it, without JavaScript too', async ({
  browser,
  page,
  app,
}) => {
  const revoked = await invite(app);
  await app.operate('invite', 'revoke', revoked.id);
  const never = `${app.url}/free-join/${'A'.repeat(22)}`;
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const bare = await plain.newPage();
  const bodies = [];
  for (const url of [revoked.url, never]) {
    const answer = await bare.goto(url);
    expect(answer?.status()).toBe(410);
    bodies.push(await answer?.text());
    await expect(bare.getByRole('heading', { level: 1 })).toHaveText('This invitation has ended.');
    await expect(bare.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth?action=signup');
  }
  expect(bodies[0]).toBe(bodies[1]);
  await plain.close();
  await page.goto(revoked.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This invitation has ended.');
  await expectReadable(page, 'ended');
});

test('a place that somebody else took while the email was on its way leaves the trial', async ({ browser, app }) => {
  const { url } = await invite(app);
  const asked = [];
  for (const name of ['first', 'second']) {
    const phone = await openPhone(browser);
    const page = await phone.newPage();
    const complaints = await collectComplaints(page);
    await page.goto(url);
    const email = `${name}-${process.pid}@example.com`;
    await page.getByLabel('Email').fill(email);
    await page.getByRole('checkbox', { name: /18 years or older/ }).check();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    asked.push({ phone, page, complaints, code: (await app.readEmail(email)).code });
  }
  for (const { page, code } of asked) await page.getByLabel('6-digit code').fill(code);
  const reported = asked.map(({ page }) => page.getByText('This invitation has ended.'));
  for (const { page } of asked) await expect(page).toHaveURL(`${app.url}/account/setup`);
  await expect
    .poll(async () => (await Promise.all(reported.map((words) => words.isVisible()))).filter(Boolean))
    .toHaveLength(1);
  for (const { phone, complaints } of asked) {
    expect(complaints).toEqual([]);
    await phone.close();
  }
});
