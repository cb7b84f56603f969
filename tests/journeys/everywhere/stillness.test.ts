import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { visit } from '../support/showing.ts';
import { becomeDemo, enter, makeLink } from '../support/steps.ts';

/*
 * Whoever asked the system for less motion sees none: each frame of a walk through both rooms is looked through for what moves.
 * The same walk for everybody else shows that the looking finds something.
 */
test.setTimeout(240_000);

for (const reducedMotion of ['reduce', 'no-preference'] as const)
  test(`motion in the studio and the viewer app: ${reducedMotion}`, async ({ browser, app }) => {
    const desk = await browser.newContext({ reducedMotion, viewport: { width: 390, height: 844 } });
    const page = await desk.newPage();
    const studio = await watchMotion(page);
    await becomeDemo(page, app);
    await visit(page, app, '/dev/ui', /./);
    await page.waitForTimeout(300);
    const components = await studio();
    await visit(page, app, '/albums', 'Albums');
    await page.getByRole('button', { name: 'New Album' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Links' }).click();
    await page.getByRole('button', { name: 'New link' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Bob' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    const walk = await studio();

    const phone = await openPhone(browser);
    const viewer = await phone.newPage();
    await viewer.emulateMedia({ reducedMotion });
    const viewerApi = await watchMotion(viewer);
    await viewer.goto((await makeLink(page, app.url, {})).url);
    await enter(viewer, 8);
    await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
    await viewer.getByRole('button', { name: 'Photo 2 of 8' }).tap();
    await expect(viewer.getByRole('dialog', { name: 'Pictures' })).toBeVisible();
    await viewer.keyboard.press('ArrowRight');
    await expect(viewer.getByRole('status').filter({ hasText: 'Photo 3 of 8' })).toBeAttached();
    await viewer.keyboard.press('Escape');
    await viewer.getByRole('button', { name: 'More' }).tap();
    await expect(viewer.getByRole('dialog')).toBeVisible();
    const pictures = await viewerApi();
    if (reducedMotion === 'reduce') expect([components, walk, pictures]).toEqual([[], [], []]);
    else {
      expect(components.join(' ')).toMatch(/turn.*live|live.*turn/);
      expect(walk).not.toEqual([]);
      expect(pictures, 'the reveal').toContain('reveal on canvas');
    }
    await Promise.all([desk.close(), phone.close()]);
  });

/** Looks at every frame of every page to come. @returns reads what has moved since the last reading, each once */
async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moved = new Set<string>();
    Object.assign(window, { moved });
    const look = () => {
      for (const animation of document.getAnimations()) {
        const { target } = animation.effect as KeyframeEffect;
        const what = animation instanceof CSSAnimation ? animation.animationName : 'transition';
        moved.add(`${what} on ${target?.localName ?? '?'}`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const { moved } = window as unknown as { moved: Set<string> };
      const found = [...moved].sort();
      moved.clear();
      return found;
    });
}
