import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Feature, featureSentences } from '#features/settings/features.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { askAtLink, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, payToOpen, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { changeSetting } from './settings-command.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const feature of Object.keys(featureSentences) as Feature[]) await turn(feature, 'default');
  await readRows(app, 'delete from rate_limits');
});

async function turn(feature: Feature, word: 'off' | 'default'): Promise<void> {
  await changeSetting(app.engines, feature, word);
  const wanted = word === 'off' ? 0 : 1;
  await expect.poll(async () => (await settingsOf(app.engines))[feature]).toBe(wanted);
}

it('every feature is on in a new installation', async () => {
  const settings = await settingsOf(app.engines);
  expect((Object.keys(featureSentences) as Feature[]).map((feature) => settings[feature])).toEqual([1, 1, 1, 1, 1]);
});

it('without sign-ups nobody new begins, by either way; whoever the full check makes up and whoever is there does', async () => {
  await turn('features.signUps', 'off');
  const signUp = (email: string) => app.call('accounts.signUp', { email, isAdult: true }, newBrowser());
  const refused = await signUp('new@example.com');
  expect([refused.status, refused.body.message]).toEqual([403, featureSentences['features.signUps']]);
  const trial = { email: 'new@example.com', mode: 'embedded', trialCode: 'FREE7' };
  expect((await app.call('billing.createTrialCheckout', trial, newBrowser())).body.message).toBe(
    featureSentences['features.signUps'],
  );
  expect(await readRows(app, `select 1 from users where email = 'new@example.com'`)).toEqual([]);
  expect((await signUp('creator@fullcheck.invalid')).status).toBe(200);
  expect((await app.call('albums.list', {}, shared.creator.browser)).status).toBe(200);
  await turn('features.signUps', 'default');
  expect((await signUp('new@example.com')).status).toBe(200);
});

it('without uploads a new one is refused for good, in a sentence', async () => {
  const begin = () =>
    app.fastify.inject({
      method: 'POST',
      url: '/files',
      headers: {
        'tus-resumable': '1.0.0',
        'x-csrf-token': 'orpc',
        host: 'localhost:3000',
        ...headersOf(shared.creator.browser),
        'upload-length': '10',
        'upload-metadata': uploadMetadata({ albumId: shared.albumId, filename: 'a.jpg' }),
      },
    });
  await turn('features.uploads', 'off');
  const refused = await begin();
  expect([refused.statusCode, JSON.parse(refused.body).message]).toEqual([403, featureSentences['features.uploads']]);
  await turn('features.uploads', 'default');
  expect((await begin()).statusCode).toBe(201);
});

it('without sales no checkout opens; nothing of it is noted', async () => {
  const { slug } = await shared.makeLink(payToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await turn('features.sales', 'off');
  const pay = () => tapPay(app, slug, browser, 1000, { offerId: 'pay' });
  const refused = await pay();
  expect([refused.status, refused.body.message]).toEqual([403, featureSentences['features.sales']]);
  expect(await readRows(app, 'select 1 from checkout_orders')).toEqual([]);
  await turn('features.sales', 'default');
  expect((await pay()).status).toBe(200);
});

it('without custom requests nobody is offered to ask; what was asked goes on', async () => {
  await takeRequests(app, shared.creator);
  const asked = await askAtLink(app, shared);
  await turn('features.customRequests', 'off');
  const { slug, browser, email } = asked;
  const refused = await app.call('requests.mailCode', { slug, email }, browser);
  expect([refused.status, refused.body.message]).toEqual([404, featureSentences['features.customRequests']]);
  expect((await app.call('requests.offer', { slug }, browser)).status).toBe(404);
  await must(app, 'requests.accept', { requestId: asked.id, days: 5 }, shared.creator.browser);
});

it('without the assistant only somebody in danger is answered', async () => {
  await turn('features.assistant', 'off');
  const chat = async (message: string) =>
    (await app.call('assistant.chat', { message, isAuthenticated: false })).body.response;
  expect(await chat('what does it cost?')).toBe(featureSentences['features.assistant']);
  expect(await chat('he threatens to leak my pictures')).not.toBe(featureSentences['features.assistant']);
});
