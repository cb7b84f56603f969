import fc from 'fast-check';
import { runReleases } from '#features/held/releasing.ts';
import { keepBuyer } from '#features/orders/orders-store.ts';
import { splitPayment } from '#features/orders/split-rules.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { keepSettings } from '#features/requests/asking-store.ts';
import { tendRequests } from '#features/requests/jobs.ts';
import { move } from '#features/requests/moves/moving.ts';
import { payRequest } from '#features/requests/moves/paying.ts';
import { lookMs } from '#features/requests/rules.ts';
import { changeRequest, findRequest, insertRequest, type RequestRow } from '#features/requests/store.ts';
import { settingRules } from '#features/settings/rules.ts';
import { newId } from '#kit/ids.ts';
import { advance, must, readRow, readRows, signInQuickly } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { openForRequests } from './requests.ts';
import { goodCard, sessionOf } from './selling.ts';

const feePercent = settingRules['money.commissionPercent'].default;
const ends = [
  'held',
  'released',
  'silent',
  'revised',
  'canceled',
  'parted',
  'complained',
  'ended',
  'reported',
] as const;

/** Custom work that is paid, and what becomes of its money. */
export const requestStep = fc.record({
  do: fc.constant('request' as const),
  cents: fc.integer({ min: 1000, max: 20_000 }),
  end: fc.constantFrom(...ends),
});

/** What a plan has done with a request. */
export interface DoneRequest {
  requestId: string;
  sessionId: string;
  cents: number;
  end: (typeof ends)[number];
  partCents: number;
}

const anybodys = { isMine: () => true };

/** A request that its creator has accepted. */
async function makeQuoted({ engines }: TestApp, creatorId: string, cents: number): Promise<RequestRow> {
  const now = new Date(engines.linkClock());
  const [requestId, viewerId] = [newId<'request'>(now.getTime()), newId<'viewer'>(now.getTime())];
  const dueAt = new Date(now.getTime() + 7 * 86_400_000);
  return engines.database.work({ kind: 'system' }, async (tx) => {
    await keepSettings(tx, creatorId, openForRequests);
    await tx.client.query('insert into viewers (id, created_at, last_seen_at) values ($1, $2, $2)', [viewerId, now]);
    // Ten are open at most, and a world makes as many as it likes.
    await tx.client.query('update custom_requests set closed_at = $2 where creator_id = $1', [creatorId, now]);
    const buyerId = await keepBuyer(tx, newId(now.getTime()), `asker-${requestId}@example.com`, now);
    await insertRequest(tx, {
      ...engines.payments.realm,
      id: requestId,
      creatorId,
      creatorName: 'Mia',
      viewerId,
      buyerId,
      linkId: null,
      title: 'A photo',
      brief: 'At the beach',
      kind: 'photo',
      quantity: 1,
      lengthMinutes: null,
      wantedBy: null,
      timeZone: 'UTC',
      currency: 'usd',
      offeredCents: cents,
      actUntil: dueAt,
      now,
    });
    await changeRequest(tx, requestId, { state: 'quoted', actUntil: dueAt, dueDays: 7, agreedCents: cents });
    const row = await findRequest(tx, requestId);
    if (row === undefined) throw new Error('the request is gone');
    return row;
  });
}

/** Who is asked, and what she delivers. */
interface Maker {
  creatorId: string;
  albumId: string;
  /** Whether her money leaves once; a planted fault sends it twice. */
  isOnce: boolean;
}

type Twice = (act: () => Promise<unknown>) => Promise<void>;

/** Pays for custom work and brings it to an end, each step by several at once. */
export async function actRequest(
  app: TestApp,
  maker: Maker,
  { cents, end }: { cents: number; end: DoneRequest['end'] },
): Promise<DoneRequest> {
  const { engines } = app;
  const row = await makeQuoted(app, maker.creatorId, cents);
  const sessionId = sessionOf((await payRequest(engines, row, { amountCents: cents })).url);
  await engines.sandbox?.pay(sessionId, { email: `${sessionId}@example.com`, card: goodCard });
  const done = { requestId: row.id, sessionId, cents, end, partCents: end === 'parted' ? Math.floor(cents / 3) : 0 };
  if (end === 'held') return done;
  await Promise.all([syncSession(engines, sessionId), syncSession(engines, sessionId)]);
  const about = { ...anybodys, id: row.id };
  const twice: Twice = async (act) => {
    const went = await Promise.allSettled([act(), act(), tendRequests(engines), runReleases(engines)]);
    if (went.slice(0, 2).filter(({ status }) => status === 'fulfilled').length !== 1)
      throw new Error(`a request came to an end by ${went.map(({ status }) => status)}`);
  };
  if (end === 'canceled') await twice(() => move(engines, about, { by: 'creator', do: 'cancel' }));
  else await deliverAndEnd(app, maker, done, twice);
  if (end === 'ended' || end === 'reported') await endReleased(app, done, twice);
  if (!maker.isOnce) await sendAgain(app, done);
  return done;
}

/** As its creator does on her page; a session of hers may be long over. */
async function deliver(app: TestApp, { creatorId, albumId }: Maker, requestId: string, twice: Twice): Promise<void> {
  const browser = await signInQuickly(app, creatorId);
  await twice(() => must(app, 'requests.deliver', { requestId, albumId }, browser));
}

