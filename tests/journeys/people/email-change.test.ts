import { expect, test } from '../support/app.ts';
import { show } from '../support/showing.ts';

test('an address is changed by a code from the new one, and put back from the old one', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(300_000);
  const { email, password } = await app.newCreator(page);
  const to = `moved-${process.pid}-${Date.now()}@example.com`;
  await page.goto(`${app.url}/profile/security`);
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByLabel('New email'), 'typing goes on where the button was').toBeFocused();
  await page.getByLabel('New email').fill(to);
  await page.getByLabel('Your password').fill('not the password');
  await page.getByRole('button', { name: 'Send a code' }).click();
  await expect(page.getByText("That isn't your password")).toBeVisible();
  await expect(page.getByLabel('New email'), 'what was typed stays').toHaveValue(to);
  await show(page, 'email-change');
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Send a code' }).click();
  await expect(page.getByText(`We sent a code to ${to}.`)).toBeVisible();
  await show(page, 'email-change-code');
  // A phone may have ended the page while its person was reading the email.
  await page.reload();
  await page.getByLabel('6-digit code').fill('000000');
  await expect(page.getByText("That code isn't right. 4 tries left.")).toBeVisible();
  await page.getByLabel('6-digit code').fill((await app.readEmail(to)).code);
  await expect(page.getByText('the change can be undone from your old address')).toBeVisible();
  await expect(page.getByRole('main').getByText(to).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change address' })).toHaveCount(0);
  await show(page, 'email-changed');

  const { link } = await app.readEmail(email, 'put this address back');
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole('heading', { name: 'Put your address back' })).toBeVisible();
  await show(elsewhere, 'email-undo');
  await elsewhere.getByRole('button', { name: 'Put my address back' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Your address is back' })).toBeVisible();
  await show(elsewhere, 'email-undone');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();

  await elsewhere.getByRole('link', { name: 'Set a new password' }).click();
  await elsewhere.getByLabel('Email').fill(email);
  await elsewhere.getByRole('button', { name: 'Send me a link' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Create Your Password' })).toBeVisible();
  await elsewhere.getByLabel('6-digit code').fill((await app.readEmail(email, 'You asked to')).code);
  await elsewhere.getByLabel('New password').fill('four calm rivers');
  await elsewhere.getByRole('button', { name: 'Save password' }).click();
  await expect(elsewhere.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });
  await elsewhere.goto(link);
  await elsewhere.getByRole('button', { name: 'Put my address back' }).click();
  await expect(elsewhere.getByText('This link has expired, or it was used already.')).toBeVisible();
  await elsewhere.context().close();
});
