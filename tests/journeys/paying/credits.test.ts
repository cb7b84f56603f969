import { paintJpeg } from '../../support/media/paint.ts';
import { expect, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('credits are given, bought, spent, asked for by a sixth trace, and refunded', async ({ page, ownApp: app }) => {
  const { email } = await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await visit(page, app, '/', /Getting Started/);
  // The first album has brought five.
  const popover = page.getByRole('button', { name: '5 credits, history' });
  await popover.click();
  await expect(page.getByText('Your first album')).toBeVisible();
  await show(page, 'credits-popover');
  await page.getByRole('link', { name: 'Buy credits' }).click();
  await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
  await expect(page.getByText('You have 5 credits.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Needs 10 credits' })).toBeDisabled();
  await show(page, 'credits-shop-empty');

  await page.getByRole('button', { name: 'Buy 50 for $5' }).click();
  const frame = page.frameLocator('iframe[title="Secure checkout"]');
  await expect(frame.getByRole('heading', { name: '$5.00' })).toBeVisible();
  await expect(frame.getByLabel('Email')).toHaveValue(email);
  await show(page, 'credits-checkout');
  await frame.getByLabel('Card number').fill('4000 0000 0000 0002');
  await frame.getByRole('button', { name: 'Pay $5.00' }).click();
  await expect(frame.getByText('Your card was declined. Nothing was charged.')).toBeVisible();
  await frame.getByLabel('Card number').fill('4242 4242 4242 4242');
  await frame.getByRole('button', { name: 'Pay $5.00' }).click();
  await expect(page.getByText('50 credits added.').first()).toBeVisible();
  await expect(page.getByText('You have 55 credits.')).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/pricing?tab=credits`);

  await page.getByRole('button', { name: 'Add 10 GB' }).click();
  await expect(page.getByText('You have 55 credits, and 45 afterwards.', { exact: false })).toBeVisible();
  await show(page, 'credits-storage');
  await page.getByRole('button', { name: 'Use 10 credits' }).click();
  await expect(page.getByText('You have 45 credits.')).toBeVisible();
  await expect(page.getByText(/^10 GB until/)).toBeVisible();
  await show(page, 'credits-shop');

  const params = { albumIds: [albumId], linkName: 'Bob', isLaxConfirmed: true };
  const link = await call<{ id: string }>(page, app.url, 'POST', '/links', params);
  await visit(page, app, `/magic-links/${link.id}`, 'Bob');
  await page.getByRole('link', { name: 'Make the address readable' }).click();
  const dialog = page.getByRole('dialog', { name: 'A readable address' });
  await dialog.getByLabel('Word').fill('For Bob');
  await show(page, 'credits-address');
  await dialog.getByRole('button', { name: 'Use 5 credits' }).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(/\/view\/for-bob-[A-Za-z0-9]{10}$/);
  await page.keyboard.press('Escape');
  // The first link has brought the five again.
  await expect(page.getByText('You have 45 credits.')).toBeVisible();

  await page.goto(`${app.url}/albums/${albumId}/leaks`);
  const copy = { name: 'copy.jpg', mimeType: 'image/jpeg', buffer: await paintJpeg(3, 400, 300) };
  const input = page.getByLabel('The leaked copy', { exact: true });
  for (let n = 0; n < 5; n++) {
    await input.setInputFiles({ ...copy, name: `copy-${n}.jpg` });
    await expect(page).toHaveURL(/\/leaks\/[0-9a-f-]{36}$/);
    await page.goto(`${app.url}/albums/${albumId}/leaks`);
  }
  await input.setInputFiles(copy);
  await expect(
    page.getByText("You've used this month's 5 free traces. This one costs 5 credits; you have 45."),
  ).toBeVisible();
  await show(page, 'credits-trace');
  await page.getByRole('button', { name: 'Use 5 credits' }).click();
  await expect(page).toHaveURL(/\/leaks\/[0-9a-f-]{36}$/);

  await visit(page, app, '/pricing?tab=credits', 'Credits');
  await expect(page.getByText('You have 40 credits.')).toBeVisible();
  await expect(page.getByText('Leak trace', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Refund' }).click();
  await show(page, 'credits-refund');
  await page.getByRole('dialog').getByRole('button', { name: 'Refund $4.00' }).click();
  await expect(page.getByText('Refunded')).toBeVisible();
  await expect(page.getByText('You have 0 credits.')).toBeVisible();

  // With the suite the same is a card of its own.
  await app.operate('grant', email, 'suite');
  await visit(page, app, '/', /Getting Started/);
  const card = page.getByRole('region', { name: 'Credits' }).last();
  await expect(card.getByText('30', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Show history' }).click();
  await expect(card.getByText('Monthly suite credits')).toBeVisible();
  await show(page, 'credits-card');
  await card.getByRole('button', { name: 'Hide history' }).click();
  await expect(card.getByText('Monthly suite credits')).toBeHidden();

  await page.route('**/rpc/credits/balance', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load credits balance')).toBeVisible({ timeout: 30_000 });
  await show(page, 'credits-failed');
});
