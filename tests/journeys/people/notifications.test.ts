import type { CDPSession, Page, Worker } from '@playwright/test';
import { expect, test } from '../support/app.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(180_000);

/** What a person chooses about notices, on the page of her profile. */
test('she chooses what she hears about and when not, and it is still so on another day', async ({ page, app }) => {
  await app.newCreator(page);
  await page.goto(`${app.url}/profile/notifications`);
  const storage = page.getByRole('group', { name: 'Storage' });
  await expect(storage.getByRole('radio', { name: 'Email' })).toBeChecked();
  await storage.getByRole('radio', { name: 'Off' }).check();
  await page.getByRole('switch', { name: /No notifications at night/ }).click();
  await page.getByLabel('From').fill('23:30');
  await page.getByRole('button', { name: 'Save times' }).click();
  await expect(page.getByRole('button', { name: 'Save times' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('group', { name: 'Storage' }).getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(page.getByLabel('From')).toHaveValue('23:30');
  await expect(page.getByLabel('Until')).toHaveValue('08:00');
});

/** The ids by which the browser knows our service worker. */
async function findWorker(cdp: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  return found;
}

interface Shown {
  title: string;
  body: string | undefined;
  tag: string | undefined;
  data: unknown;
}

/** What our service worker asks of the browser, noted in the worker. */
interface Asked {
  shown: Shown[];
  badges: (number | undefined)[];
  focused: string[];
  opened: string[];
}

/**
 * Notes what our service worker asks of the browser instead of doing it: the browser of the journeys lets no page show
 * notifications, it knows no badges and ends a worker that asks for one, and it lets nobody open a window without a real tap.
 */
const noteAsked = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(address: string): Promise<null> };
      WindowClient: { prototype: { focus(): Promise<unknown> } };
    };
    const asked: Asked = { shown: [], badges: [], focused: [], opened: [] };
    Object.assign(self, { asked });
    scope.registration.showNotification = async (title, { body, tag, data } = {}) =>
      void asked.shown.push({ title, body, tag, data });
    navigator.setAppBadge = async (count) => void asked.badges.push(count);
    scope.clients.openWindow = async (address) => {
      asked.opened.push(new URL(address).pathname);
      return null;
    };
    scope.WindowClient.prototype.focus = async function focus(this: { url: string }) {
      asked.focused.push(new URL(this.url).pathname);
    };
  });
const readAsked = (worker: Worker) => worker.evaluate(() => (self as unknown as { asked: Asked }).asked);

/** The service worker of a page of the studio. */
async function openWorker(page: Page, address: string): Promise<Worker> {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready));
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error('There is no service worker.');
  await noteAsked(worker);
  return worker;
}

test('a push is shown by the service worker', async ({ page, app, context }) => {
  await app.newCreator(page);
  const worker = await openWorker(page, `${app.url}/profile/notifications`);
  const cdp = await context.newCDPSession(page);
  const registrationId = await findWorker(cdp);
  const said = { title: 'A link was opened', body: 'One of your links was opened.', path: '/analytics', tag: 'one' };
  const push = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data });
  await push(JSON.stringify(said));
  const { path, ...words } = said;
  await expect.poll(() => readAsked(worker)).toMatchObject({ shown: [{ ...words, data: { path } }], badges: [0] });
  // What cannot be read is shown all the same.
  await push('no JSON');
  await expect
    .poll(async () => (await readAsked(worker)).shown.map(({ title }) => title).sort())
    .toEqual([said.title, 'PrivateFans'].sort());
});

/** Taps a notification: of a real one this browser has none. */
const tap = (worker: Worker, path: string) =>
  worker.evaluate(async (to) => {
    const done: Promise<unknown>[] = [];
    const notification = { close: () => undefined, data: { path: to } };
    const waitUntil = (work: Promise<unknown>) => done.push(work);
    self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }));
    await Promise.all(done);
  }, path);

test('a tapped notification leads a page there that is open without loading it again, else a new one', async ({
  page,
  app,
}) => {
  await app.newCreator(page);
  const worker = await openWorker(page, `${app.url}/profile/notifications`);
  await expect(page.getByRole('group', { name: 'Storage' })).toBeVisible();
  // What a page that is loaded again would have lost, as it would the files that it is sending.
  await page.evaluate(() => Object.assign(window, { isSending: true }));
  await tap(worker, '/analytics?days=7');
  await expect(page).toHaveURL(`${app.url}/analytics?days=7`);
  expect(await page.evaluate(() => 'isSending' in window)).toBe(true);
  expect(await readAsked(worker)).toMatchObject({ focused: ['/profile/notifications'], opened: [] });
  await tap(worker, 'https://elsewhere.test/');
  expect(await readAsked(worker)).toMatchObject({ focused: ['/profile/notifications'], opened: [] });
  // A page that is no program of ours does not answer, and is left as it is.
  await page.goto(`${app.url}/robots.txt`);
  await tap(worker, '/albums');
  expect(await readAsked(worker)).toMatchObject({ focused: ['/profile/notifications'], opened: ['/albums'] });
  await expect(page).toHaveURL(`${app.url}/robots.txt`);
});
