import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, fillAccount, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tendRequests } from '../jobs.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
  await fillAccount(app, accountId);
  await app.engines.sandbox?.topUp(100_000);
});
afterAll(() => app.close());

const show = async ({ code }: Asked) => must(app, 'requests.show', { code }, newBrowser());
const hers = (what: string, input: object) => app.call(`requests.${what}`, input, shared.creator.browser);
const chargeOf = async ({ id }: Asked): Promise<string> =>
  (
    await readRow<{ charge: string }>(app, 'select charge_id as charge from checkout_orders where request_id = $1', [
      id,
    ])
  ).charge;

/** A request that is paid and in work. */
async function paid(days = 7): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days }, shared.creator.browser);
  await payFor(app, asked);
  return asked;
}

/** Returns how often something of it left, and what the books hold of it. */
const movedOf = async ({ id }: Asked) => {
  await reconcile(app.engines);
  return readRow<{ transfers: number; held: number }>(
    app,
    `select (select count(*)::int from sandbox_objects where type = 'transfer' and body->>'transfer_group' = 'req_' || $1) as transfers,
      (select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.key = 'liability:held:' || $1) as held`,
    [id],
  );
};
const atAccount = async () => {
  const { available, pending } = await app.engines.payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};

describe('a payment that the bank looks at', () => {
  it('nothing moves while it looks, and lost nothing is held and nobody works at it any more', async () => {
    const asked = await paid();
    const disputeId = (await app.engines.sandbox?.dispute(await chargeOf(asked))) ?? '';
    await syncObject(app.engines, disputeId);
    expect(await show(asked)).toMatchObject({ state: 'disputed' });
    const work = { requestId: asked.id, albumId: shared.albumId };
    expect((await hers('deliver', work)).body.code).toBe('DISPUTED');
    expect((await hers('cancel', { requestId: asked.id })).body.code).toBe('DISPUTED');
    advance(app, 10 * 24 * hourMs);
    await tendRequests(app.engines);
    expect(await show(asked)).toMatchObject({ state: 'disputed' });
    await app.engines.sandbox?.decideDispute(disputeId, false);
    await syncObject(app.engines, disputeId);
    expect(await show(asked)).toMatchObject({ state: 'charged_back', actUntil: null });
    expect(await movedOf(asked)).toEqual({ held: 0, transfers: 0 });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it.each(['paid', 'delivered', 'revision_requested'])(
    'takes no time of one that is %s once it was won',
    async (state) => {
      const asked = await paid(1);
      const deliver = () => hers('deliver', { requestId: asked.id, albumId: shared.albumId });
      if (state !== 'paid') await deliver();
      const change = { code: asked.code, what: 'revise', text: 'Brighter, please.' };
      if (state === 'revision_requested') await must(app, 'requests.say', change, asked.browser);
      const before = await show(asked);
      const disputeId = (await app.engines.sandbox?.dispute(await chargeOf(asked))) ?? '';
      await syncObject(app.engines, disputeId);
      // Longer than any of its times.
      const heldMs = 6 * 24 * hourMs;
      advance(app, heldMs);
      await tendRequests(app.engines);
      await app.engines.sandbox?.decideDispute(disputeId, true);
      await Promise.all([1, 2, 3].map(() => syncObject(app.engines, disputeId)));
      await Promise.all([tendRequests(app.engines), syncObject(app.engines, disputeId)]);
      const after = await show(asked);
      expect(after.state).toBe(state);
      for (const which of ['actUntil', 'dueAt'] as const) {
        const laterMs = new Date(after[which]).getTime() - new Date(before[which]).getTime();
        expect(Math.abs(laterMs - heldMs), which).toBeLessThan(20_000);
      }
      expect(after.events.filter(({ what }: { what: string }) => what === 'resumed')).toHaveLength(1);
      if (state !== 'delivered') expect((await deliver()).body).toMatchObject({ state: 'delivered' });
      advance(app, 71 * hourMs);
      await tendRequests(app.engines);
      expect(await show(asked)).toMatchObject({ state: 'delivered' });
      advance(app, 2 * hourMs);
      await tendRequests(app.engines);
      expect(await show(asked)).toMatchObject({ state: 'released' });
    },
  );

  it('after her part was hers it is taken back with the delivery, and hers again once it was won', async () => {
    for (const isWon of [true, false]) {
      const asked = await paid();
      await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
      const { viewPath } = await must(app, 'requests.open', { code: asked.code }, asked.browser);
      const slug = viewPath.split('/').at(-1);
      const before = await atAccount();
      const chargeId = await chargeOf(asked);
      // The bank takes it in the moment in which it is released.
      const [, disputeId = ''] = await Promise.all([
        app.call('requests.say', { code: asked.code, what: 'accept' }, asked.browser),
        app.engines.sandbox?.dispute(chargeId),
      ]);
      const receive = () => Promise.all([1, 2, 3].map(() => syncObject(app.engines, disputeId)));
      await receive();
      const door = async () => (await tapDoor(app, slug, asked.browser)).body?.title ?? 'open';
      expect([await show(asked), await door()]).toMatchObject([{ state: 'disputed' }, 'Access is on hold']);
      expect([await movedOf(asked), await atAccount()]).toEqual([{ held: -3600, transfers: 1 }, before]);
      await app.engines.sandbox?.decideDispute(disputeId, isWon);
      await receive();
      expect([(await movedOf(asked)).held, (await atAccount()) - before]).toEqual([0, isWon ? 3600 : 0]);
      expect([await show(asked), await door()]).toMatchObject(
        isWon ? [{ state: 'released' }, 'open'] : [{ state: 'charged_back' }, 'Access ended'],
      );
      if (isWon) {
        const { rows } = await must(app, 'money.listEarnings', { filter: 'customs' }, shared.creator.browser);
        expect(rows[0], 'what is given again is not earned twice').toMatchObject({
          kind: 'request',
          amountCents: 3600,
        });
      }
      expect(await findDrift(app.engines)).toEqual([]);
    }
  });

  it('that is told of while her part leaves takes that back too', async () => {
    const asked = await paid();
    await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
    const before = await atAccount();
    const chargeId = await chargeOf(asked);
    const { payments } = app.engines;
    const { release } = payments;
    let received: Promise<unknown> = Promise.resolve();
    // It has left, and nobody has written that down yet.
    payments.release = async (params) => {
      const made = await release(params);
      received = syncObject(app.engines, (await app.engines.sandbox?.dispute(chargeId)) ?? '');
      await Promise.race([received, wait(1500)]);
      return made;
    };
    await app.call('requests.say', { code: asked.code, what: 'accept' }, asked.browser);
    payments.release = release;
    await received;
    expect([await movedOf(asked), await atAccount()]).toEqual([{ held: -3600, transfers: 1 }, before]);
  });

  it('one after the other limits what she may ask for, and no request that costs less', async () => {
    const accept = async (offeredCents: number) => {
      const { id } = await askAtLink(app, shared, { offeredCents });
      return hers('accept', { requestId: id, days: 7 });
    };
    const { body } = await accept(10_100);
    expect(body).toMatchObject({ code: 'PRICE_OUT_OF_RANGE', message: expect.stringContaining('$100 at most') });
    expect((await accept(10_000)).body).toMatchObject({ state: 'quoted' });
    const { id: requestId } = await askAtLink(app, shared);
    expect((await hers('counter', { requestId, cents: 20_000, days: 3 })).body.code).toBe('PRICE_OUT_OF_RANGE');
  });
});
