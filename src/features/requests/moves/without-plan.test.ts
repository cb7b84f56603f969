import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, post, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const day = 86_400_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
  await readRows(app, 'update users set is_free_user = false where id = $1', [shared.creator.userId]);
});
afterAll(() => app.close());

const hers = (procedure: string, input: object) => app.call(procedure, input, shared.creator.browser);

async function paid(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 14 }, shared.creator.browser);
  await payFor(app, asked);
  return asked;
}

it('a plan that has ended keeps nobody from what was paid for, and her from nothing that is owed; new work waits for a plan', async () => {
  const [working, given, fresh, unwanted] = [
    await paid(),
    await paid(),
    await askAtLink(app, shared),
    await askAtLink(app, shared),
  ];
  await readRows(app, 'update users set trial_ends_at = $2 where id = $1', [
    shared.creator.userId,
    new Date(app.engines.clock() - 1000),
  ]);
  advance(app, day);
  const me = await must(app, 'accounts.me', {}, shared.creator.browser);
  expect(me).toMatchObject({ hasAccess: false });

  const found = await must(app, 'albums.list', { filter: 'ready' }, shared.creator.browser);
  expect(found.albums, 'to choose what is delivered').toMatchObject([{ id: shared.albumId }]);
  const sent = await hers('requests.deliver', { requestId: working.id, albumId: shared.albumId });
  expect(sent.body).toMatchObject({ state: 'delivered' });
  const { viewPath } = await must(app, 'requests.open', { code: working.code }, working.browser);
  const slug = viewPath.split('/').at(-1) ?? '';
  await tapDoor(app, slug, working.browser);
  const opened = await post(app, `/api/view/${slug}/open`, { isAdult: true }, working.browser);
  expect(opened.body, 'what was paid for opens').toBeUndefined();
  await must(app, 'requests.say', { code: working.code, what: 'accept' }, working.browser);
  expect((await hers('requests.cancel', { requestId: given.id })).body).toMatchObject({ state: 'refunded' });
  expect((await hers('requests.decline', { requestId: unwanted.id })).body).toMatchObject({ state: 'declined' });
  for (const [procedure, input] of [
    ['requests.accept', { requestId: fresh.id, days: 7 }],
    ['requests.counter', { requestId: fresh.id, cents: 5000, days: 7 }],
    ['albums.create', { name: 'Late' }],
  ] as const)
    expect((await hers(procedure, input)).body, procedure).toMatchObject({ code: 'SUBSCRIPTION_REQUIRED' });
});

it('she connects her payouts without a plan, and comes back to the page that is open to her; a paused account does neither', async () => {
  const creator = await signUpCreator(app);
  await readRows(app, 'update users set trial_ends_at = $2 where id = $1', [
    creator.userId,
    new Date(app.engines.clock() - 1000),
  ]);
  const onboarding = vi.spyOn(app.engines.payments, 'onboardingUrl');
  await must(app, 'money.connect', { country: 'US' }, creator.browser);
  expect(onboarding.mock.lastCall?.[1].returnUrl).toMatch(/\/account\/payouts\?connect=return$/);
  onboarding.mockRestore();
  await readRows(app, `update users set status = 'suspended' where id = $1`, [creator.userId]);
  for (const procedure of ['money.connect', 'albums.list'])
    expect((await app.call(procedure, {}, creator.browser)).body).toMatchObject({ code: 'SUBSCRIPTION_REQUIRED' });
});
