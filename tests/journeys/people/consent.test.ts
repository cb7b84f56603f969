import { expect, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';
import { enter, openDoor } from '../support/steps.ts';

/* Whoever is shown in an album is asked, says yes, and takes it back: nobody sees the album before the yes or after its end. */

test.setTimeout(300_000);

test('somebody who is shown agrees, and withdraws: the album locks before the viewer looks again', async ({
  page,
  app,
  browser,
}) => {
  const lena = `lena-${process.pid}@example.com`;
  const creator = await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'Lake', pictureFiles('evening'));
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/links', {
    albumIds: [albumId],
    linkName: 'For Bob',
  });

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const people = page.getByRole('region', { name: 'Who is shown', exact: true });
  await people.getByRole('radio', { name: 'Others too' }).click();
  await expect(people.getByText('Name everyone who is shown besides you.')).toBeVisible();
  await people.getByLabel('Name').fill('Lena');
  await people.getByLabel('Email').fill(lena);
  await people.getByRole('button', { name: 'Ask for consent' }).click();
  await expect(people.getByRole('listitem')).toContainText('Waiting');
  await expect(page.getByRole('heading', { name: 'Not everyone shown has agreed yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Share', exact: true })).toHaveCount(0);
  await show(page, 'album-people-waiting');
  await page.getByRole('link', { name: /^Links \d/ }).click();
  await expect(page.getByRole('list', { name: 'Magic links' })).toContainText('Waiting for consent');
  await page.getByRole('link', { name: 'For Bob' }).click();
  await expect(page.getByText('This link opens for nobody until they have.')).toBeVisible();
  await show(page, 'link-without-consent');

  const { phone, viewer } = await openDoor(browser, url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Temporarily unavailable' })).toBeVisible();

  const elsewhere = await browser.newContext();
  const person = await elsewhere.newPage();
  const { link } = await app.readEmail(lena);
  await person.goto(link);
  await expect(person.getByRole('heading', { name: 'Do you agree to being shown?' })).toBeVisible();
  await expect(person).toHaveURL(`${app.url}/consent`);
  await show(person, 'consent');
  const yes = person.getByRole('button', { name: 'Yes, I agree' });
  await yes.click();
  await expect(person.getByText('Enter your full name')).toBeVisible();
  await person.getByLabel('Your full name').fill('Lena Berg');
  await person.getByRole('checkbox', { name: /^I am 18 or older/ }).check();
  await person.getByRole('checkbox', { name: /^I have read/ }).check();
  await yes.click();
  await expect(person.getByRole('heading', { name: 'You agreed to being shown' })).toBeVisible();
  await show(person, 'consent-given');

  await viewer.goto(url);
  await enter(viewer, 1);
  await expect(viewer.locator('#grid canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await person.getByRole('button', { name: 'Withdraw my consent' }).click();
  await person.getByRole('dialog').getByRole('button', { name: 'Withdraw it' }).click();
  await expect(person.getByRole('heading', { name: 'Your consent is withdrawn' })).toBeVisible();
  await show(person, 'consent-withdrawn');
  await expect(viewer.getByRole('heading', { name: 'This content was removed.' })).toBeVisible({ timeout: 30_000 });
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'This content was removed.' })).toBeVisible();

  await page.goto(`${app.url}/albums/${albumId}/settings`);
  await expect(page.getByRole('heading', { name: 'Someone has withdrawn their consent' })).toBeVisible();
  await show(page, 'album-consent-withdrawn');
  await people.getByRole('button', { name: 'Their pictures are out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, it is out' }).click();
  await expect(people.getByText('You said that everything that shows them is out.')).toBeVisible();

  const desk = await (await browser.newContext()).newPage();
  await becomeAdministrator(desk, app);
  await visit(desk, app, '/admin/moderation', 'Reports');
  const locked = desk.getByRole('list', { name: 'Locked albums' }).getByRole('listitem');
  await locked.filter({ hasText: creator.email }).getByRole('button', { name: 'Decide' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Decision').click();
  await desk.getByRole('option', { name: /take the lock off/ }).click();
  await dialog.getByRole('button', { name: 'Take lock off' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await dialog.getByLabel('Why').fill('Nobody is to be seen in what is left.');
  await show(desk, 'admin-locked-album');
  await dialog.getByRole('button', { name: 'Take lock off' }).dblclick();
  await expect(desk.getByText('The withdrawal is settled')).toBeVisible();
  await expect(locked.filter({ hasText: creator.email })).toHaveCount(0);
  await app.readEmail(creator.email, 'Nobody is to be seen in what is left.');
  await desk.context().close();
  await phone.close();
  await elsewhere.close();
});

test('a new album asks who is shown where its first link is made', async ({ page, app }) => {
  await app.newCreator(page);
  const { id } = await call<{ id: string }>(page, app.url, 'POST', '/albums', { name: 'Shore' });
  await page.goto(`${app.url}/albums/${id}/links?new=1`);
  const question = page.getByRole('region', { name: 'Who is shown?' });
  await expect(question).toBeVisible();
  await show(page, 'people-question');
  await question.getByRole('button', { name: 'Only me' }).click();
  await expect(question).toBeHidden();
});
