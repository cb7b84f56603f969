import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { pageAt, pages } from '../support/addresses.ts';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { tourDesk } from '../support/desk-tour.ts';
import { pictureOf, readLooks, sizes } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp, visit } from '../support/showing.ts';
import { signUpByHand } from '../support/signing-up.ts';
import { becomeDemo, enter, expectPainted, listLinks, makeLink, openDoor, renewNow } from '../support/steps.ts';

test.setTimeout(600_000);

test('signed out: home, the ways in, what is not there', { tag: '@main' }, async ({ page, app }) => {
  await visit(page, app, '/', /./);
  await show(page, 'home');
  await visit(page, app, '/pricing', 'One plan, everything in it');
  await show(page, 'pricing');
  for (const [address, heading, name] of [
    ['/help', 'Help', 'help'],
    ['/about', 'Private by design, honest by habit', 'about'],
    ['/creator-safety', 'Your safety comes first', 'creator-safety'],
    ['/onlyfans-alternative', 'A private alternative to OnlyFans', 'alternative'],
    ['/comparison', 'Side by side, with sources', 'comparison'],
    ['/signup', 'Recommend what you trust', 'programme'],
    ['/diagram', 'Follow one photo from you to a viewer', 'diagram'],
    ['/report', 'Report a picture', 'report'],
    ['/contact', 'Contact support', 'contact'],
    ['/my', /./, 'my-purchases'],
    ['/my/data', 'Your data', 'my-data'],
    ['/find-my-purchases', /./, 'find-my-purchases'],
    ['/album-purchase-success?session_id=cs_test_nobody', /./, 'no-such-purchase'],
    ['/subscription-success?session_id=cs_test_nobody', /./, 'no-such-subscription'],
    ['/custom-request?creator=nobody', 'No requests here', 'no-requests'],
    ['/custom-request-success?session_id=cs_test_nobody', 'Check your email', 'no-such-request-paid'],
    ['/request/nobody', 'Your request', 'no-such-request'],
    ['/dmca', 'Copyright and DMCA', 'dmca'],
    ['/consent', 'This link is incomplete', 'consent-incomplete'],
    ['/case', 'This link is incomplete', 'case-incomplete'],
  ] as const) {
    await visit(page, app, address, heading);
    await show(page, name);
  }
  await visit(page, app, '/auth', 'Welcome Back');
  await show(page, 'sign-in');
  await visit(page, app, '/auth?action=forgot', /password/i);
  await show(page, 'forgot');
  await visit(page, app, '/auth?action=signup', 'Start your free trial');
  await show(page, 'sign-up');
  await visit(page, app, '/terms-of-use', 'Terms of use');
  await show(page, 'terms');
  await visit(page, app, '/acceptable-use', 'Content policy');
  await show(page, 'content-policy');
  await visit(page, app, '/privacy-policy', 'Privacy policy');
  await show(page, 'privacy');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visit(page, app, '/demo', /./);
  await show(page, 'demo');
  await page.emulateMedia({ reducedMotion: null });
  await visit(page, app, '/tip-success?session_id=cs_test_nobody', /./);
  await show(page, 'no-such-tip');
  await visit(page, app, '/receipt/nobody', 'No such receipt');
  await show(page, 'no-such-receipt');
  for (const place of ['pay', 'onboard', 'account', 'card', 'bank']) {
    await visit(page, app, `/sandbox/${place}/nobody`, 'This payment is over');
    await show(page, `sandbox-${place}-over`);
  }
  await visit(page, app, '/unsubscribe/nobody', 'Stop these emails?');
  await show(page, 'unsubscribe');
  await visit(page, app, '/no/such/page', /./);
  await show(page, 'not-found');
  const [, invitation = ''] =
    /(\/free-join\/\w{22})/.exec(await app.operate('invite', 'Friends', '--days', '30')) ?? [];
  await visit(page, app, invitation, 'You are invited to PrivateFans – free for 30 days. No card.');
  await show(page, 'invited');
  await visit(page, app, '/free-join/nobody-made-this', 'This invitation has ended.');
  await show(page, 'invitation-ended');
});

test('every component in every state', { tag: '@main' }, async ({ page, app }) => {
  await visit(page, app, '/dev/ui', /./);
  // Some of them are loading for ever, to be looked at.
  await show(page, 'components', async () => undefined);
});

