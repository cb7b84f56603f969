import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { show } from '../support/showing.ts';

/** An authenticator inside the browser, which says yes by itself. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      // The field of the address would sign in by itself.
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified: boolean) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    present: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

test('a passkey is added, signs in, and is removed again', async ({ page, app }) => {
  test.setTimeout(300_000);
  const { password, email } = await app.newCreator(page);
  const authenticator = await plugIn(page);
  await page.goto(`${app.url}/profile/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Your password').fill(password);
  await show(page, 'passkey-add');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: "I've kept them" }).click();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list.getByText('Never used')).toBeVisible();
  await page.getByRole('button', { name: /^Rename / }).click();
  await page.getByLabel('Name', { exact: true }).fill('My laptop');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect(list.getByText('My laptop')).toBeVisible();
  await show(page, 'passkeys');

  await authenticator.present(false);
  await page.context().clearCookies();
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await show(page, 'passkey-sign-in');
  await authenticator.present(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });

  await authenticator.present(false);
  await page.context().clearCookies();
  await page.goto(`${app.url}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Use your passkey' })).toBeVisible();
  await show(page, 'passkey-second-step');
  await authenticator.present(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible({ timeout: 20_000 });

  await page.goto(`${app.url}/profile/security`);
  await expect(list.getByText('Last used: ')).toBeVisible();
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(list).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto(`${app.url}/auth`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey isn’t on any account here.')).toBeVisible();
});
