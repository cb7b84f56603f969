import { settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { readRow, readRows } from '../people.ts';
import { type SharedAlbum, shareAlbum } from '../shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay, tipToOpen } from './selling.ts';

/** Something that was paid for, and by whom. */
export interface Sold {
  slug: string;
  linkId: string;
  browser: Browser;
  email: string;
  orderId: string;
  chargeId: string;
}

/** Returns what went back of a payment at the provider, in its order. */
export const listRefundsMade = (app: TestApp, chargeId: string) =>
  readRows<{ cents: number; reason: string }>(
    app,
    `select (body->>'amount')::int as cents, body->>'reason' as reason from sandbox_objects
     where type = 'refund' and body->>'charge' = $1 order by seq`,
    [chargeId],
  );

/**
 * A creator who sells, and buyers who go to their bank. No webhook tells anything.
 * @param more what the platform has of its own, available at once: what is given again leaves that
 */
export async function openDisputeWorld(app: TestApp, { ownCents = 100_000 } = {}) {
  // Before anything happens at the provider: what is told too early waits for its next try, and time stands still here.
  app.engines.sandbox?.deliverTo(undefined);
  if (ownCents > 0) await app.engines.sandbox?.topUp(ownCents);
  const shared = await shareAlbum(app, { count: 1 });
  const accountId = await connectPayouts(app, shared.creator);
  let count = 0;
  /** Somebody pays for a link of their own, and looks at it. */
  async function sell({ cents = 5000, isTip = false, more = {}, params = {} } = {}): Promise<Sold> {
    const rules = { ...(isTip ? tipToOpen(cents) : payToOpen(cents)), ...more };
    const { slug, id: linkId } = await shared.makeLink(rules, { expiry: { kind: 'never' } });
    const browser = newBrowser();
    const email = `disputing-${++count}@example.com`;
    await tapDoor(app, slug, browser);
    const { body } = await tapPay(app, slug, browser, cents, {
      ...(!isTip && { offerId: 'pay' }),
      ...params,
    });
    await payAt(app, sessionOf(body.url), { email });
    await settleOpen(app.engines, 0);
    await post(app, `/api/view/${slug}/open`, {}, browser);
    const found = await readRow<{ orderId: string; chargeId: string }>(
      app,
      'select id as "orderId", charge_id as "chargeId" from checkout_orders where link_id = $1',
      [linkId],
    );
    return { slug, linkId, browser, email, ...found };
  }
  return {
    shared: shared as SharedAlbum,
    creator: shared.creator,
    accountId,
    sell,
    /** The buyer goes to the bank, and we hear of it. @returns the name of the dispute */
    async dispute({ chargeId }: Pick<Sold, 'chargeId'>): Promise<string> {
      const disputeId = (await app.engines.sandbox?.dispute(chargeId)) ?? '';
      await syncObject(app.engines, disputeId);
      return disputeId;
    },
    /** The bank decides, and we hear of it. */
    async decide(disputeId: string, isWon: boolean, more?: { returnsFee: boolean }): Promise<void> {
      await app.engines.sandbox?.decideDispute(disputeId, isWon, more);
      await syncObject(app.engines, disputeId);
    },
    /** What the door says: `open` while it lets the buyer in. */
    door: async ({ slug, browser }: Pick<Sold, 'slug' | 'browser'>): Promise<string> => {
      const { body } = await post(app, `/api/view/${slug}/open`, {}, browser);
      return body === undefined ? 'open' : body.title;
    },
    stateOf: async ({ orderId }: Pick<Sold, 'orderId'>): Promise<string> =>
      (await readRow<{ state: string }>(app, 'select state from checkout_orders where id = $1', [orderId])).state,
    bookedOf: (sold: Pick<Sold, 'chargeId'>) => listBooked(app, sold),
    leftOf: (sold: Pick<Sold, 'chargeId'>) => sumLeft(app, sold),
  };
}
export type DisputeWorld = Awaited<ReturnType<typeof openDisputeWorld>>;

/** The movements of a payment as they are booked, each with its entries by their names: "adjustment: stripe -6500, refunds +5000, dispute_fee +1500". */
async function listBooked(app: TestApp, { chargeId }: Pick<Sold, 'chargeId'>): Promise<string[]> {
  const rows = await readRows<{ kind: string; entries: string }>(
    app,
    `select t.kind, string_agg(regexp_replace(regexp_replace(a.key, ':?acct_.*$', ''), '^.*:', '') || ' ' || to_char(e.amount_cents, 'FMSG999999'), ', ' order by a.key) as entries
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
     where t.charge_id = $1 group by t.id order by t.id`,
    [chargeId],
  );
  return rows.map(({ kind, entries }) => `${kind}: ${entries}`);
}

/** What a payment has left in the accounts of the books. */
async function sumLeft(app: TestApp, { chargeId }: Pick<Sold, 'chargeId'>): Promise<Record<string, number>> {
  const rows = await readRows<{ key: string; cents: number }>(
    app,
    `select regexp_replace(a.key, ':?acct_.*$', '') as key, sum(e.amount_cents)::int as cents
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
     where t.charge_id = $1 group by 1 having sum(e.amount_cents) <> 0 order by 1`,
    [chargeId],
  );
  return Object.fromEntries(rows.map(({ key, cents }) => [key, cents]));
}
