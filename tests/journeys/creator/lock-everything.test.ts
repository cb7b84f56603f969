import { readFileSync } from 'node:fs';
import { expect, test } from '../support/app.ts';
import { show, visit } from '../support/showing.ts';
import { becomeDemo, enter, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

/* The panic button, and the way back from it. */

test('everything is locked with two taps: open screens end and other devices are signed out; one link comes back by Undo', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const [kept, lost] = [
    await makeLink(page, app.url, { recipientName: 'Bob', linkName: 'For Bob' }),
    await makeLink(page, app.url, { recipientName: 'Eve', linkName: 'For Eve' }),
  ];
  const [bob, eve] = [await openDoor(browser, kept.url), await openDoor(browser, lost.url)];
  for (const { viewer } of [bob, eve]) await enter(viewer, 8);
  const tablet = await browser.newPage();
  await app.become(tablet, 'creator@example.com');

  await test.step('two taps from the page of what keeps an account safe', async () => {
    await visit(page, app, '/profile/security', 'Lock everything');
    await page.getByRole('button', { name: 'Lock everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock everything now' }).dblclick();
    await expect(page.getByText('Everything is locked', { exact: true })).toBeVisible();
    for (const { viewer } of [bob, eve]) {
      await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 30_000 });
      await expectDark(viewer);
    }
  });

  await test.step('another device of the creator is signed out, this one is not', async () => {
    await tablet.goto(`${app.url}/magic-links`);
    await expect(tablet).toHaveURL(/\/auth/);
    await page.goto(`${app.url}/magic-links`);
    const list = page.getByRole('list', { name: 'Magic links' });
    await expect(list.getByRole('listitem').filter({ hasText: 'For Bob' })).toContainText('Revoked');
    await show(page, 'everything-locked');
  });

  await test.step('one link comes back with Undo on its own page, for the same viewer, and no other does', async () => {
    await page.goto(`${app.url}/magic-links/${kept.id}`);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(page.getByText('Access restored', { exact: true })).toBeVisible();
    await bob.viewer.reload();
    await bob.viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expectPainted(bob.viewer, 8);
    await eve.viewer.reload();
    await eve.viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(eve.viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible();
  });
  await Promise.all([bob.phone.close(), eve.phone.close(), tablet.close()]);
});

test('a shortcut of the home screen asks at once, also of who has to sign in first; one tap locks everything', async ({
  page,
  app,
}) => {
  const { email, password } = await app.newCreator(page);
  const [usual, neutral] = ['manifest', 'manifest-neutral'].map((name) => {
    const { shortcuts } = JSON.parse(readFileSync(`public/${name}.webmanifest`, 'utf8'));
    return shortcuts.find((one: { name: string }) => one.name === 'Lock everything').url;
  });
  expect(neutral).toBe(usual);
  const question = page.getByRole('dialog', { name: 'Lock everything?' });

  await page.goto(`${app.url}${usual}`);
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Lock everything' }), 'it asks once').toBeVisible();
  await expect(question).toBeHidden();

  await page.context().clearCookies();
  await page.goto(`${app.url}${usual}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(question).toBeVisible();
  await show(page, 'lock-everything-shortcut');
  await question.getByRole('button', { name: 'Lock everything now' }).click();
  await expect(page.getByText('Everything is locked', { exact: true })).toBeVisible();
  await expect(question).toBeHidden();
});
