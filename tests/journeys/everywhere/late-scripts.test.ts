import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { hold } from '../support/steps.ts';

/** Turns what waits for ten seconds to a moment of its wait. */
const turnTo = (page: Page, ms: number) =>
  page.evaluate((moment) => {
    const late = document.getAnimations().filter((one) => one instanceof CSSAnimation && one.animationName === 'late');
    for (const animation of late) {
      animation.pause();
      animation.currentTime = moment;
    }
    return late.length;
  }, ms);

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`a page whose scripts do not come offers another try after ten seconds, motion: ${reducedMotion}`, async ({
    page,
    app,
  }) => {
    await page.emulateMedia({ reducedMotion });
    const scripts = await hold(page, '**/assets/*.js');
    const asked: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && asked.push(new URL(request.url()).pathname));
    await page.goto(`${app.url}/auth?action=signup`, { waitUntil: 'commit' });
    await expect(page.getByText('Loading app...')).toBeVisible();
    const again = page.getByRole('link', { name: 'Try again' });
    expect(await turnTo(page, 9_990)).toBe(1);
    await expect(again).toBeHidden();
    await turnTo(page, 10_010);
    await expect(page.getByText('This is taking longer than it should.')).toBeVisible();
    // The script is what is late: the link needs none.
    await again.click();
    await expect.poll(() => asked).toEqual(['/auth', '/auth']);
    scripts.letCome();
    await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeVisible();
    expect(page.url()).toBe(`${app.url}/auth?action=signup`);
  });
