import type { Page } from '@playwright/test';
import { expect, type JourneyApp } from './app.ts';
import { lookAt } from './looking.ts';

/*
 * Every screen as a picture in two sizes, the studio in both themes: `test-results/screens`. What is looked for beside the
 * picture stands in `looking.ts`.
 */

/** One screen of the studio. */
export const show = (page: Page, name: string, untilStill = settle): Promise<void> =>
  lookAt(page, { name, themes: ['light', 'dark'], untilStill });

/** A screen of the viewer, who knows one theme. */
export const showViewerApp = (viewer: Page, name: string): Promise<void> =>
  lookAt(viewer, { name, themes: ['dark'], untilStill: async () => undefined });

/** Nothing is loading any more, and every picture that has a place here has come. */
async function settle(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.locator('figure:has(canvas):not([data-painted])')).toHaveCount(0, { timeout: 30_000 });
}

/** Goes to an address of the studio and waits for its heading. */
export async function visit(page: Page, app: JourneyApp, to: string, heading: string | RegExp): Promise<void> {
  await page.goto(`${app.url}${to}`);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible({ timeout: 20_000 });
}
