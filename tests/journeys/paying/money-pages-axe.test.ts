import { expect, openPhone, test } from '../support/app.ts';
import { expectAccessible, expectWhole, untilCalm } from '../support/looking.ts';
import { openShop } from '../support/selling.ts';
import { show } from '../support/showing.ts';

test.setTimeout(240_000);

test('the pages about money are usable with every device, and so is asking for a refund', async ({
  page,
  app,
  browser,
}) => {
  const { buy } = await openShop(page, app, 1500);
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await buy(viewer, `axe-${process.pid}@example.com`);

  await viewer.goto(`${app.url}/my`);
  await expect(viewer.getByRole('button', { name: 'Open' })).toBeVisible();
  await show(viewer, 'my-refund');
  await viewer.getByRole('link', { name: 'Receipt and refund' }).click();
  await expect(viewer.getByRole('heading', { name: '$15.00' })).toBeVisible();
  await show(viewer, 'receipt');
  const [saved] = await Promise.all([
    viewer.waitForEvent('download'),
    viewer.getByRole('link', { name: 'Save as PDF' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^receipt-\d+\.pdf$/);
  await viewer.getByRole('button', { name: 'Ask for a refund' }).click();
  await viewer.getByRole('button', { name: 'Send' }).click();
  await expect(viewer.getByText('Choose a reason').last()).toBeVisible();
  await viewer.getByRole('combobox', { name: 'Why?' }).click();
  await viewer.getByRole('option', { name: "I couldn't open it" }).click();
  await viewer.getByLabel('What happened? (optional)').fill('One photo was promised, and it stays black.');
  await show(viewer, 'receipt-asking');
  await viewer.getByRole('button', { name: 'Send' }).click();
  await expect(viewer.getByText("You asked for a refund. We'll email you the answer.")).toBeVisible();
  await show(viewer, 'receipt-asked');

  for (const address of ['/account/billing', '/subscription', '/account/payouts', '/pricing', '/earnings']) {
    await page.goto(app.url + address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await untilCalm(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await untilCalm(page);
      await expectAccessible(page, `${address} (${colorScheme})`);
    }
    await expectWhole(page, address);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'More about the payment of $15.00' }).click();
  await expect(page.getByRole('menuitem', { name: 'Refund' })).toBeVisible();
  await show(page, 'earnings-menu');
  await page.keyboard.press('Escape');
  await show(page, 'earnings-request');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Why?').fill('It opens here and on every phone that I tried.');
  await show(page, 'earnings-decline');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('heading', { name: 'Refund requests' })).toBeHidden();
  await viewer.reload();
  await expect(viewer.getByText('Your refund request was declined.')).toBeVisible();
  await phone.close();
});
