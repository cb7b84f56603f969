import { becomeDemo, makeLink } from '../journeys/support/steps.ts';
import { expect, test } from './support/story.ts';
import type { Tab } from './support/tab.ts';
import { button, css, dialog, field, heading, menuItem, radio, text } from './support/targets.ts';
import { enter, untilPainted } from './support/viewing.ts';

/* What a phone does beside showing a page. No engine without a screen has a keyboard or a share sheet: what they tell a page is told. */

const keyboardHeight = 336;

/** Tells the page what iOS tells it when its keyboard comes: the layout stays, and less of it is seen. */
const raiseKeyboard = (page: Tab) =>
  page.evaluate((height) => {
    const seen = window.visualViewport;
    if (seen === null) return null;
    Object.defineProperty(seen, 'height', { configurable: true, get: () => window.innerHeight - height });
    for (const kind of ['resize', 'scroll']) seen.dispatchEvent(new Event(kind));
    return null;
  }, keyboardHeight);

const lowerKeyboard = (page: Tab) =>
  page.evaluate(() => {
    const seen = window.visualViewport;
    if (seen === null) return null;
    Reflect.deleteProperty(seen, 'height');
    seen.dispatchEvent(new Event('resize'));
    return null;
  });

/** The field that has the focus and the dialog's title stand above the keyboard. */
const untilAboveKeyboard = (page: Tab) =>
  page.waitFor(
    'field and title stand above the keyboard',
    (height) => {
      const popup = document.activeElement?.closest('[role=dialog]');
      const parts = [document.activeElement, popup?.querySelector('h2')];
      return parts.every((part) => {
        const box = part?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight - height;
      });
    },
    keyboardHeight,
  );

test('a keyboard covers nothing of Sofia', async ({ app, browsers }) => {
  const visitor = await browsers.openPhone();
  await visitor.open(app.url);
  await visitor.tap(button('Ask Sofia'));
  await visitor.see(dialog('Sofia'));
  await visitor.tap(field('Your question'));
  await raiseKeyboard(visitor);
  await untilAboveKeyboard(visitor);
  await visitor.picture('sofia-keyboard');
  const lifted = await visitor.middleOf(field('Your question'));
  await lowerKeyboard(visitor);
  await expect
    .poll(async () => (await visitor.middleOf(field('Your question'))).y - lifted.y)
    .toBeGreaterThan(keyboardHeight - 60);
});

test('no field makes a phone zoom: none has letters below 16 pixels', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { password: 'violet-harbour' });
  const phone = await browsers.openDevice('phone');
  await browsers.signIn(phone, creator);
  const page = await phone.openTab();
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('input, textarea, select')]
        .filter(
          (one) =>
            one.getClientRects().length > 0 &&
            one.getAttribute('aria-hidden') !== 'true' &&
            !['checkbox', 'radio', 'range', 'file'].includes((one as HTMLInputElement).type),
        )
        .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => `${location.pathname}: ${one.outerHTML.slice(0, 120)}`),
    );
  for (const to of [
    '/magic-links',
    '/profile',
    '/profile/security',
    '/contact',
    '/report',
    '/analytics',
    '/earnings',
  ]) {
    await page.open(`${app.url}${to}`);
    await page.see(css('h1'));
    await page.waitFor('nothing is loading', () => document.querySelector('[aria-busy="true"]') === null);
    expect(await small()).toEqual([]);
  }
  const visitor = await browsers.openPhone();
  await enter(visitor, url);
  await visitor.see(heading('This album has a password'));
  const sizes = () =>
    visitor.evaluate(() =>
      [...document.querySelectorAll('input')].map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
    );
  expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16);
});

test('a page that is pulled down and loaded again comes to the door, and counts one viewer', async ({
  app,
  creator,
  browsers,
}) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false, maxViewers: 1 } });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  await viewer.reload();
  await viewer.tap(button('Open'));
  await untilPainted(viewer, 8);
  expect(await viewer.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)).not.toBe('none');
});

test('the phone’s own share sheet gets the address, and closing it is no fault', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const made = await makeLink(creator, app.url, { linkName: 'Shared' });
  const phone = await browsers.openDevice('phone');
  await browsers.signIn(phone, creator);
  const page = await phone.openTab();
  await page.open(`${app.url}/magic-links`);
  await page.see(radio(/^Active/));
  // As Safari has it: a sheet that is put away is an AbortError.
  await page.evaluate(() => {
    const given: string[] = [];
    Object.assign(globalThis, { pfGiven: given });
    const share = ({ url = '' }: ShareData) => {
      given.push(url);
      return given.length === 1 ? Promise.reject(new DOMException('put away', 'AbortError')) : Promise.resolve();
    };
    Object.defineProperty(Navigator.prototype, 'share', { configurable: true, value: share });
    return null;
  });
  const given = () => page.evaluate(() => (globalThis as unknown as { pfGiven: string[] }).pfGiven);
  await page.tap(radio(/^Active/));
  for (const times of [1, 2]) {
    await page.tap(button('Actions for Shared'));
    await page.tap(menuItem('Share…'));
    await expect.poll(async () => (await given()).length).toBe(times);
  }
  expect(new Set(await given())).toEqual(new Set([made.url]));
  await page.seeNo(text(/address can open/));
});