test('what a developer and an operator look into', { tag: '@main' }, async ({ page, app, browser }) => {
  await visit(page, app, '/dev/outbox', 'Not open in this browser');
  await show(page, 'dev-closed');
  await app.openDev(page);
  await visit(page, app, '/dev', 'Developer pages');
  await show(page, 'dev');
  for (const [name, heading] of [
    ['outbox', 'Outbox'],
    ['mails', 'Emails'],
    ['clock', 'Clock'],
    ['webhooks', 'Webhooks'],
    ['disputes', 'Disputes'],
    ['become', 'Become'],
    ['queue', 'Queue'],
  ] as const) {
    await visit(page, app, `/dev/${name}`, heading);
    await show(page, `dev-${name}`);
  }
  await tourDesk(page, app, browser);
});

test('from the first mail to an empty studio', { tag: '@main' }, async ({ page, app }) => {
  await signUpByHand(page, app, (step) => show(page, step));
  await show(page, 'setup-first-step');
  await page.getByRole('button', { name: /Look around/ }).click();
  await expect(page.getByRole('heading', { name: /, Mia$/ })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: 'Getting Started' })).toBeVisible();
  await show(page, 'dashboard-empty');
  await visit(page, app, '/albums', 'Albums');
  await show(page, 'albums-empty');
  await page.getByRole('button', { name: 'New Album' }).first().click();
  await show(page, 'album-new');
  await page.getByLabel('Name').fill('Golden hour');
  await page.getByRole('button', { name: 'Create album' }).click();
  await expect(page.getByRole('heading', { name: 'Golden hour' })).toBeVisible();
  await show(page, 'album-empty');
  await visit(page, app, '/magic-links', 'Magic links');
  await show(page, 'links-empty');
  await visit(page, app, '/analytics', 'Analytics');
  await show(page, 'analytics-empty');
});

