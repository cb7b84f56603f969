import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';
import { signUp } from '../support/signing-up.ts';

test.setTimeout(240_000);

const how = 'Follow one photo from you to a viewer';

test('an administrator sees what this installation is made of, and goes from a part to its light', async ({
  page,
  app,
}) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/diagram', how);
  await page.getByRole('link', { name: 'This installation' }).click();
  await expect(page.getByRole('heading', { name: 'This installation' })).toBeVisible();
  const web = page.getByRole('radio', { name: /^Web process/ });
  await expect(web).toBeChecked();
  // A part is chosen by hand and by key.
  await page.getByRole('radio', { name: /^Storage Well/ }).check({ force: true });
  const panel = page.getByRole('region', { name: 'Storage' });
  await expect(panel.getByText(`files in ${app.dataDir}`)).toBeVisible();
  await expect(panel.getByText('Originals become encrypted pieces')).toBeVisible();
  await show(page, 'diagram-storage');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('region', { name: 'Database' })).toBeVisible();
  await page.getByRole('link', { name: 'What was found, and what to do' }).click();
  await expect(page.getByRole('heading', { name: 'Nervecheck' })).toBeVisible();
  await page.getByRole('link', { name: 'See how the parts belong together' }).click();
  await page.getByRole('link', { name: 'How it works', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: how })).toBeVisible();
});

test('to everybody else there is one diagram, and no page of this installation', async ({ page, app, browser }) => {
  await signUp(page, app, { displayName: 'Mia' });
  const context = await browser.newContext();
  const visitor = await context.newPage();
  for (const person of [page, visitor]) {
    await visit(person, app, '/diagram', how);
    await expect(person.getByRole('navigation', { name: 'Diagram' })).toHaveCount(0);
    const answer = await person.goto(`${app.url}/diagram/installation`);
    expect(answer?.status()).toBe(404);
    await expect(person.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(person.getByText('Web process')).toHaveCount(0);
  }
  await context.close();
});
