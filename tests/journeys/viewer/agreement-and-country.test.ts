import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { becomeDemo, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

test('a text is written on the link, agreed to under a name, and its creator sees by whom', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { recipientName: 'Lena', rules: { ageGate: false } });
  await page.goto(`${app.url}/magic-links/${link.id}`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const card = page.getByRole('dialog', { name: 'Add a rule' });
  await card.getByRole('button', { name: 'Agreement' }).click();
  await card.getByLabel('Title').fill('House rules');
  await card.getByLabel('Text').fill('I keep this to myself.\nI show it to no one.');
  await card.getByText('They type their name').click();
  await show(page, 'link-agreement');
  await card.getByRole('button', { name: 'Ask to agree' }).click();
  await expect(page.getByRole('button', { name: 'House rules' })).toBeVisible();
  await expect(page.getByText('No one yet.')).toBeVisible();

  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByText('I show it to no one.')).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'gate-agreement');
  await viewer.getByRole('button', { name: 'Agree and open' }).click();
  await expect(viewer.getByText('I show it to no one.'), 'nothing is agreed to by the button alone').toBeVisible();
  await viewer.getByLabel('I have read this and agree').check();
  await viewer.getByLabel('Your full name').fill('Lena Weber');
  await viewer.getByRole('button', { name: 'Agree and open' }).click();
  await expectPainted(viewer, 8);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Who agreed' })).toBeVisible();
  await expect(page.getByText('Lena Weber')).toBeVisible();
  await show(page, 'link-who-agreed');

  // A changed text is another version: whoever looks is asked again.
  await page.getByRole('button', { name: 'House rules' }).click();
  await page.getByRole('button', { name: 'Change the text' }).click();
  await page.getByLabel('Text', { exact: true }).fill('I keep this to myself, always.');
  await page.getByRole('button', { name: 'Ask to agree' }).click();
  await expect(viewer.getByRole('heading', { name: 'Please read and agree first' })).toBeVisible({ timeout: 60_000 });
  await expectDark(viewer);
  await viewer.getByRole('button', { name: 'Read it' }).click();
  await expect(viewer.getByText('I keep this to myself, always.')).toBeVisible();
  await phone.close();
});

test('a country is found by its name, and elsewhere the link says so', async ({ page, app, browser }) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { rules: { ageGate: false } });
  await page.goto(`${app.url}/magic-links/${link.id}`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const card = page.getByRole('dialog', { name: 'Add a rule' });
  await card.getByRole('button', { name: 'Countries' }).click();
  await card.getByLabel('Search countries').fill('germ');
  await card.getByText('Germany').click();
  await card.getByLabel('Search countries').fill('cote');
  await card.getByText('Côte d’Ivoire').click();
  await show(page, 'link-countries');
  await card.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'only in Germany and 1 more' })).toBeVisible();
  await show(page, 'link-with-countries');

  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Not available in your region' })).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Report a problem' })).toHaveAttribute('href', '/report');
  await expectDark(viewer);
  await showViewerApp(viewer, 'gate-country');

  // Where nothing tells the country, its creator may let people in all the same.
  const geo = { mode: 'allow', countries: ['DE'], whenUnknown: 'allow' };
  await call(page, app.url, 'PATCH', `/links/${link.id}`, { rules: { ageGate: false, geo } });
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});
