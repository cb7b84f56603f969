import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectFits, type HouseOfJourney, takePictures } from './house.ts';

/*
 * Every screen as a picture in two sizes, the studio in both themes: `test-results/screens`. Each is looked through by axe
 * in each theme and has to fit 320 pixels and a zoom of 200 %.
 */

/** One screen of the studio: its pictures, axe in both themes, narrow and enlarged. */
export async function show(page: Page, name: string, untilStill = settle): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await untilStill(page);
    await takePictures(page, theme === 'light' ? name : `${name}-dark`);
    await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await expectFits(page);
}

/** A screen of the viewer, who knows one theme. */
export async function showSalon(viewer: Page, name: string): Promise<void> {
  await takePictures(viewer, name);
  await expectAccessible(viewer);
  await expectFits(viewer);
}

/** Nothing is loading any more, and every picture that has a place here has come. */
async function settle(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.locator('figure:has(canvas):not([data-painted])')).toHaveCount(0, { timeout: 30_000 });
}

/** Goes to an address of the studio and waits for its heading. */
export async function visit(page: Page, house: HouseOfJourney, to: string, heading: string | RegExp): Promise<void> {
  await page.goto(`${house.url}${to}`);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible({ timeout: 20_000 });
}
