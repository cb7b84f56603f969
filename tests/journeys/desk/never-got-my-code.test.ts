import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show } from '../support/showing.ts';
import { signUp } from '../support/signing-up.ts';

test.setTimeout(240_000);

test('somebody who never got a code is found and helped, and their message is answered', async ({
  page,
  app,
  browser,
}) => {
  const email = `lea-${Date.now()}@example.com`;
  const phone = await browser.newContext();
  const lea = await phone.newPage();
  await lea.goto(app.url);
  await call(lea, app.url, 'POST', '/sign-up', { email, isAdult: true });
  const first = await app.readEmail(email);
  await call(lea, app.url, 'POST', '/support-requests', {
    name: 'Lea',
    email,
    subject: 'I never got my code',
    message: 'I waited for an hour and nothing came.',
  });

  await becomeAdministrator(page, app);
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
  await show(page, 'admin-with-account');
  await page
    .getByRole('link', { name: /message to support is not answered|messages to support are not answered/ })
    .click();
  await page.getByRole('link', { name: 'I never got my code' }).first().click();
  await page.getByRole('link', { name: 'Emails to this address' }).click();
  await expect(page.getByText('Sent').first()).toBeVisible();

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByLabel('Find someone').fill(email);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: email }).first().click();
  const send = page.getByRole('button', { name: 'Send a new code' });
  await expect(send).toBeVisible();
  await expect(async () => {
    await send.click();
    await expect(page.getByText('A new code is on its way')).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 120_000, intervals: [5000] });

  const codeNow = async () => (await app.readEmail(email)).code;
  await expect.poll(codeNow, { timeout: 30_000 }).not.toBe(first.code);
  await call(lea, app.url, 'POST', '/confirm', { code: await codeNow() });
  await phone.close();

  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Support' }).click();
  await page.getByRole('link', { name: 'I never got my code' }).first().click();
  await page.getByLabel('Your answer').fill('We sent you a new one. Is it there?');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Your answer is on its way')).toBeVisible();
  await expect(page.getByText('Answered', { exact: true }).first()).toBeVisible();
});

test('whoever is no administrator is told so and sent home', async ({ page, app }) => {
  await signUp(page, app);
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Admin' })).toHaveCount(0);
  await page.goto(`${app.url}/admin/users`);
  await expect(page.getByText("Access Denied - You don't have admin privileges.")).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/`);
});
