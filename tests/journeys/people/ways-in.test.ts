import type { Locator, Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { startTrial } from '../support/signing-up.ts';
import { becomeDemo } from '../support/steps.ts';

/** The ways in: what is asked, and what is said. */
test.setTimeout(180_000);

test('signing in: what is not asked of the server, and what is said when it says no', async ({ page, app }) => {
  const { email, password } = await app.newCreator(page);
  await page.context().clearCookies();
  const calls = callsTo(page, 'signIn');
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();

  for (const typed of ['mia', 'mia@example', 'mia@ex ample.com', 'a@@b.co', 'a@b.c']) {
    await page.getByLabel('Email').fill(typed);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expectToast(page, 'Invalid Email', 'Please enter a valid email address');
  }
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Enter your password')).toBeVisible();
  expect(calls(), 'nothing of this was asked of the server').toBe(0);

  // Unknown, not confirmed yet, and known with a wrong password: the same words.
  const unconfirmed = `half-${process.pid}@example.com`;
  await call(page, app.url, 'POST', '/sign-up', { email: unconfirmed, isAdult: true });
  for (const [n, who] of [`nobody-${process.pid}@example.com`, unconfirmed, email].entries()) {
    await signIn(page, who, 'not the password');
    await expect.poll(calls).toBe(n + 1);
    await expectToast(page, 'Sign in failed', 'Invalid email or password');
    await expect(page.getByLabel('Password', { exact: true }), 'what was typed stays').toHaveValue('not the password');
  }
  for (let times = 1; times < 5; times++) {
    await signIn(page, email, 'not the password');
    await expect.poll(calls).toBe(3 + times);
    await expectToast(page, 'Sign in failed', 'Invalid email or password');
  }
  await signIn(page, email, password);
  await expectToast(page, 'Sign in failed', /^Too many attempts\. Please wait \d+ seconds?\.$/);
  await page.waitForTimeout(16_000); // as long as it said
  await signIn(page, email, password);
  await expect(page.locator('[data-toast] .sr-only'), 'what is read out').toHaveText('Successfully signed in');
  await expectToast(page, 'Welcome back!', "You've successfully signed in.");
  await expect(page).toHaveURL(`${app.url}/`);
  await expect(page.getByRole('heading', { name: /, Mia$/ })).toBeVisible();
});

test('the trial: both are asked, and nobody learns who is here already', async ({ page, app }) => {
  const known = 'creator@example.com';
  const calls = callsTo(page, 'signUp');
  await page.goto(`${app.url}/auth`);
  await page.getByRole('link', { name: 'New user? Start Free Trial' }).click();
  const start = page.getByRole('button', { name: 'Start Free Trial' });
  const box = page.getByRole('checkbox', {
    name: 'I confirm that I am 18 years or older and agree to the terms of service',
    exact: true,
  });
  await expect(start).toBeDisabled();
  await page.getByLabel('Email').fill('mia@example.com');
  await expect(start, 'without the box').toBeDisabled();
  await box.check();
  await expect(start).toBeEnabled();
  await page.getByLabel('Email').fill(' ');
  await expect(start, 'without an address').toBeDisabled();
  await page.getByLabel('Email').fill('mia@example');
  await start.click();
  await expectToast(page, 'Invalid email', 'Please enter a valid email address');
  expect(calls()).toBe(0);

  const said = [];
  for (const email of [known, `fresh-${process.pid}@example.com`]) {
    // A reload of the same address would ask for the code of the email before.
    await page.goto('about:blank');
    await page.goto(`${app.url}/auth?action=signup`);
    await page.getByLabel('Email').fill(email);
    await box.check();
    await start.click();
    await startTrial(page);
    const words = (await page.getByRole('main').textContent()) ?? '';
    const masked = `${email.slice(0, 1)}•••@example.com`;
    expect(words).toContain(`We sent a link to ${masked}.`);
    said.push(words.replace(masked, 'the address').replace(/Resend.*/, ''));
  }
  expect(said[0], 'the same screen for an address that has an account').toBe(said[1]);
  await expect.poll(async () => (await app.readEmail(known)).subject).toMatch(/already have an account/i);

  await page.getByLabel('6-digit code').fill('000000');
  await expect(
    page
      .getByText(/code/i)
      .filter({ hasText: /wrong|not right|tries|does/i })
      .first(),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Change address' }).click();
  await page.getByRole('link', { name: 'Already have an account? Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('a forgotten password: only the mailed proof sets another, and every other screen is signed out', {
  tag: '@main',
}, async ({ page, app, browser }) => {
  const { email, password } = await app.newCreator(page);
  const phone = await openPhone(browser);
  const other = await phone.newPage();
  await other.goto(`${app.url}/auth`);
  await signIn(other, email, password);
  await expect(other.getByRole('heading', { name: /, Mia$/ })).toBeVisible();
  await other.getByRole('button', { name: 'Your account' }).click();
  await other.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expectToast(other, 'Signed out');
  await expect(other).toHaveURL(`${app.url}/`);

  // The address alone opens nothing: there is no field for a password before the mail was asked for.
  await other.goto(`${app.url}/auth?action=set-password&email=${encodeURIComponent(email)}`);
  await expect(other.getByRole('heading', { name: 'Create Your Password' })).toBeVisible();
  await expect(other.getByText(email)).toBeVisible();
  await expect(other.getByLabel('New password')).toHaveCount(0);
  await other.getByRole('button', { name: 'Send me a link' }).click();
  await expect(other.getByLabel('6-digit code')).toBeVisible();
  await expect.poll(async () => (await app.readEmail(email)).link).toContain('action=set-password');
  const { link } = await app.readEmail(email);
  await other.goto('about:blank');
  await other.goto(link);
  await expect(other, 'the secret leaves the address at once').not.toHaveURL(/#/);
  await other.getByLabel('New password').fill('four calm rivers');
  await other.getByRole('button', { name: 'Save password' }).click();
  await expectToast(other, 'Password saved', 'Every other device was signed out.');
  await expect(other).toHaveURL(`${app.url}/`);
  await page.goto(`${app.url}/albums`);
  await expect(page, 'the first screen is signed out').toHaveURL(/\/auth\?returnTo=%2Falbums$/);
  await signIn(page, email, password);
  await expectToast(page, 'Sign in failed', 'Invalid email or password');
  await signIn(page, email, 'four calm rivers');
  await expect(page, 'and goes where it wanted to go').toHaveURL(/\/albums$/);

  await other.goto(`${app.url}/profile/security`);
  await other.getByRole('button', { name: 'Sign out everywhere' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expectToast(other, 'Signed out', 'Every device is signed out.');
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await phone.close();
});

test('somebody new who came for a page gets there after the setup', async ({ page, app }) => {
  const email = `late-${process.pid}@example.com`;
  await page.goto(`${app.url}/analytics?days=30`);
  await expect(page).toHaveURL(/\/auth\?returnTo=%2Fanalytics%3Fdays%3D30$/);
  await page.getByRole('link', { name: 'New user? Start Free Trial' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await page.getByRole('button', { name: 'Start Free Trial' }).click();
  await startTrial(page);
  await page.getByLabel('6-digit code').fill((await app.readEmail(email)).code);
  await expect(page).toHaveURL(/\/account\/setup\?returnTo=%2Fanalytics%3Fdays%3D30$/);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await page.getByLabel('Password', { exact: true }).fill('three calm rivers');
  await next.click();
  // A page that is asked for meanwhile leads back here, and is the one that is remembered.
  await page.goto(`${app.url}/magic-links`);
  await expect(page).toHaveURL(/\/account\/setup\?returnTo=%2Fmagic-links$/);
  await page.getByLabel('Display name').fill('Late');
  await page.getByLabel('Handle').fill(`late_${process.pid}`);
  await next.click();
  await page.getByLabel('Date of birth').fill('1994-05-01');
  await page.getByRole('checkbox', { name: /only person shown/ }).check();
  await next.click();
  await page.getByRole('button', { name: /Continue/ }).click();
  await expectToast(page, 'Account Created!', 'Welcome to PrivateFans™');
  await expect(page).toHaveURL(`${app.url}/magic-links`);
});

test('on a phone every page of visitors has the same bar, also when a part of it does not come', async ({
  app,
  browser,
}) => {
  const phone = await openPhone(browser);
  const page = await phone.newPage();
  const places = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  for (const to of [
    '/',
    '/pricing',
    '/auth',
    '/auth?action=signup',
    '/auth?action=forgot',
    '/terms-of-use',
    '/nothing',
  ]) {
    await page.goto(app.url + to);
    await expect(places(), to).toHaveText(['Home', 'Pricing', 'Demo', 'Sign in']);
    await expectFootFree(page, places().first());
  }
  await page.route(/\/assets\/auth-page-[^/]*\.js$/, (route) => route.abort());
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('heading', { name: "Part of this page didn't load" })).toBeVisible();
  await places().filter({ hasText: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One plan, everything in it');

  await becomeDemo(page, app);
  await page.goto(`${app.url}/nothing`);
  await expect(places().filter({ visible: true })).toHaveText(['Home', 'Albums', 'Earnings', 'Profile']);
  await phone.close();
});

/** The page's last words can be scrolled from under the bar. */
async function expectFootFree(page: Page, place: Locator): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const bar = await place.boundingBox();
  const lowest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('main a, main button, footer a')].map(
        (one) => one.getBoundingClientRect().bottom,
      ),
    ),
  );
  expect(lowest, page.url()).toBeLessThanOrEqual(bar?.y ?? 0);
}

/** Counts what a page asks of one procedure of the accounts. */
function callsTo(page: Page, procedure: string): () => number {
  let calls = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/rpc/accounts/${procedure}`) calls++;
  });
  return () => calls;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** A notice in exactly these words; it is put away, so that the next one is another. */
async function expectToast(page: Page, title: string, message?: string | RegExp): Promise<void> {
  const toast = page.locator('[data-toast]').filter({ has: page.locator('strong', { hasText: exactly(title) }) });
  await expect(toast).toBeVisible();
  if (message !== undefined) await expect(toast.locator('strong + span')).toHaveText(message);
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
}

const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
