import { expect, test } from '../support/app.ts';
import { show, visit } from '../support/showing.ts';
import { becomeDemo, enter, makeLink, openDoor } from '../support/steps.ts';

/* What a creator sees of attempts to copy, what their link does by itself about them, and how that is taken back. */

test('the home page shows an attempt while it is open, the link closes the screen by its rule, and Undo lets the viewer back', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const rules = { autoResponse: { do: 'close', threshold: 2 } };
  const link = await makeLink(page, app.url, { linkName: 'For Bob', rules });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await page.goto(app.url);
  const panel = page.getByRole('region', { name: 'Security events' });
  await expect(panel).toBeVisible();

  await test.step('what was pressed comes by itself, as what it is', async () => {
    await viewer.keyboard.press('Control+c');
    const row = panel.getByRole('listitem').filter({ hasText: 'The shortcut to copy was pressed' }).first();
    await expect(row).toContainText('High', { timeout: 15_000 });
    await expect(row).toContainText('For Bob');
    await expect(row).toContainText('reported by browser');
    await panel.scrollIntoViewIfNeeded();
    await show(page, 'security-events');
  });

  await test.step("the second one is answered by the link's rule", async () => {
    await viewer.keyboard.press('Control+s');
    await expect(viewer.getByRole('heading', { name: 'This view was closed' })).toBeVisible({ timeout: 15_000 });
    await expect(viewer.getByText('The creator can open it again for you.')).toBeVisible();
    await viewer.reload();
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  });

  await test.step('on the page of the link it stands with what was done, and Undo lets the viewer back', async () => {
    await page.goto(`${app.url}/magic-links/${link.id}`);
    const row = panel.getByRole('listitem').filter({ hasText: "Closed to this viewer by the link's rule" });
    await expect(row).toContainText('The shortcut to save was pressed');
    await show(page, 'security-events-of-link');
    await visit(page, app, '/profile/blocked', 'Blocked viewers');
    await expect(page.getByText('Only “For Bob”: its own rule closed it')).toBeVisible();
    await show(page, 'closed-by-rule');
    await page.goto(`${app.url}/magic-links/${link.id}`);
    await row.getByRole('button', { name: 'Undo' }).click();
    await expect(row).toContainText('undone');
    await viewer.reload();
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(viewer.getByRole('button', { name: /^Photo 1 of/ })).toBeVisible({ timeout: 20_000 });
  });

  await test.step('the list is narrowed by risk, and one event is ignored and taken back', async () => {
    await panel.getByRole('radio', { name: 'Medium' }).check();
    await expect(panel.getByText('No security events of this risk')).toBeVisible();
    await panel.getByRole('radio', { name: 'High' }).check();
    await panel.getByRole('button', { name: 'What to do: The shortcut to copy was pressed' }).click();
    await page.getByRole('menuitem', { name: 'Ignore' }).click();
    const row = panel.getByRole('listitem').filter({ hasText: 'The shortcut to copy was pressed' });
    await expect(row).toContainText('Ignored');
    await row.getByRole('button', { name: 'Undo' }).click();
    await expect(row).not.toContainText('Ignored');
  });

  await test.step('blocking the viewer closes their screen', async () => {
    await panel.getByRole('button', { name: 'What to do: The shortcut to copy was pressed' }).click();
    await page.getByRole('menuitem', { name: 'Block viewer' }).click();
    await page.getByRole('button', { name: 'Block viewer' }).click();
    await expect(panel.getByRole('listitem').filter({ hasText: 'Viewer blocked' })).toBeVisible();
    await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible({ timeout: 30_000 });
  });
  await phone.close();
});

test('a link for one person that was passed on stays shut, and its creator sees that somebody else tried it', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Only Bob', rules: { bindFirstViewer: true } });
  const bob = await openDoor(browser, link.url);
  await enter(bob.viewer, 8);
  await page.goto(`${app.url}/magic-links/${link.id}`);
  const panel = page.getByRole('region', { name: 'Security events' });
  await expect(panel.getByText('No security events recorded yet')).toBeVisible();

  const eve = await openDoor(browser, link.url);
  await eve.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await eve.viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(eve.viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  const row = panel.getByRole('listitem').filter({ hasText: 'Somebody else tried a link for one person' });
  await expect(row).toContainText('Medium', { timeout: 15_000 });
  await expect(row).toContainText('seen by us');
  await show(page, 'link-passed-on');
  await expect(bob.viewer.getByRole('button', { name: /^Photo 1 of/ })).toBeVisible();
  await Promise.all([bob.phone.close(), eve.phone.close()]);
});
