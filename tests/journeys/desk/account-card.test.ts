import { expect, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';
import { signUp } from '../support/signing-up.ts';

test.setTimeout(300_000);

const longName = 'Maximiliana Dudelsackpfeifenmachergattin';

test('an administrator reads the card of an account, notes something, and asks the provider about its plan', async ({
  page,
  app,
  browser,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  const creator = await signUp(theirs, app, { displayName: longName });
  const albumId = await makeAlbum(theirs, app.url, 'Beach', pictureFiles('sea'));
  const params = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(theirs, app.url, 'POST', '/links', params);
  const { user } = await call<{ user: { id: string } }>(theirs, app.url, 'GET', '/me');
  const { number } = await call<{ number: string }>(theirs, app.url, 'POST', '/reports', {
    kind: 'copyright',
    target: `${app.url}/view/${slug}`,
    details: 'The first photo is mine.',
    onBehalf: 'self',
    name: 'Ana Example',
    email: creator.email,
    isInGoodFaith: true,
  });

  await becomeAdministrator(page, app);
  await visit(page, app, `/admin/users/${user.id}`, longName);
  const note = page.getByLabel('A note for other administrators');
  await note.fill('Called about a code.\nKnows her album.');
  await page.getByRole('button', { name: 'Add note' }).dblclick();
  await expect(page.getByText('The note is saved')).toBeVisible();
  await expect(page.getByText('Called about a code.')).toHaveCount(1);
  await expect(note).toHaveValue('');
  await page.getByRole('button', { name: 'Recompute from provider' }).dblclick();
  await expect(page.getByText(/The payment provider has answered|Couldn't ask it/)).toBeVisible();
  await show(page, 'admin-account-of-another');
  for (const section of ['Notes', 'Money']) {
    await page.getByRole('heading', { name: section, exact: true }).evaluate((heading) => heading.scrollIntoView());
    await show(page, `admin-account-${section.toLowerCase()}`);
  }

  await page.getByRole('link', { name: 'Payments to them' }).click();
  await expect(page.getByRole('heading', { name: 'Found', exact: true })).toBeVisible();
  await page.goBack();
  await page
    .getByRole('link', { name: new RegExp(`^${number}: `) })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: `Report ${number}` })).toBeVisible();
});
