import { expect, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { startTrial } from '../support/signing-up.ts';

/** What somebody changes about herself, by the buttons of her own pages. */
test('a name, a session elsewhere and a password are changed on the pages of the profile', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  const { email, password } = await app.newCreator(page);
  const asMe = () => call<{ user: { displayName: string } | null }>(page, app.url, 'GET', '/me');
  await page.goto(`${app.url}/profile`);
  await page.getByLabel('Display name').fill('Mia of the lake');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect((await asMe()).user?.displayName).toBe('Mia of the lake');
  await page.reload();
  await expect(page.getByLabel('Display name')).toHaveValue('Mia of the lake');

  // Signed in on a phone as well: that session alone is ended.
  const signIn = async (typed: string) => {
    const phone = await openPhone(browser);
    const other = await phone.newPage();
    await other.goto(`${app.url}/auth`);
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(typed);
    await other.getByRole('button', { name: 'Sign In', exact: true }).click();
    return { phone, other };
  };
  const { phone, other } = await signIn(password);
  await expect(other.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });
  await page.goto(`${app.url}/profile/security`);
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await sessions.getByRole('button', { name: /^Sign out / }).click();
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText('This device');
  await other.goto(`${app.url}/profile`);
  await expect(other).toHaveURL(/\/auth\?returnTo=/);
  await phone.close();

  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('four quiet');
  let answer = () => {};
  const isTyped = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/rpc/accounts/changePassword', (route) => isTyped.then(() => route.continue()), { times: 1 });
  await page.getByRole('button', { name: 'Change password' }).click();
  // Whoever types on while the answer comes is not moved to what it says.
  await page.getByLabel('New password').press('End');
  await page.keyboard.type(' hil');
  answer();
  await expect(page.getByText("That isn't your current password")).toBeVisible();
  await page.keyboard.type('ls');
  await expect(page.getByLabel('New password')).toHaveValue('four quiet hills');
  await expect(page.getByText('Password saved')).toHaveCount(0);
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('four quiet hills');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password saved')).toBeVisible();
  const after = await signIn('four quiet hills');
  await expect(after.other.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });
  await after.phone.close();
});

test('a mail that never came is sent once more after a minute, and its code confirms', async ({ page, app }) => {
  const email = `slow-mail-${process.pid}@example.com`;
  await page.clock.install();
  // The first one is lost on its way: the server has never heard of it.
  const lost = { json: { json: { state: 'needs_email', isTrial: true, email: 's•••@example.com' } } };
  await page.route('**/rpc/billing/arrive', (route) => route.fulfill(lost));
  await page.goto(`${app.url}/auth?action=signup`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await page.getByRole('button', { name: 'Start Free Trial' }).click();
  await startTrial(page);
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  await page.clock.runFor(61_000);
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(page.getByText('Sent again')).toBeVisible();
  // Six digits confirm themselves.
  await page.getByLabel('6-digit code').fill((await app.readEmail(email)).code);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible({ timeout: 20_000 });
});
