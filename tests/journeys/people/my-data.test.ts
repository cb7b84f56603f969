import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { connectStripe } from '../support/steps.ts';

test('a buyer takes their data along, has them erased, and keeps them after all', async ({
  page,
  ownApp: app,
  browser,
}) => {
  test.setTimeout(300_000);
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await page.goto(`${app.url}/earnings`);
  await connectStripe(page);
  const rules = { offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 1500 }] }] };
  const params = { albumIds: [albumId], rules, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(page, app.url, 'POST', '/links', params);

  const phone = await browser.newContext();
  const buyer = await phone.newPage();
  const email = `taker-${process.pid}@example.com`;
  await buyer.goto(`${app.url}/view/${slug}`);
  await buyer.getByRole('button', { name: 'Open', exact: true }).click();
  await buyer.getByRole('button', { name: 'Yes' }).click();
  await buyer.getByRole('button', { name: 'Pay $15' }).click();
  await buyer.getByLabel('Email').fill(email);
  await buyer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await buyer.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(buyer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();

  await buyer.goto(`${app.url}/my`);
  await buyer.getByRole('link', { name: 'Your data: download or erase it' }).click();
  await expect(buyer.getByRole('list', { name: 'What happens' })).toContainText("won't open any more");
  await show(buyer, 'my-data-known');

  const download = await askForCode(buyer, { button: 'Download my data', title: 'Download your data' });
  const { code } = await app.readEmail(email, 'download what we keep');
  await download.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
  await download.getByRole('button', { name: 'Download' }).click();
  await expect(download.getByText("That code isn't right.")).toBeVisible();
  await show(buyer, 'my-data-code');
  await download.getByLabel('Code').fill(code);
  const saving = buyer.waitForEvent('download');
  await download.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^privatefans-my-data-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await readFile(await saved.path(), 'utf8'));
  expect([file.address, file.payments[0].amountCents]).toEqual([email, 1500]);
  await expect(buyer.getByRole('dialog')).toHaveCount(0);

  await app.turnClock(61);
  const erase = await askForCode(buyer, { button: 'Erase my data', title: 'Erase your data?' });
  await erase.getByLabel('Code').fill((await app.readEmail(email, 'erase what we keep')).code);
  await erase.getByRole('button', { name: 'Erase my data' }).click();
  await expect(buyer.getByRole('heading', { name: 'It is going to be erased' })).toBeVisible();
  await show(buyer, 'my-data-erasing');

  await app.turnClock(130);
  const keep = await askForCode(buyer, { button: 'Keep my data', title: 'Keep your data?' });
  await keep.getByLabel('Code').fill((await app.readEmail(email, 'keep your data after all')).code);
  await keep.getByRole('button', { name: 'Keep my data' }).click();
  await expect(buyer.getByRole('heading', { name: 'Erase it' })).toBeVisible();
  await phone.close();
});

async function askForCode(buyer: Page, { button, title }: { button: string; title: string }) {
  await buyer.getByRole('button', { name: button, exact: true }).click();
  const dialog = buyer.getByRole('dialog', { name: title });
  await dialog.getByRole('button', { name: 'Send the code' }).click();
  await expect(dialog.getByLabel('Code')).toBeVisible();
  return dialog;
}
