import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { becomeDemo, makeLink, openDoor, readClipboard } from '../support/steps.ts';

const drawn = pictureFiles('dunes', 'lamp', 'linen');

test('a viewer comes in, looks and leaves by the keyboard alone', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { recipientName: 'Kim', password: 'violet-harbour' });
  const { phone, viewer } = await openDoor(browser, link.url);
  await walkTo(viewer, viewer.getByRole('button', { name: 'Open', exact: true }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeFocused();
  await walkTo(viewer, viewer.getByRole('button', { name: 'Yes' }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeFocused();
  await walkTo(viewer, viewer.getByLabel('Password', { exact: true }));
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

  // Who leaves while a picture slides in has left: it does not come after her.
  await viewer.keyboard.press('Enter');
  await expect(dialog.getByRole('status').filter({ hasText: 'Photo 3 of 8' })).toBeAttached();
  await viewer.keyboard.press('ArrowRight');
  await viewer.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await viewer.waitForTimeout(500);
  await expect(dialog).toBeHidden();

  await walkTo(viewer, viewer.getByRole('button', { name: 'More' }), 'Shift+Tab');
  await viewer.keyboard.press('Enter');
  const sheet = viewer.getByRole('dialog', { name: 'This view' });
  await walkTo(viewer, sheet.getByRole('button', { name: 'What the creator can see' }));
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('dialog', { name: 'What the creator can see' })).toBeVisible();
  await viewer.keyboard.press('Escape');
  await expect(viewer.getByRole('dialog')).toBeHidden();
  await expect(viewer.getByRole('button', { name: 'More' })).toBeFocused();
  await phone.close();
});

test('a creator signs in, uploads, orders, shares and revokes by the keyboard alone', async ({ page, app }) => {
  test.setTimeout(240_000);
  const { email, password } = await app.newCreator(page);
  // Nobody has said yet who is shown in it.
  await call(page, app.url, 'POST', '/albums', { name: 'Golden hour' });
  await page.context().clearCookies();

  await page.goto(`${app.url}/auth`);
  await walkTo(page, page.getByLabel('Email'));
  await page.keyboard.type(email);
  await walkTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /, Mia$/ })).toBeVisible({ timeout: 20_000 });

  await walkTo(page, page.getByRole('link', { name: 'Albums', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Albums' })).toBeVisible();
  await walkTo(page, page.getByRole('link', { name: /Golden hour/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Golden hour' })).toBeVisible();
  await walkTo(page, page.getByRole('button', { name: 'Add photos or videos' }));
  const letGo = await holdOutcomes(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(drawn);
  await expect(page.getByRole('button', { name: /^Photo \d of 3/ })).toHaveCount(3, { timeout: 90_000 });

  const albumId = new URL(page.url()).pathname.split('/').at(-1);
  const order = async () =>
    (await call<{ items: { originalName: string }[] }>(page, app.url, 'GET', `/albums/${albumId}`)).items.map(
      ({ originalName }) => originalName,
    );
  const [one, two, three] = await order();
  await walkTo(page, page.getByRole('button', { name: 'Move: Photo 1 of 3' }));
  await page.keyboard.press('Space');
  // What is held says so, and where it is over is told after each step.
  const reported = page.getByRole('status').filter({ hasText: /^Position \d/ });
  await expect(reported).toBeAttached();
  // What was on its way arrives while a photo is lifted: nothing moves under the hand.
  await letGo();
  const before = await reported.textContent();
  await page.keyboard.press('ArrowRight');
  await expect(reported).not.toHaveText(before ?? '');
  await page.keyboard.press('Space');
  await expect.poll(order).toEqual([two, one, three]);
  await expect(page.getByRole('list', { name: 'Items' }).getByRole('listitem')).toHaveCount(3);

  // It is there as soon as there is something to share.
  await expect(page.getByRole('link', { name: 'Share' })).toBeVisible({ timeout: 120_000 });
  await walkTo(page, page.getByRole('link', { name: 'Share' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await walkTo(page, page.getByRole('button', { name: 'Only me' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Who is shown?' })).toBeHidden();
  await walkTo(page, page.getByRole('button', { name: 'Copy link' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await readClipboard(page)).toContain(`${app.url}/view/`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await walkTo(page, page.getByRole('link', { name: 'Analytics', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible();
  await walkTo(page, page.getByRole('link', { name: 'Links', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Magic links', level: 1 })).toBeVisible();

  await walkTo(page, page.getByRole('button', { name: /^Actions for/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Revoke…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog');
  await walkTo(page, question.getByRole('button', { name: 'Revoke link' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('Revoked');
});

test('whoever deletes, takes out and undoes by the keyboard keeps her place', async ({ page, app }) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Kept place', drawn);
  const photo = (place: number, of: number) =>
    page.getByRole('button', { name: `Photo ${place} of ${of}`, exact: true });
  const chosen = page.getByRole('toolbar', { name: 'Selected items' });
  const choose = async (place: number, of: number) => {
    await walkTo(page, page.getByRole('button', { name: `Select: Photo ${place} of ${of}` }));
    await page.keyboard.press('Space');
    await expect(chosen).toBeVisible();
  };
  await choose(2, 3);
  await walkTo(page, chosen.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await expect(photo(2, 2), 'the photo that moved up').toBeFocused();
  await page.keyboard.press('F6');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toBeFocused();
  await page.keyboard.press('F6');
  await expect(photo(2, 2), 'there and back').toBeFocused();
  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  await expect(undo).toBeHidden();
  await expect(photo(3, 3), 'where she was before, with what came back beside it').toBeFocused();

  await choose(1, 3);
  await walkTo(page, chosen.getByRole('button', { name: 'More actions for the selected items' }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Remove from this album' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(photo(1, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await walkTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await expect(photo(1, 1), 'deleted from its own dialog').toBeFocused();
  await choose(1, 1);
  await walkTo(page, chosen.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add photos or videos' }), 'an empty album begins again').toBeFocused();

  await walkTo(page, page.getByRole('button', { name: 'Deleted items' }));
  await page.keyboard.press('Enter');
  await walkTo(page, page.getByRole('list', { name: 'Deleted items' }).getByRole('button', { name: /^Undo/ }).first());
  await page.keyboard.press('Enter');
  await expect(photo(1, 1), 'what came back').toBeFocused();
});

/** Keeps back what became of the uploads, so that their tiles stay in the grid. @returns lets the news go, until the album was read again */
async function holdOutcomes(page: Page): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route('**/rpc/media/byUpload', async (route) => {
    await gate.promise;
    await route.continue();
  });
  return async () => {
    const news = page.waitForResponse(/media\/byUpload/);
    gate.resolve();
    await news;
    await page.waitForResponse(/albums\/one/);
    await page.waitForTimeout(500);
  };
}

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
