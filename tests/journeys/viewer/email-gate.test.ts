import { expect, test } from '../support/app.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { becomeDemo, copyLink, expectDark, expectPainted, openDoor } from '../support/steps.ts';

test('a link for one address is made in the sheet and opens with the code that comes there', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  await page.goto(`${app.url}/albums`);
  await page.getByRole('link', { name: /Golden hour/ }).click();
  await page.getByRole('link', { name: 'Share' }).click();
  const sheet = page.getByRole('dialog', { name: 'New link to Golden hour' });
  await expect(sheet.getByText('Anyone who gets this link and confirms they are 18 can open it.')).toBeVisible();

  // By the keyboard alone: the list of rules, then the form of one of them.
  await sheet.getByRole('button', { name: 'Add a rule' }).focus();
  await page.keyboard.press('Enter');
  const card = page.getByRole('dialog', { name: 'Add a rule' });
  await expect(card.getByRole('button', { name: 'Countries' })).toBeVisible();
  await show(page, 'link-sheet-add-rule');
  await card.getByRole('button', { name: 'Email address' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('lena@');
  await card.getByRole('button', { name: 'Ask for an address' }).click();
  await expect(card.getByText("“lena@” isn't an address or a domain.")).toBeVisible();
  await card.getByLabel('Who can open it').fill('Lena@Example.com');
  await show(page, 'link-sheet-email');
  await card.getByRole('button', { name: 'Ask for an address' }).click();
  await expect(sheet.getByRole('button', { name: 'only lena@example.com' })).toBeVisible();
  await expect(sheet.getByText(/confirms lena@example\.com and confirms they are 18 can open it\.$/)).toBeVisible();
  await sheet.getByRole('radio', { name: '24 hours only' }).click();
  await expect(sheet.getByRole('radio', { name: '24 hours only' })).toBeChecked();
  await expect(sheet.getByText("24 hours after it's first opened"), 'the preset is in the sentence').toBeVisible();
  await expect(sheet.getByRole('button', { name: 'only lena@example.com' }), 'it drops no rule').toBeVisible();
  await show(page, 'link-sheet-with-email');
  const address = await copyLink(page);

  const { phone, viewer } = await openDoor(browser, address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'Who is this for?' })).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'gate-email');
  await viewer.getByLabel('Email').fill('someone@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await expect(viewer.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await viewer.getByLabel('6-digit code').fill((await app.readEmail('someone@example.com')).code);
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await expect(viewer.getByRole('heading', { name: 'This link was made for someone else.' })).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'gate-email-not-allowed');

  await viewer.getByRole('button', { name: 'Use another email' }).click();
  await viewer.getByLabel('Email').fill('lena@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await viewer.getByLabel('6-digit code').fill((await app.readEmail('lena@example.com')).code);
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});
