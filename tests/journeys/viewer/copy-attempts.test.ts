import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { showViewerApp } from '../support/showing.ts';
import { becomeDemo, enter, makeLink, openDoor } from '../support/steps.ts';

/* What a viewer's browser reports, and what its page does about it. */

interface Listed {
  eventType: string;
  risk: string;
  source: string;
  count: number;
  link: { id: string };
}
const listEvents = async (page: Page, url: string, linkId: string) =>
  (await call<{ events: Listed[] }>(page, url, 'GET', `/security-events?linkId=${linkId}`)).events;

const risks: Readonly<Record<string, string>> = {
  screenshot_attempt: 'high',
  devtools_attempt: 'high',
  save_attempt: 'high',
  copy_attempt: 'high',
  context_menu_attempt: 'medium',
  view_source_attempt: 'medium',
  select_all_attempt: 'medium',
  tab_switch_attempt: 'low',
  tab_return: 'low',
  drag_attempt: 'low',
  text_selection_attempt: 'low',
  clipboard_attempt: 'low',
  focus_change: 'low',
  window_resize: 'low',
};

/** Turns the page to the back or to the front: a browser without a screen shows every page. */
const turn = (viewer: Page, visibilityState: 'hidden' | 'visible') =>
  viewer.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);

test('each kind of attempt is recorded once, with its risk, as reported by the browser', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Tried', rules: { ageGate: false } });
  const desk = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const viewer = await desk.newPage();
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();

  for (const keys of ['PrintScreen', 'F12', 'Control+s', 'Control+c', 'Control+u', 'Control+a', 'Control+v'])
    await viewer.keyboard.press(keys);
  const picture = viewer.getByRole('button', { name: 'Photo 1 of 8' });
  await picture.click({ button: 'right' });
  await picture.dispatchEvent('dragstart');
  await picture.dispatchEvent('selectstart');
  await viewer.evaluate(() => dispatchEvent(new Event('blur')));
  await viewer.setViewportSize({ width: 1100, height: 800 });
  await expect.poll(async () => (await listEvents(page, app.url, link.id)).length, { timeout: 30_000 }).toBe(12);
  await turn(viewer, 'hidden');
  await turn(viewer, 'visible');
  await expect.poll(async () => (await listEvents(page, app.url, link.id)).length, { timeout: 30_000 }).toBe(14);

  const events = await listEvents(page, app.url, link.id);
  expect(Object.fromEntries(events.map(({ eventType, risk }) => [eventType, risk]))).toEqual(risks);
  expect(new Set(events.map(({ source }) => source))).toEqual(new Set(['client']));
  await desk.close();
});

test('a link that is held to be seen shows a picture under a finger, and nothing without one', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const rules = { holdToView: true, autoResponse: { do: 'warn', threshold: 1 } };
  const link = await makeLink(page, app.url, { linkName: 'Held', rules });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('alert')).toContainText('Attempts to copy are reported to the creator');
  await showViewerApp(viewer, 'held-gallery');
  await viewer.getByRole('alert').getByRole('button', { name: 'OK' }).click();
  await viewer.getByRole('button', { name: 'Photo 1 of 8' }).click();
  const picture = viewer.locator('.slide[data-current] canvas.full[data-painted]');
  await expect(picture).toBeAttached();
  await expect(picture).toBeHidden();
  await expect(viewer.getByText('Hold to view')).toBeVisible();
  await showViewerApp(viewer, 'held-picture');
  const box = await viewer.locator('.slide[data-current] .zoom').boundingBox();
  await viewer.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 100);
  await viewer.mouse.down();
  await expect(picture).toBeVisible();
  await expect(viewer.getByText('Hold to view')).toBeHidden();
  await viewer.mouse.up();
  await expect(picture).toBeHidden();
  await viewer.keyboard.down('h');
  await expect(picture).toBeVisible();
  await viewer.keyboard.up('h');
  await expect(picture).toBeHidden();

  await viewer.keyboard.press('PrintScreen');
  await expect(viewer.getByRole('alert')).toBeVisible();
  await phone.close();
});
