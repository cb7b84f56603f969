import type { BrowserContext, Page } from '@playwright/test';
import { formatClock } from '#kit/text.ts';
import { expect } from './app.ts';
import { call } from './calls.ts';

/** A video that stands alone in an album, and the page of whoever it belongs to. */
export interface MadeVideo {
  page: Page;
  url: string;
  albumId: string;
  seconds: number;
}

/** Somebody opens a new link to the video, on a phone of their own. */
export async function openVideo(
  { page, url, albumId, seconds }: MadeVideo,
  phone: BrowserContext,
  names: { linkName?: string; recipientName?: string } = {},
): Promise<{ viewer: Page; linkId: string }> {
  const link = await call<{ id: string; url: string }>(page, url, 'POST', '/links', {
    albumIds: [albumId],
    rules: { ageGate: false },
    isLaxConfirmed: true,
    ...names,
  });
  const viewer = await phone.newPage();
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const tile = viewer.getByRole('button', { name: `Video 1 of 1, ${formatClock(1000 * seconds)}` });
  await expect(tile.locator('canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await tile.focus();
  return { viewer, linkId: link.id };
}

/** The poster stands, and what plays videos has come. */
export async function untilReady(viewer: Page): Promise<void> {
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await expect(viewer.getByRole('region', { name: 'Video controls' })).toBeAttached({ timeout: 30_000 });
}
