import { writeFile } from 'node:fs/promises';
import type { Browser } from '@playwright/test';
import { paintJpeg } from '../../support/media/paint.ts';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';
import type { Creator } from '../support/signing-up.ts';

test.setTimeout(300_000);

/** A new creator in a browser of their own, with a link to an album. */
async function openShared(browser: Browser, app: JourneyApp, pictures = pictureFiles('sea')) {
  const page = await (await browser.newContext()).newPage();
  const creator: Creator = await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictures);
  const params = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(page, app.url, 'POST', '/links', params);
  return { page, creator, slug };
}

test('a report is followed from its arrival to the answer, and private pictures are looked at behind the glass', async ({
  page,
  app,
  browser,
}) => {
  const shared = await openShared(browser, app);
  const email = `ana-${Date.now()}@example.com`;
  const ana = await (await browser.newContext()).newPage();
  await ana.goto(app.url);
  const { number } = await call<{ number: string }>(ana, app.url, 'POST', '/reports', {
    kind: 'other',
    target: `${app.url}/view/${shared.slug}`,
    details: 'The first photo was taken in my garden, and nobody asked.',
    onBehalf: 'self',
    name: 'Ana Example',
    email,
    isInGoodFaith: true,
  });
  const { link: toCase } = await app.readEmail(email, '/case?of=report');
  await ana.goto(toCase);
  await expect(ana.getByRole('heading', { name: 'We have your report' })).toBeVisible();
  await show(ana, 'case-report');

  await becomeAdministrator(page, app);
  await visit(page, app, `/admin/moderation/${number}`, `Report ${number}`);
  await page.getByRole('button', { name: 'Look at it' }).click();
  await page.getByLabel('Why', { exact: true }).fill('To see whose garden it is.');
  await page.getByRole('button', { name: 'Look', exact: true }).dblclick();
  await expect(page.getByText(/^Open for (29|30) more minutes\.$/)).toBeVisible();
  await expect(page.locator('figure[data-painted]').first()).toBeVisible({ timeout: 60_000 });
  await show(page, 'admin-behind-glass');
  await page.getByRole('button', { name: 'Open photo 1' }).click();
  await expect(page.getByRole('img', { name: 'The photo in question' })).toHaveAttribute('data-painted', '', {
    timeout: 60_000,
  });
  await show(page, 'admin-behind-glass-large');
  await page.keyboard.press('Escape');
  await app.readEmail(shared.creator.email, 'To see whose garden it is.');
  await page.getByRole('button', { name: 'Close now' }).click();
  await expect(page.getByRole('button', { name: 'Look at it' })).toBeVisible();
  await expect(page.getByText(/Operator looked on/)).toBeVisible();

  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await page.getByLabel('Why', { exact: true }).fill('It shows a public garden.');
  await page.getByRole('button', { name: 'Reject', exact: true }).last().click();
  await expect(page.getByText('The report is rejected')).toBeVisible();
  await ana.goto('about:blank');
  await ana.goto(toCase);
  await expect(ana.getByRole('heading', { name: 'It was not removed' })).toBeVisible();
  await expect(ana.getByText('It shows a public garden.')).toBeVisible();
});

test('a copy of what was reported is held back, and removed for good', async ({ page, app, browser }, info) => {
  // A picture of its own: what else has been uploaded here is not to be held back for it.
  const file = info.outputPath('reported.jpg');
  await writeFile(file, await paintJpeg(77, 1200, 900));
  const [reported, copied] = [await openShared(browser, app, [file]), await openShared(browser, app, [file])];
  await call(reported.page, app.url, 'POST', '/reports', {
    kind: 'intimate',
    target: `${app.url}/view/${reported.slug}`,
    details: 'The photo shows me, and I never agreed.',
    onBehalf: 'self',
    name: 'Ana Example',
    email: `ana-${Date.now()}@example.com`,
    isInGoodFaith: true,
  });
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/moderation', 'Reports');
  const row = page.getByRole('listitem').filter({ hasText: copied.creator.email });
  await expect(row).toContainText('the same file as what report');
  await row.getByRole('button', { name: 'Decide' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Decision').click();
  await page.getByRole('option', { name: /remove it for good/ }).click();
  await dialog.getByLabel('Why').fill('It is the same photo.');
  await show(page, 'admin-held-copy');
  await dialog.getByRole('button', { name: 'Remove for good' }).dblclick();
  await expect(page.getByText('It is removed')).toBeVisible();
  await expect(row).toHaveCount(0);
  await app.readEmail(copied.creator.email, 'It is the same photo.');
});

test('an administrator suspends an account and restores it', async ({ page, app, browser }) => {
  const shared = await openShared(browser, app);
  const viewer = await (await browser.newContext()).newPage();
  const openLink = async () => {
    await viewer.goto(`${app.url}/view/${shared.slug}`);
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  };
  await openLink();
  await expect(viewer.getByRole('button', { name: /^Photo 1 of/ })).toBeVisible();

  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/users', 'People');
  await page.getByLabel('Find someone').fill(shared.creator.email);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Mia', exact: true }).click();
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByLabel('Why', { exact: true }).fill('Copies of other people’s pictures.');
  await page.getByRole('button', { name: 'Suspend', exact: true }).last().click();
  await expect(page.getByText('The account is suspended')).toBeVisible();
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
  await show(page, 'admin-suspended');
  await app.readEmail(shared.creator.email, 'Copies of other people');
  await openLink();
  await expect(viewer.getByRole('heading', { name: 'Temporarily unavailable' })).toBeVisible();

  await page.getByRole('button', { name: 'End suspension' }).click();
  await page.getByRole('button', { name: 'End suspension' }).last().click();
  await expect(page.getByText('The account works again')).toBeVisible();
  await openLink();
  await expect(viewer.getByRole('button', { name: /^Photo 1 of/ })).toBeVisible();

  // Somebody who has lost their mailbox gets another address, which confirms it.
  const next = `next-${Date.now()}@example.com`;
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByLabel('New address').fill(next);
  await page.getByLabel('How you know that it is the owner').fill('They named three receipts on the phone.');
  await show(page, 'admin-change-email');
  await page.getByRole('button', { name: 'Send the link' }).dblclick();
  await expect(page.getByText('A link is on its way to the new address')).toBeVisible();
  await viewer.goto((await app.readEmail(next, 'confirm-email')).link);
  await viewer.getByRole('button', { name: 'Use this address' }).dblclick();
  await expect(viewer.getByRole('heading', { name: 'This is your address now' })).toBeVisible();
  await show(viewer, 'new-address');
});
