import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeAlbum } from '../journeys/support/calls.ts';
import { pictureFiles } from '../journeys/support/seeded-data.ts';
import { becomeDemo } from '../journeys/support/steps.ts';
import { canDrawClips, drawClip } from '../support/media/clips.ts';
import { expect, test } from './support/story.ts';
import { button, css, dialog, field, heading, inside, link, menuItem, radio, text } from './support/targets.ts';

/* The studio on a phone and on a desk. */

test('signing in by password leads home, and out again', async ({ app, creator, browsers }) => {
  const { email, password } = await app.newCreator(creator);
  const page = await browsers.openPhone();
  await page.open(`${app.url}/auth`);
  await page.picture('sign-in');
  await page.type(field('Email'), email);
  await page.type(field('Password'), 'not the password');
  await page.press('Enter');
  await page.see(text('Invalid email or password'));
  await page.type(field('Password'), password);
  await page.press('Enter');
  await page.see(heading(/, Mia$/));
  await page.picture('home-of-creator');
});

test('links: the chips filter, the menu asks before it revokes', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const phone = await browsers.openDevice('phone');
  await browsers.signIn(phone, creator);
  const page = await phone.openTab();
  await page.open(`${app.url}/magic-links`);
  await page.see(css('fieldset input[type=radio] + *, fieldset label'));
  await page.picture('links');
  expect(await page.isBlank(css('fieldset')), 'the chips are painted').toBe(false);
  const before = () =>
    page.evaluate(() => {
      const chips = document.querySelector('fieldset');
      return chips === null ? '' : getComputedStyle(chips).getPropertyValue('--fade-before');
    });
  expect(await before(), 'nothing fades where nothing lies before it').toBe('0px');
  await page.tap(radio(/^Active/));
  await page.tap(button('Actions for Bob'));
  await page.see({ by: 'role', role: 'menu' });
  await page.picture('link-menu');
  await page.tap(menuItem('Revoke…'));
  await page.see(dialog('Revoke “Bob”?'));
  await page.picture('link-revoke');
  await page.press('Escape');
  await page.seeNo(dialog('Revoke “Bob”?'));
});

test('the sheet of a new link: a name, a price, a password, a rule', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const phone = await browsers.openDevice('phone');
  await browsers.signIn(phone, creator);
  const page = await phone.openTab();
  await page.open(`${app.url}/albums`);
  await page.see(link(/Golden hour/));
  await page.picture('albums');
  await page.tap(link(/Golden hour/));
  await page.tap(link('Share'));
  const sheet = dialog('New link to Golden hour');
  await page.tap(inside(sheet, button('someone')));
  await page.type(field('Name'), 'Noor');
  await page.tap(button('Done'));
  await page.tap(inside(sheet, radio('24 hours only')));
  await page.waitFor(
    'the sentence says so',
    () => document.querySelector('[role=dialog]')?.textContent?.includes("24 hours after it's first opened") === true,
  );
  await page.tap(inside(sheet, button('Add a rule')));
  await page.see(dialog('Add a rule'));
  await page.picture('link-rule');
  await page.press('Escape');
  await page.tap(button('Copy link'));
  await page.see(button('Copied'));
});

test('a photo, a HEIC and a video are uploaded', async ({ app, creator, browsers }) => {
  test.setTimeout(600_000);
  test.skip(!canDrawClips, 'There is no ffmpeg to draw a clip with.');
  await app.newCreator(creator);
  const albumId = await makeAlbum(creator, app.url, 'Summer');
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-uploads-'));
  const clip = path.join(folder, 'clip.mp4');
  writeFileSync(clip, drawClip({ seconds: 2, width: 320, height: 180 }));
  const phone = await browsers.openDevice('phone');
  await browsers.signIn(phone, creator);
  const page = await phone.openTab();
  await page.open(`${app.url}/albums/${albumId}`);
  await page.upload(field('Photos to upload'), ...pictureFiles('evening'), 'tests/support/media/quarters.heic', clip);
  await page.see(button(/^Photo 1 of 3/), 120);
  await page.waitFor(
    'three items are ready',
    () => [...document.querySelectorAll('main canvas[data-painted], main figure[data-painted]')].length >= 3,
    null,
    300,
  );
  await page.picture('album-uploaded');
  rmSync(folder, { recursive: true });
});

test('figures, earnings, requests and the profile are shown', async ({ app, creator, browsers }) => {
  test.setTimeout(300_000);
  await becomeDemo(creator, app);
  const desk = await browsers.openDesk(creator);
  for (const [to, name, says] of [
    ['/', 'home-desk', /, Ana$/],
    ['/analytics', 'analytics', 'Analytics'],
    ['/earnings', 'earnings', 'Earnings'],
    ['/requests', 'requests', /Requests/],
    ['/access-requests', 'access-requests', /Access Requests/],
    ['/profile/security', 'security', /Security|Lock everything/],
  ] as const) {
    await desk.open(`${app.url}${to}`);
    await desk.see(heading(says));
    await desk.waitFor('nothing is loading', () => document.querySelector('[aria-busy="true"]') === null);
    await desk.picture(name);
  }
  await desk.tap(button('Lock everything'));
  await desk.see(dialog('Lock everything?'));
  await desk.picture('lock-everything');
  await desk.press('Escape');
  await desk.seeNo(dialog('Lock everything?'));
});

test('Sofia answers', async ({ app, browsers }) => {
  const page = await browsers.openPhone();
  await page.open(app.url);
  await page.tap(button('Ask Sofia'));
  await page.see(dialog('Sofia'));
  await page.picture('sofia');
  await page.tap(inside(dialog('Sofia'), button('How much does it cost?')));
  await page.see(text(/7 days free/));
  await page.type(field('Your question'), 'Can I end access?');
  await page.press('Enter');
  await page.waitFor('a second answer', () => document.querySelectorAll('[role=log] a[href^="/help"]').length > 0);
  await page.picture('sofia-answer');
  await page.press('Escape');
  await page.seeNo(dialog('Sofia'));
});

test('the public pages are read', async ({ app, browsers }) => {
  const page = await browsers.openPhone();
  for (const [to, name] of [
    ['/', 'landing'],
    ['/pricing', 'pricing'],
    ['/how-it-works', 'how-it-works'],
    ['/help', 'help'],
  ] as const) {
    await page.open(`${app.url}${to}`);
    await page.waitFor('a headline', () => document.querySelector('h1') !== null);
    await page.picture(name);
  }
});
