import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp, visit } from '../support/showing.ts';
import { copyLink, expectPainted } from '../support/steps.ts';

const settingsOf = (page: Page, app: JourneyApp, albumId: string) =>
  visit(page, app, `/albums/${albumId}/settings`, 'New links');

test.setTimeout(300_000);

/** Sets a creator's payouts up at the sandbox. */
async function setUpPayouts(page: Page, { url }: JourneyApp): Promise<void> {
  const params = { country: 'US' };
  const { url: onboarding } = await call<{ url: string }>(page, url, 'POST', '/stripe-connect-onboarding', params);
  await page.goto(onboarding);
  await page.getByRole('button', { name: 'Complete everything' }).click();
  await expect(page.getByText('Nothing earned yet')).toBeVisible();
}

test('an album that is sold: its links begin at its price, and what they earn stands on the album', async ({
  page,
  app,
  browser,
}) => {
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await settingsOf(page, app, albumId);
  await expect(page.getByText('To ask for money,')).toBeVisible();
  await show(page, 'album-settings-unpaid');
  await setUpPayouts(page, app);
  await settingsOf(page, app, albumId);
  await page.getByRole('radio', { name: '$15' }).click();
  await expect(page.getByRole('radio', { name: '$15' })).toBeChecked();
  await show(page, 'album-settings-priced');
  await page.getByRole('radio', { name: 'Other' }).check();
  const typed = page.getByRole('textbox', { name: 'Price, $' });
  await typed.fill('3');
  await expect(page.getByText('Choose between $5 and $100.')).toBeVisible();
  await typed.fill('12');
  await typed.press('Enter');
  const ask = page.getByRole('switch', { name: /^Ask me first/ });
  await ask.click();
  await expect(ask).toBeChecked();
  await page.getByRole('switch', { name: /^Tips/ }).click();
  await expect
    .poll(async () => (await call<{ album: object }>(page, app.url, 'GET', `/albums/${albumId}`)).album)
    .toMatchObject({ priceCents: 1200, isProtected: true, allowsTips: false });
  await show(page, 'album-settings-all');
  await visit(page, app, '/albums', 'Albums');
  await expect(page.getByText('Price: $12')).toBeAttached();
  await show(page, 'albums-priced');

  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  const sheet = page.getByRole('dialog', { name: 'New link to Beach' });
  await expect(sheet.locator('p', { hasText: /to view/ })).toContainText('asking me first, then $12');
  await show(page, 'link-sheet-begun');
  await call(page, app.url, 'PATCH', `/albums/${albumId}`, { isProtected: false });
  await visit(page, app, `/albums/${albumId}/sales`, 'Nothing sold yet');
  await show(page, 'album-sales-empty');
  await visit(page, app, '/magic-links/many', 'Many links');
  await expect(page.locator('p', { hasText: /to view/ })).toContainText('$12 to view');
  await show(page, 'bulk-begun');

  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  await expect(sheet.locator('p', { hasText: /to view/ })).toContainText('$12 to view');
  const address = await copyLink(page);
  const viewer = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await buy(viewer, address);
  // Whoever is let in for the first time is shown how to come back, and only then.
  await viewer.goto(address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const hint = viewer.getByRole('complementary', { name: 'Keep your access' });
  await expect(hint.getByText(/^[0-9A-Z]{5} [0-9A-Z]{5}$/)).toBeVisible();
  // It goes by itself, but not from under whoever is at it.
  await hint.getByRole('button', { name: 'Dismiss' }).focus();
  await showViewerApp(viewer, 'viewer-keep-code');
  await hint.getByRole('button', { name: 'Dismiss' }).click();
  await expect(hint).toBeHidden();
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 1);
  await viewer.waitForTimeout(2000);
  await expect(hint, 'said once').toBeHidden();
  await visit(page, app, `/albums/${albumId}/sales`, 'Beach');
  await expect(page.getByText('Earned by this album')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Sales' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Sales' })).toContainText('$12.00 paid on');
  await show(page, 'album-sales');
  await page.getByRole('list', { name: 'Sales' }).getByRole('link').click();
  await expect(page.getByRole('dialog', { name: 'Album' })).toContainText('Yours');
  await viewer.context().close();
});

/** Comes to a link of $12 for the first time and pays. */
async function buy(viewer: Page, address: string): Promise<void> {
  await viewer.goto(address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.getByRole('button', { name: 'Pay $12', exact: true }).click();
  await viewer.getByLabel('Email').fill('bob@example.com');
  await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await viewer.getByRole('button', { name: 'Pay $12.00' }).click();
  await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
}

test('a request whose link was revoked meanwhile says why it cannot be approved, and is dismissed', async ({
  page,
  app,
  browser,
}) => {
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await call(page, app.url, 'PATCH', `/albums/${albumId}`, { isProtected: true });
  const link = await call<{ id: string; url: string }>(page, app.url, 'POST', '/links', { albumIds: [albumId] });
  const viewer = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.getByLabel('Your name').fill('Bob');
  await viewer.getByRole('button', { name: 'Send request' }).click();
  await expect(viewer.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  await call(page, app.url, 'POST', '/links/revoke', { linkIds: [link.id] });
  await visit(page, app, '/access-requests', 'Pending Approval');
  const pending = page.getByRole('region', { name: 'Pending Approval' });
  await expect(pending).toContainText('The link is revoked. Make a new link instead.');
  await expect(pending.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await show(page, 'access-request-shut');
  await pending.getByRole('button', { name: 'Dismiss' }).click();
  await expect(pending.getByText('Nobody is waiting')).toBeVisible();
  await viewer.context().close();
});