test('a studio that is lived in', { tag: '@main' }, async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const bob = (await listLinks(page, app.url)).find(({ linkName }) => linkName === 'Bob');
  const { phone, viewer } = await openDoor(browser, bob?.url ?? '');
  await enter(viewer, 8);
  await viewer.getByRole('button', { name: 'Photo 3 of 8' }).click();
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 3 of 8' })).toBeAttached();
  await renewNow(viewer);

  await visit(page, app, '/', /, Ana$/);
  await expect(page.getByRole('region', { name: 'Looking now' })).toContainText('photo 3 of 8', { timeout: 30_000 });
  await show(page, 'dashboard');
  keepForReadme(pictureOf('dashboard', 'desk'), 'studio');
  await visit(page, app, '/magic-links', 'Magic links');
  await show(page, 'links');
  for (const place of [
    'subscription',
    'account/billing',
    'account/payouts',
    'account/affiliate',
    'account/tiers',
    'requests',
    'magic-links/passes',
    'magic-links/many',
    'access-requests',
    'profile/blocked',
    'profile/data',
    'account/data',
    'account/two-step',
    'account/reports',
  ]) {
    await visit(page, app, `/${place}`, /./);
    await show(page, place.replace('/', '-'));
  }
  await visit(page, app, '/requests/0196f0c2-7b1c-7e2a-8f00-0123456789ab', 'Request');
  await show(page, 'no-such-own-request');
  await page.goto(`${app.url}/magic-links/${bob?.id}`);
  await show(page, 'link');
  await visit(page, app, `/magic-links/${bob?.id}/preview`, 'What will they see?');
  await expect(page.getByRole('figure', { name: 'The card in WhatsApp' })).toBeVisible();
  await show(page, 'link-preview');
  await visit(page, app, '/analytics', 'Analytics');
  await show(page, 'analytics');
  await visit(page, app, '/earnings', 'Earnings');
  await show(page, 'earnings-unconnected');
  await visit(page, app, '/profile/app', 'App lock');
  await show(page, 'app-lock');
  await phone.close();

  await visit(page, app, '/albums', 'Albums');
  await show(page, 'albums');
  await page.getByRole('link', { name: /Golden hour/ }).click();
  await expect(page.getByRole('button', { name: 'Photo 1 of 8', exact: true })).toBeVisible();
  await show(page, 'album');
  await page.getByRole('button', { name: 'Photo 1 of 8', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Your photo' })).toBeVisible();
  await show(page, 'photo-dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /^Access requests/ }).click();
  await expect(page.getByText('No access requests yet')).toBeVisible();
  await show(page, 'album-requests');
  await page.getByRole('link', { name: /^Sales/ }).click();
  await expect(page.getByText('Earned by this album')).toBeVisible();
  await show(page, 'album-sales');
  await visit(page, app, new URL('preview', page.url()).pathname, 'What will they see?');
  await expect(page.getByRole('figure', { name: 'The card in WhatsApp' })).toBeVisible();
  await show(page, 'album-preview');
  await page.goBack();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await show(page, 'album-settings');
  await page.getByRole('link', { name: /^Links \d/ }).click();
  await expect(page.getByRole('list', { name: 'Magic links' })).toBeVisible();
  await show(page, 'album-links');
  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await show(page, 'link-sheet');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Found a leak?' }).click();
  await expect(page.getByText('No copies checked yet.')).toBeVisible();
  await show(page, 'leaks-empty');
  const words = { name: 'copy.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };
  await page.getByLabel('The leaked copy').setInputFiles(words);
  await expect(page.getByRole('heading', { name: "This copy couldn't be read" })).toBeVisible({ timeout: 120_000 });
  await show(page, 'leak-unreadable');
  await visit(page, app, '/profile', 'Profile');
  await choosePicture(page);
  await page.getByRole('switch', { name: /^Public page/ }).check();
  const own = page.getByRole('link', { name: /\/@/ });
  await expect(own).toBeVisible();
  await show(page, 'profile');
  await own.click();
  await expect(page.getByRole('heading', { name: 'Ana', level: 1 })).toBeVisible();
  await show(page, 'public-page');
  expect((await page.goto(`${app.url}/@nobody_has_this`))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await show(page, 'public-page-missing');
  await visit(page, app, '/profile/notifications', 'What you hear about');
  await show(page, 'notifications');
  await visit(page, app, '/profile/security', 'Password');
  await show(page, 'security');
});

test('what a viewer sees', { tag: '@main' }, async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/profile', 'Profile');
  await choosePicture(page);
  const link = await makeLink(page, app.url, {
    recipientName: 'Kim',
    password: 'violet-harbour',
    welcomeText: 'Made last summer by the sea. For your eyes only.',
  });
  const { phone, viewer } = await openDoor(browser, link.url);
  await showViewerApp(viewer, 'door');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await expect(viewer.locator('#whose .letter'), 'her picture stands beside her name').toHaveCSS(
    'background-image',
    /^url\("data:image\/webp/,
  );
  await showViewerApp(viewer, 'gate-age');
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByLabel('Password', { exact: true })).toBeVisible();
  await showViewerApp(viewer, 'gate-password');
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible({ timeout: 20_000 });
  await showViewerApp(viewer, 'gallery');
  keepForReadme(pictureOf('gallery', 'phone'), 'viewer');
  await viewer.getByRole('button', { name: 'More' }).click();
  await showViewerApp(viewer, 'gallery-more');
  await viewer.keyboard.press('Escape');
  await viewer.getByRole('button', { name: 'Photo 3 of 8' }).click();
  await expect(viewer.locator('.slide[data-current] canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  await showViewerApp(viewer, 'photo');

  await call(page, app.url, 'POST', '/links/revoke', { linkIds: [link.id] });
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 30_000 });
  await showViewerApp(viewer, 'ended');
  await viewer.goto(`${app.url}/view/nobody-has-ever-made-this-1`);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  await showViewerApp(viewer, 'not-available');
  await phone.close();
});

test('every page has its picture in both sizes', { tag: '@main' }, () => {
  const taken = new Set(readLooks().map(({ address, size }) => `${pageAt(address)} (${size})`));
  const wanted = pages.flatMap((page) => sizes.map(({ size }) => `${page} (${size})`));
  expect(
    wanted.filter((name) => !taken.has(name)),
    'no story of this file has shown these',
  ).toEqual([]);
});

/** A picture of oneself: chosen, saved, shown. */
async function choosePicture(page: Page): Promise<void> {
  await page.getByLabel('Photo for your picture').setInputFiles(pictureFiles('evening'));
  await expect(page.getByText('Picture saved').last()).toBeVisible({ timeout: 20_000 });
  const picture = page.getByRole('region', { name: 'Your picture' }).locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
}

/** README shows two of these; they change when somebody asks for it, with PF_WRITE_PICTURES=1. */
function keepForReadme(picture: string, name: string): void {
  if (process.env.PF_WRITE_PICTURES !== '1') return;
  copyFileSync(picture, path.resolve(import.meta.dirname, '../../../docs/pictures', `${name}.png`));
}
