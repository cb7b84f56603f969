import { expect, openPhone, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';

test('who wants to recommend the place applies, is answered by mail, and stands on the list of the operator', async ({
  browser,
  app,
}) => {
  const phone = await openPhone(browser);
  const page = await phone.newPage();
  const complaints = await collectComplaints(page);
  await page.goto(`${app.url}/signup`);
  await page.getByRole('link', { name: 'Apply to join' }).click();
  const send = page.getByRole('button', { name: 'Apply', exact: true });
  await expect(send).toBeEnabled();
  await send.click();
  await expect(page.getByText('Use at least 2 characters')).toBeVisible();
  const email = `partner-${process.pid}@example.com`;
  await page.getByLabel('Your name').fill('Jo Rivers');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Who would you tell, and where?').fill('Creators that I manage');
  await page.getByRole('checkbox', { name: /advertising/ }).check();
  await send.click();
  await expect(page.getByRole('heading', { name: 'We have your application' })).toBeFocused();
  expect((await app.readEmail(email)).subject).toBe('Your application');
  expect(await app.operate('affiliates', 'applications')).toContain(`Jo Rivers <${email}>, applied`);
  expect(complaints).toEqual([]);
  await phone.close();
});

test('without a script nothing can be sent, and the page says so; by a link of somebody it is the trial', async ({
  browser,
  page,
  app,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await bare.goto(`${app.url}/signup`);
  await expect(bare.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
  await expect(bare.getByText('The form needs JavaScript.')).toBeVisible();
  await context.close();
  await page.goto(`${app.url}/signup?ref=FRIEND7&utm_source=x`);
  await expect(page).toHaveURL(`${app.url}/auth?ref=FRIEND7&utm_source=x&action=signup`);
  await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeVisible();
});
