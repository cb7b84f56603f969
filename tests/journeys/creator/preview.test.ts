import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show } from '../support/showing.ts';
import { becomeDemo, listLinks } from '../support/steps.ts';

const albumOf = async (page: Page, url: string, name: string) => {
  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, url, 'GET', '/albums?filter=ready');
  return albums.find((album) => album.name === name)?.id ?? '';
};

/** Picks a screen beside the frame. */
async function pick(page: Page, screen: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Screen' }).click();
  await page.getByRole('option', { name: screen, exact: true }).click();
}

test('a creator walks through a link as its viewer, sees every end and the card in a chat, and nothing is counted', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  const albumId = await albumOf(page, app.url, 'Golden hour');
  const rules = { ageGate: true, openForMs: 86_400_000 };
  const made = {
    albumIds: [albumId],
    linkName: 'For the walk',
    rules,
    password: 'three calm rivers',
    isLaxConfirmed: true,
  };
  const { id } = await call<{ id: string }>(page, app.url, 'POST', '/links', made);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));

  await page.goto(`${app.url}/magic-links/${id}`);
  await page.getByRole('link', { name: 'What will they see?' }).click();
  await expect(page.getByRole('heading', { name: 'What will they see?' })).toBeVisible();
  await expect(page.getByText('Preview – nothing is counted')).toBeVisible();
  await expect(page.getByText('for somebody new: Age.')).toBeVisible();
  const viewer = page.frameLocator('iframe[title="What a viewer sees"]');

  // The door and its gates are the real ones, and lead on.
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Screen' })).toHaveText(/Age/);
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeVisible();
  await show(page, 'preview-password');
  await viewer.getByLabel('Password', { exact: true }).fill('whatever');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.locator('canvas.sharp[data-painted]')).toHaveCount(8, { timeout: 30_000 });
  await expect(viewer.getByRole('timer')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Screen' })).toHaveText(/Gallery/);
  await show(page, 'preview-gallery');
  await viewer.locator('.cell').first().click();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });

  // Every other screen is one pick away.
  await pick(page, 'Expired, for somebody who had access');
  await expect(viewer.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await show(page, 'preview-expired');
  await pick(page, 'Revoked, for somebody who had access');
  await viewer.getByRole('link', { name: 'My purchases' }).click();
  await expect(page.getByText('Links lead nowhere in a preview.')).toBeVisible();
  await pick(page, 'Revoked, for a stranger');
  await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  await pick(page, 'Gallery');
  await expect(viewer.locator('canvas.sharp[data-painted]')).toHaveCount(8, { timeout: 30_000 });

  // The card is the one of the page that a messenger fetches.
  const card = page.getByRole('figure', { name: 'The card in WhatsApp' });
  await expect(card.getByText("You've received a private album")).toBeVisible();
  await expect(card.getByText('Tap to open.')).toBeVisible();
  await expect
    .poll(() =>
      card
        .getByRole('img')
        .or(card.locator('img'))
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(1200);
  await page.getByRole('radio', { name: 'Instagram' }).check();
  await expect(page.getByRole('figure', { name: 'The card in Instagram' })).toBeVisible();

  await page.getByRole('link', { name: 'Close preview' }).click();
  await expect(page.getByRole('heading', { name: 'For the walk' })).toBeVisible();
  const link = (await listLinks(page, app.url)).find((one) => one.id === id);
  expect(link).toMatchObject({ viewsCount: 0, lastOpenedAt: null });
  expect(
    calls.filter((path) => /^\/(rpc\/viewing|api\/view|api\/v1\/view|api\/live\/(view|waiting))/.test(path)),
  ).toEqual([]);
});

test('an album is previewed as a new link would show it, on a phone', async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeDemo(page, app);
  const albumId = await albumOf(page, app.url, 'Golden hour');
  await page.goto(`${app.url}/albums/${albumId}`);
  await page.getByRole('link', { name: 'Preview as viewer' }).click();
  const viewer = page.frameLocator('iframe[title="What a viewer sees"]');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.locator('canvas.sharp[data-painted]').first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Close preview' }).click();
  await expect(page.getByRole('heading', { name: 'Golden hour', level: 1 })).toBeVisible();
});
