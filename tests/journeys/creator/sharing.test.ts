import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show } from '../support/showing.ts';
import { becomeDemo, copyLink, expectDark, expectPainted, listLinks, openDoor, tapCopy } from '../support/steps.ts';

/** Opens the sheet of the demo's album, from the album's own page. */
async function openSheet(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/albums`);
  await page.getByRole('link', { name: /Golden hour/ }).click();
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog', { name: 'New link to Golden hour' })).toBeVisible();
}

const sentenceOf = (page: Page) => page.getByRole('dialog').locator('p', { hasText: /free to view/ });

test('a link is named and opened to any age in the sheet itself, and its page and its door say the same', {
  tag: '@main',
}, async ({ page, app, browser }) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  await openSheet(page, app.url);
  await expect(sentenceOf(page), 'what is said when nobody says anything').toContainText(
    'open to anyone who has it, adults only.',
  );

  // By the keyboard alone: each word is a button, and its card gives the focus back.
  const age = page.getByRole('button', { name: 'adults only', exact: true });
  await age.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Adults only', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await show(page, 'link-sheet-age');
  await page.getByRole('button', { name: 'Any age', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(sentenceOf(page)).toContainText('open to anyone who has it, of any age.');
  await expect(page.getByRole('button', { name: 'any age', exact: true })).toBeFocused();
  await page.getByRole('dialog').getByRole('radio', { name: '24 hours only' }).click();
  await expect(sentenceOf(page), "a preset asks nobody's age").toContainText("24 hours after it's first opened");
  await expect(sentenceOf(page)).toContainText('of any age.');

  await page.getByRole('button', { name: 'Link name' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Link name' })).toBeFocused();
  await page.keyboard.type('Summer for the family');
  await show(page, 'link-sheet-name');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Named “Summer for the family”' })).toBeFocused();
  await page.getByRole('button', { name: 'Welcome text' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Welcome text')).toBeFocused();
  await page.keyboard.type('Hello all of you.');
  await show(page, 'link-sheet-chosen');
  const address = await copyLink(page);
  await expect(sentenceOf(page)).toContainText('of any age.');

  // The next link begins with the rules of the last one, but it asks again.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(sentenceOf(page)).toContainText(
    "24 hours after it's first opened, open to anyone who has it, adults only.",
  );

  const made = (await listLinks(page, app.url)).find(({ url }) => url === address);
  expect(made?.linkName).toBe('Summer for the family');
  await page.goto(`${app.url}/magic-links/${made?.id}`);
  await expect(page.getByRole('heading', { name: 'Summer for the family', level: 1 })).toBeVisible();
  await expect(page.locator('p', { hasText: /free to view/ })).toContainText('open to anyone who has it, of any age.');
  await show(page, 'link-of-any-age');

  // At the door nobody is asked.
  const { phone, viewer } = await openDoor(browser, address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await expect(viewer.getByText('Hello all of you.')).toBeVisible();
  await phone.close();

  // The word stands on the link's own page too, and from then on whoever comes new is asked.
  await page.getByRole('button', { name: 'any age', exact: true }).click();
  await page.getByRole('button', { name: 'Adults only', exact: true }).click();
  await expect(page.locator('p', { hasText: /free to view/ })).toContainText('open to anyone who has it, adults only.');
  const late = await openDoor(browser, address);
  await late.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(late.viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await expectDark(late.viewer);
  await late.phone.close();
});

test('a link that nobody names is called after its person', async ({ page, app }) => {
  await becomeDemo(page, app);
  await openSheet(page, app.url);
  await page.getByRole('button', { name: 'someone', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Noor');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Link name' }).click();
  await expect(page.getByText('Only you see it. Leave it empty to use “Noor”.')).toBeVisible();
  await page.keyboard.press('Escape');
  const address = await copyLink(page);
  const made = (await listLinks(page, app.url)).find(({ url }) => url === address);
  expect(made?.linkName).toBe('Noor');
});

test('an end and a password that are chosen in the sheet hold: in the link and at its door', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  await openSheet(page, app.url);
  const sheet = page.getByRole('dialog', { name: 'New link to Golden hour' });
  await sentenceOf(page).getByRole('button').last().click();
  await page.getByRole('button', { name: 'In 24 hours' }).click();
  await expect(sentenceOf(page)).toContainText('Ends in 24 hours.');
  await sheet.getByRole('button', { name: 'Password' }).click();
  await expect(page.getByRole('button', { name: 'Set password' }), 'nothing is typed yet').toBeDisabled();
  await page.getByRole('textbox', { name: 'Password' }).fill('violet-harbour');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(sheet.getByRole('button', { name: 'Password set' }), 'the keyboard goes on from here').toBeFocused();
  await expect(sentenceOf(page)).toContainText('open to anyone who has it and a password, adults only.');
  const address = await copyLink(page);
  const made = (await listLinks(page, app.url)).find(({ url }) => url === address);
  expect(Math.abs(Date.parse(made?.expiresAt ?? '') - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);

  const { phone, viewer } = await openDoor(browser, address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeVisible();
  await expectDark(viewer);
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});

test('an album that wants to be asked about is: no makes nothing, yes makes the link', async ({ page, app }) => {
  await becomeDemo(page, app);
  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, app.url, 'GET', '/albums');
  const albumId = albums.find(({ name }) => name === 'Golden hour')?.id;
  await page.goto(`${app.url}/albums/${albumId}/settings`);
  const guarded = page.getByRole('switch', { name: /^Ask me first/ });
  await guarded.click();
  await expect(guarded).toBeChecked();
  const before = (await listLinks(page, app.url)).length;
  await openSheet(page, app.url);
  const begun = page.getByRole('dialog').locator('p', { hasText: /asking me first to view/ });
  await expect(begun, 'as the album says').toBeVisible();
  await page.getByRole('radio', { name: 'Just look' }).check();
  const question = page.getByRole('dialog', { name: 'Create an open link?' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tapCopy(page);
  await expect(question).toContainText('Anyone with this link gets in.');
  await show(page, 'link-make-anyway', async () => undefined);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText("Couldn't create the link")).toBeVisible();
  expect(await listLinks(page, app.url)).toHaveLength(before);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await question.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByRole('dialog', { name: 'Your link to Golden hour' })).toBeVisible();
  await show(page, 'link-made');
  expect(await listLinks(page, app.url)).toHaveLength(before + 1);
  await page.goto(`${app.url}/albums/${albumId}/settings`);
  await guarded.click();
  await expect(guarded).not.toBeChecked();
});
