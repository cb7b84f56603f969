import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { becomeDemo, connectStripe } from '../support/steps.ts';
import { setUpTwoStep } from '../support/two-step.ts';

const steps = (page: Page) => page.getByRole('region', { name: 'Getting Started' }).getByRole('listitem');

test('the first steps follow what is done, on every device, and end with the last one that can be done', {
  tag: '@main',
}, async ({ page, app, browser }) => {
  const complaints = await collectComplaints(page);
  const { email, password } = await app.newCreator(page);
  await page.goto(app.url);
  await expect(steps(page)).toContainText([
    'Upload, next',
    'Create a magic link, later',
    'Share it, later',
    'Get paid, later',
  ]);
  await expect(page.getByRole('heading', { name: 'Get Paid' })).toBeVisible();
  await show(page, 'dashboard-first-steps');

  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await call(page, app.url, 'POST', '/links', { albumIds: [albumId], linkName: 'For Bob', isLaxConfirmed: true });
  const [share, paid] = [steps(page).nth(2), steps(page).nth(3)];
  await expect(share).toContainText('Share it, next');
  await expect(paid.getByRole('link'), 'it waits its turn').toHaveCount(0);

  // Another device has the dashboard open and hears of it.
  const phone = await openPhone(browser);
  const other = await phone.newPage();
  await call(other, app.url, 'POST', '/sign-in', { email, password });
  await other.goto(app.url);
  await expect(steps(other).nth(2)).toContainText('Share it, next');

  await page.getByRole('button', { name: 'Actions for For Bob' }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect(page.getByRole('status').getByText('Link copied')).toBeVisible();
  for (const one of [page, other]) await expect(steps(one).nth(3)).toContainText('Get paid, next');
  await paid.getByRole('link').click();
  await connectStripe(page);
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Magic Links' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Getting Started' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Magic Links' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Getting Started' })).toHaveCount(0);
  await phone.close();
  expect(complaints).toEqual([]);
});

test('every card leads where it says, and on a phone everything is a thumb away', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  await page.goto(app.url);
  for (const [name, address] of [
    ['New Album', '/albums?new=1'],
    ['View All Albums', '/albums'],
    ['Create Link', '/magic-links?new=1'],
    ['View All Links', '/magic-links'],
    ['View Analytics', '/analytics'],
    ['View Detailed Analytics', '/analytics'],
  ] as const)
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', address);
  await show(page, 'dashboard-cards');
  const rail = page.getByRole('navigation', { name: 'Main' });
  await expect(rail.getByRole('link', { name: 'Help' })).toHaveAttribute('href', '/help');
  await expect(rail.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/contact');

  const phone = await openPhone(browser);
  const held = await phone.newPage();
  await app.become(held, 'creator@example.com');
  await held.goto(app.url);
  const bar = held.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Albums', 'Earnings', 'Profile']);
  await bar.getByRole('button', { name: 'More' }).click();
  await held.getByRole('menuitem', { name: 'Analytics' }).click();
  await expect(held.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible();
  await bar.getByRole('button', { name: 'More' }).click();
  await held.getByRole('menuitem', { name: 'Links' }).click();
  await expect(held.getByRole('heading', { name: 'Magic Links', level: 1 })).toBeVisible();
  await phone.close();
});

test('pages are measured on a computer, for administrators only', async ({ page, app }) => {
  const sent: unknown[] = [];
  const { email, password } = await app.newCreator(page);
  page.on('request', (request) => {
    if (request.url().endsWith('/api/webhook_events')) sent.push(request.postDataJSON());
  });
  const settle = async () => {
    await page.goto(app.url);
    await expect(page.getByRole('heading', { name: 'Your Albums' })).toBeVisible();
    await page.waitForTimeout(2500); // longer than the second for which measurements wait // more than the second that measurements wait
  };
  await settle();
  expect(sent, 'a creator').toEqual([]);
  await app.operate('admin', email);
  await page.goto(`${app.url}/albums`);
  await expect(page.getByText('Administrators sign in with a second step.')).toBeVisible();
  await expect(page).toHaveURL(/\/account\/two-step\?returnTo=%2Falbums$/);
  await show(page, 'two-step-for-administrators');
  await setUpTwoStep(page, app.url, password);
  await page.reload();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Albums', level: 1 })).toBeVisible();
  const taken = page.waitForResponse((answer) => answer.url().endsWith('/api/webhook_events'));
  await page.goto(app.url);
  expect((await taken).status()).toBe(204);
  expect(sent[0]).toMatchObject({ provider: 'web-vitals', event_type: 'performance_metrics' });
  // What the page that is left still has to say comes before.
  await page.goto('about:blank');
  await page.setViewportSize({ width: 390, height: 844 });
  sent.length = 0;
  await settle();
  expect(sent, 'on a phone').toEqual([]);
});
