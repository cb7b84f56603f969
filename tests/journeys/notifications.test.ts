import type { CDPSession, Worker } from '@playwright/test';
import { expect, test } from './support/app.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(180_000);

/** What a person chooses about notices, on the page of her profile. */
test('she chooses what she hears about and when not, and it is still so on another day', async ({ page, app }) => {
  await app.newCreator(page);
  await page.goto(`${app.url}/profile/notifications`);
  const storage = page.getByRole('group', { name: 'Storage' });
  await expect(storage.getByRole('radio', { name: 'Email' })).toBeChecked();
  await storage.getByRole('radio', { name: 'Off' }).check();
  await page.getByRole('switch', { name: /Nothing at night/ }).click();
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

type Shown = { title: string; body: string | undefined; data: unknown };

/**
 * Notes what our service worker shows: the browser of the journeys gives no page leave to show notifications. It knows no badges,
 * either, and ends a worker that asks for one.
 */
const noteShown = (worker: Worker) =>
  worker.evaluate(() => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const shown: Shown[] = [];
    Object.assign(self, { shown });
    navigator.setAppBadge = async () => undefined;
    registration.showNotification = async (title, { body, data } = {}) => void shown.push({ title, body, data });
  });
const listShown = (worker: Worker) => worker.evaluate(() => (self as unknown as { shown: Shown[] }).shown);

test('a push is shown by the service worker', async ({ page, app, context }) => {
  await app.newCreator(page);
  await page.goto(`${app.url}/profile/notifications`);
  await page.evaluate(() => navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready));
  const cdp = await context.newCDPSession(page);
  const registrationId = await findWorker(cdp);
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error('There is no service worker.');
  await noteShown(worker);
  const said = { title: 'A link was opened', body: 'One of your links was opened.', path: '/analytics' };
  const push = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data });
  await push(JSON.stringify(said));
  await expect
    .poll(() => listShown(worker))
    .toEqual([{ title: said.title, body: said.body, data: { path: '/analytics' } }]);
  // What cannot be read is shown all the same.
  await push('no JSON');
  await expect
    .poll(async () => (await listShown(worker)).map(({ title }) => title).sort())
    .toEqual([said.title, 'PrivateFans'].sort());
});
