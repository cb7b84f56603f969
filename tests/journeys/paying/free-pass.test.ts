import type { Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { connectStripe, expectPainted } from '../support/steps.ts';

test.setTimeout(240_000);

/** Somebody who offers a tier. @returns its id */
async function offerTier(page: Page, app: JourneyApp): Promise<string> {
  await page.goto(`${app.url}/earnings`);
  await connectStripe(page);
  const tier = { name: 'Inner circle', priceCents: 999, benefits: 'Everything new, first.' };
  return (await call<{ id: string }>(page, app.url, 'POST', '/fan-tiers', tier)).id;
}

test('a free pass is made, taken with the code of an email, and opens what is for subscribers', async ({
  page,
  app,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  await app.newCreator(page);
  await page.goto(`${app.url}/magic-links`);
  await page.getByRole('link', { name: 'Free pass' }).click();
  await expect(page.getByRole('heading', { name: 'Make a tier first' })).toBeVisible();
  await show(page, 'passes-without-tier');
  await offerTier(page, app);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  const { url: forSubscribers } = await call<{ url: string }>(page, app.url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false, offers: [{ id: 'fans', all: [{ kind: 'fan_sub', tierIds: [] }] }] },
    isLaxConfirmed: true,
  });

  await page.goto(`${app.url}/magic-links/passes`);
  await page.getByRole('button', { name: 'New free pass' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name (optional)').fill('For Bob');
  await show(page, 'new-pass');
  await dialog.getByRole('button', { name: 'Make pass' }).click();
  await expect(dialog.getByRole('heading', { name: 'Your free pass' })).toBeVisible();
  const address = await dialog.getByLabel('Address').inputValue();
  await show(page, 'pass-made');
  await page.keyboard.press('Escape');
  await expect(page.getByText('0 of 1 taken')).toBeVisible();
  await show(page, 'passes');

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const said = await collectComplaints(viewer);
  await viewer.goto(address);
  await expect(viewer.getByRole('heading', { name: /gives you 7 days free$/ })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await viewer.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilCalm(viewer);
    await expectAccessible(viewer, `free pass (${colorScheme})`);
  }
  await viewer.emulateMedia({ colorScheme: null, reducedMotion: null });
  await show(viewer, 'free-pass');
  await viewer.getByLabel('Email').fill('bob@example.com');
  await viewer.getByRole('button', { name: 'Send me a code' }).click();
  await expect(viewer.getByText('We sent a code to')).toBeVisible();
  const { code } = await app.readEmail('bob@example.com', 'free pass');
  await viewer.getByLabel('6-digit code').fill(code);
  await expect(viewer.getByRole('heading', { name: "It's yours" })).toBeVisible();
  await show(viewer, 'free-pass-taken');
  await viewer.goto(forSubscribers);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 1);
  await expect(page.getByText('1 of 1 taken')).toBeVisible();
  await expect(page.getByText('Used up')).toBeVisible();

  // Its one place is taken: it has ended for everybody.
  const late = await openPhone(browser);
  const stranger = await late.newPage();
  expect((await stranger.goto(address))?.status()).toBe(410);
  await expect(stranger.getByRole('heading', { name: 'This invitation has ended.' })).toBeVisible();
  await Promise.all([phone.close(), late.close()]);
  expect([...complaints, ...said]).toEqual([]);
});

test('a pass that its creator revokes ends, and looks like one that was never made', async ({ page, app, browser }) => {
  await app.newCreator(page);
  const tierId = await offerTier(page, app);
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/free-passes', { tierId, days: 3, places: 5 });
  await page.goto(`${app.url}/magic-links/passes`);
  await page.getByRole('button', { name: 'Revoke Inner circle' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('Pass revoked')).toBeVisible();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const bare = await plain.newPage();
  const bodies = [];
  for (const address of [url, `${app.url}/free-join/${'A'.repeat(24)}`, `${app.url}/free-join/${'A'.repeat(22)}`]) {
    const answer = await bare.goto(address);
    expect(answer?.status()).toBe(410);
    bodies.push(await answer?.text());
  }
  expect(new Set(bodies).size).toBe(1);
  await plain.close();
});
