import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { show } from '../support/showing.ts';
import { openAuthenticator } from '../support/two-step.ts';

/** Goes on with the Tab key until it stands on what has this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isThere = () =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      return at instanceof HTMLInputElement ? (at.labels?.[0]?.textContent ?? '') : (at?.textContent ?? '');
    });
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab');
    const text = (await isThere()).trim();
    if (typeof name === 'string' ? text === name : name.test(text)) return;
  }
  throw new Error(`The Tab key leads to nothing that is called ${name}.`);
}

async function typeAt(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

async function signIn(
  page: Page,
  url: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('two-step sign-in is set up by keyboard alone, asked for, lost and switched off', async ({ page, app }) => {
  test.setTimeout(300_000);
  const creator = await app.newCreator(page);
  const { password } = creator;
  await page.goto(`${app.url}/profile/security`);
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
  await show(page, 'two-step-off');
  await tabTo(page, 'Set up two-step sign-in');
  await page.keyboard.press('Enter');
  await typeAt(page, 'Your password', password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Scan this with your authenticator app' })).toBeFocused();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await show(page, 'two-step-scan');
  const typed = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  const phone = openAuthenticator(typed);
  await typeAt(page, '6-digit code', '000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText("That code isn't right, or has been used. Try the next one.")).toBeVisible();
  await expect(page.getByLabel('6-digit code'), 'what was typed stays').toHaveValue('000000');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(await phone.next());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await show(page, 'two-step-backup-codes');
  const [backup = ''] = await codes.allInnerTexts();
  const saved = page.waitForEvent('download');
  await tabTo(page, 'Download as text');
  await page.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe('privatefans-backup-codes.txt');
  await tabTo(page, "I've kept them");
  await page.keyboard.press('Enter');
  await expect(page.getByText('10 backup codes left.')).toBeVisible();
  await show(page, 'two-step-on');

  await page.context().clearCookies();
  await signIn(page, app.url, creator);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await page.getByText('Lost your phone?').click();
  await show(page, 'two-step-sign-in');
  await page.getByLabel('6-digit code').fill('000000');
  await page.getByLabel('6-digit code').press('Enter');
  await expect(page.getByText("That code isn't right, or has been used. Try the next one.")).toBeVisible();
  await page.getByLabel('6-digit code').fill(await phone.next());
  await page.getByLabel('6-digit code').press('Enter');
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });

  const byBackup = async () => {
    await page.context().clearCookies();
    await signIn(page, app.url, creator);
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(backup.toUpperCase());
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  };
  await byBackup();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });
  await byBackup();
  await expect(page.getByText("That code isn't right, or has been used. Try the next one.")).toBeVisible();
  await expect(page.getByLabel('Backup code'), 'what was typed stays').toHaveValue(backup.toUpperCase());
  await page.getByRole('button', { name: 'Use a code from your app' }).click();
  await page.getByLabel('6-digit code').fill(await phone.next());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });

  await page.goto(`${app.url}/profile/security`);
  await expect(page.getByText('9 backup codes left.')).toBeVisible();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByLabel('6-digit code').fill(await phone.next());
  await show(page, 'two-step-switch-off');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, app.url, creator);
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });
});
