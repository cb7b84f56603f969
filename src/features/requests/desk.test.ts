import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDrift } from '#features/money/reconcile.ts';
import { beginTogether, deliverAsked, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { makeAdministrator, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

it('is decided at the desk by somebody who sees to money; what is not possible then is said', async () => {
  const [part, whole] = [await deliverAsked(app, shared), await deliverAsked(app, shared)];
  for (const asked of [part, whole])
    await must(
      app,
      'requests.say',
      { code: asked.code, what: 'complain', text: 'Only half of it is there.' },
      asked.browser,
    );
  const admin = await signUpCreator(app);
  await makeAdministrator(app, admin, ['finance']);
  const desk = await signInQuickly(app, admin.userId);
  const decide = (requestId: string, verdict: string, more: object = {}) =>
    app.call('adminRequests.decide', { requestId, verdict, note: 'Half was missing.', ...more }, desk);
  const { requests } = await must(app, 'adminRequests.list', {}, desk);
  const waiting = requests.filter((one: { isWaiting: boolean }) => one.isWaiting).map((one: { id: string }) => one.id);
  expect(waiting).toEqual(expect.arrayContaining([part.id, whole.id]));
  expect((await must(app, 'adminOperations.today', {}, desk)).money.waiting.customRequests).toBe(waiting.length);
  expect(await must(app, 'adminRequests.show', { requestId: part.id }, desk)).toMatchObject({
    leftCents: 4000,
    verdicts: ['release', 'refund'],
    events: expect.arrayContaining([expect.objectContaining({ text: 'Only half of it is there.' })]),
  });
  expect((await decide(part.id, 'refund', { amountCents: 4001 })).status).toBe(409);
  expect((await decide(part.id, 'decline')).status).toBe(409);
  const both = await beginTogether(app, part, () => [1, 2].map(() => decide(part.id, 'refund', { amountCents: 2000 })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await must(app, 'requests.show', { code: part.code }, newBrowser())).toMatchObject({
    state: 'released',
    refundedCents: 2000,
  });
  expect((await decide(whole.id, 'refund')).body).toMatchObject({ state: 'refunded', leftCents: 0, verdicts: [] });
  const audited = await readRows(
    app,
    'select action from audit_log where actor_id = $1 and target_id = any($2) order by id',
    [admin.userId, [part.id, whole.id]],
  );
  expect(audited.map(({ action }) => action)).toEqual(['request.refunded_part', 'request.refunded']);
  expect(await findDrift(app.engines)).toEqual([]);
});
