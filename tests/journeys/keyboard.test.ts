import type { Locator, Page } from '@playwright/test';
import { expect, test } from './house.ts';
import { becomeDemo, makeLink, openDoor } from './steps.ts';

test('a viewer comes in, looks and leaves by the keyboard alone', async ({ page, house, browser }) => {
  await becomeDemo(page, house);
  const link = await makeLink(page, house.url, { recipientName: 'Kim', password: 'violet-harbour' });
  const { phone, viewer } = await openDoor(browser, link.url);
  await walkTo(viewer, viewer.getByRole('button', { name: 'Open', exact: true }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeFocused();
  await walkTo(viewer, viewer.getByRole('button', { name: 'Yes' }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeFocused();
  await walkTo(viewer, viewer.getByLabel('Password'));
  await viewer.keyboard.type('violet-harbour');
  await viewer.keyboard.press('Enter');

  await expect(viewer.getByRole('heading', { name: 'Ana' })).toBeFocused({ timeout: 30_000 });
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible({ timeout: 20_000 });
  await walkTo(viewer, viewer.getByRole('button', { name: 'Photo 2 of 8' }));
  await viewer.keyboard.press('Enter');
  const dialog = viewer.getByRole('dialog', { name: 'Pictures' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'Photo 2 of 8' })).toBeVisible();
  await viewer.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('status').filter({ hasText: 'Photo 3 of 8' })).toBeAttached();
  await viewer.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('status').filter({ hasText: 'Photo 2 of 8' })).toBeAttached();

  const picture = dialog.getByRole('img', { name: 'Photo 2 of 8' });
  const widthOf = async () => Math.round((await picture.boundingBox())?.width ?? 0);
  const whole = await widthOf();
  await viewer.keyboard.press('+');
  await expect.poll(widthOf).toBeGreaterThan(whole);
  await viewer.keyboard.press('-');
  await expect.poll(widthOf).toBe(whole);

  // What faded away comes back for whoever walks to it.
  await walkTo(viewer, dialog.getByRole('button', { name: 'Next' }));
  await viewer.keyboard.press('Enter');
  await expect(dialog.getByRole('status').filter({ hasText: 'Photo 3 of 8' })).toBeAttached();
  await viewer.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(viewer.getByRole('button', { name: 'Photo 3 of 8' })).toBeFocused();

  await walkTo(viewer, viewer.getByRole('button', { name: 'More' }), 'Shift+Tab');
  await viewer.keyboard.press('Enter');
  const sheet = viewer.getByRole('dialog', { name: 'This view' });
  await walkTo(viewer, sheet.getByRole('button', { name: 'What the creator sees about you' }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('dialog', { name: 'What the creator sees about you' })).toBeVisible();
  await viewer.keyboard.press('Escape');
  await expect(viewer.getByRole('dialog')).toBeHidden();
  await expect(viewer.getByRole('button', { name: 'More' })).toBeFocused();
  await phone.close();
});

/** Goes on with Tab until a place has the focus; every stop on the way must be seen and have a name. */
async function walkTo(page: Page, place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(place).toBeVisible();
  for (let steps = 0; steps < 60; steps++) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(describeStop), 'each stop is seen and has a name').toEqual({
      isSeen: true,
      isNamed: true,
    });
  }
  throw new Error(`${place} was not reached with ${key}.`);
}

/** Runs in the page: whether the focused element is marked, and what it is called. */
function describeStop() {
  const stop = document.activeElement;
  if (!(stop instanceof HTMLElement) || stop === document.body) return { isSeen: true, isNamed: true };
  const isMarked = (element: Element | null) => {
    const { outlineStyle, outlineWidth, boxShadow } = element ? getComputedStyle(element) : {};
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || (boxShadow ?? 'none') !== 'none';
  };
  // A native box that is drawn by its label shows the mark there.
  const isSeen = isMarked(stop) || isMarked(stop.nextElementSibling) || isMarked(stop.closest('label'));
  const labels = stop instanceof HTMLInputElement ? [...(stop.labels ?? [])].map(({ textContent }) => textContent) : [];
  const named = [
    stop.getAttribute('aria-label'),
    document.getElementById(stop.getAttribute('aria-labelledby') ?? '')?.textContent,
    stop.textContent,
    stop.title,
    ...labels,
  ];
  return { isSeen, isNamed: named.some((name) => (name ?? '').trim() !== '') };
}