async function deliverAndEnd(
  app: TestApp,
  maker: Maker,
  { requestId: id, end, partCents }: DoneRequest,
  twice: Twice,
): Promise<void> {
  const { engines } = app;
  const about = { ...anybodys, id };
  await deliver(app, maker, id, twice);
  if (end === 'silent') {
    advance(app, lookMs);
    await Promise.all([tendRequests(engines), tendRequests(engines), runReleases(engines)]);
    return;
  }
  if (end === 'parted')
    return twice(() => move(engines, about, { by: 'staff', do: 'release' }, { text: 'A part.', partCents }));
  if (end === 'complained') {
    await twice(() => move(engines, about, { by: 'buyer', do: 'complain' }, { text: 'It is empty.' }));
    return twice(() => move(engines, about, { by: 'staff', do: 'refund' }, { text: 'It is.' }));
  }
  if (end === 'revised') {
    await twice(() => move(engines, about, { by: 'buyer', do: 'revise' }, { text: 'In blue.' }));
    await deliver(app, maker, id, twice);
  }
  return twice(() => move(engines, about, { by: 'buyer', do: 'accept' }));
}

/** All of it goes back after its creator had her part: she ends access to it, or it was reported and we decide so. */
async function endReleased({ engines }: TestApp, { requestId: id, end }: DoneRequest, twice: Twice): Promise<void> {
  const about = { ...anybodys, id };
  if (end === 'ended') return twice(() => move(engines, about, { by: 'system', do: 'end' }));
  await twice(() => move(engines, about, { by: 'buyer', do: 'report', reason: 'other' }, { text: 'It is empty.' }));
  return twice(() => move(engines, about, { by: 'staff', do: 'refund' }, { text: 'It is.' }));
}

/** What was released is sent once more under another name. */
async function sendAgain({ engines }: TestApp, { requestId, sessionId, cents }: DoneRequest): Promise<void> {
  const { chargeId = '' } = await engines.payments.findCheckout(sessionId);
  const { accountId } = await readRow<{ accountId: string }>(
    { engines } as TestApp,
    'select acct_id as "accountId" from checkout_orders where request_id = $1',
    [requestId],
  );
  const release = { requestId: crypto.randomUUID(), chargeId, accountId, currency: 'usd' };
  await engines.payments.release({ ...release, amountCents: splitPayment(cents, feePercent).feeCents });
}

/** What of a payment its creator was sent, each transfer as it was made, and what of it all she still has. */
async function findSent(app: TestApp, chargeId: string) {
  const sent = await readRows<{ amount: number; left: number; isFirst: boolean }>(
    app,
    `select (body->>'amount')::int as amount, (body->>'amount')::int - (body->>'amount_reversed')::int as left, body->>'source_transaction' = $1 as "isFirst"
     from sandbox_objects where type = 'transfer' and (body->>'source_transaction' = $1 or body->'metadata'->>'charge' = $1) order by seq`,
    [chargeId],
  );
  const released = sent.filter(({ isFirst }) => isFirst).map(({ amount }) => amount);
  return { released, hers: sent.reduce((sum, { left }) => sum + left, 0) };
}

/**
 * One transfer at most, of the creator's part of what did not go back; nothing is held of what has ended. What a bank has is
 * taken from whoever had it, and what it has returned is theirs again. @throws when it is not so
 */
export async function compareRequest(app: TestApp, done: DoneRequest): Promise<void> {
  const { requestId, sessionId, cents, end, partCents } = done;
  const { chargeId = '', refundedCents, isDisputed, isLost } = await app.engines.payments.findCheckout(sessionId);
  const { released, hers } = await findSent(app, chargeId);
  const { held, state, isReported } = await readRow<{ held: number; state: string; isReported: boolean }>(
    app,
    `select (select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id
       where a.key = 'liability:held:' || r.id) as held, r.state,
       exists (select from refunds b where b.order_id = r.order_id and b.reason = 'fraudulent' and b.state = 'succeeded') as "isReported"
     from custom_requests r where r.id = $1`,
    [requestId],
  );
  const share = splitPayment(cents - partCents, feePercent).shareCents;
  const isOpen = isDisputed && !isLost;
  const heldAgain = isOpen ? -share : 0;
  const left = isDisputed || isReported ? 0 : share;
  const sent = [[share], isReported ? cents : partCents, heldAgain, left];
  const back = [[], cents, 0, 0];
  const backAfterAll = [[share], cents, 0, 0];
  const wanted = {
    held: [[], 0, isLost ? 0 : -cents, 0],
    released: sent,
    silent: sent,
    revised: sent,
    parted: sent,
    canceled: back,
    complained: back,
    ended: backAfterAll,
    reported: backAfterAll,
    // A plan may wait until it has gone back by itself; what a bank takes before that goes back by the bank alone.
  }[end === 'held' && !isDisputed && (state === 'refunded' || isReported) ? 'canceled' : end];
  const is = [released, refundedCents, held, hers];
  if (JSON.stringify(is) !== JSON.stringify(wanted))
    throw new Error(`a request (${end}): ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
}
