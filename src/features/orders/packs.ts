import type { Engines } from '#engines/engines.ts';
import { type Checkout, PaymentRefused } from '#engines/payments/payments.ts';
import { syncTogether } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { refundOnce } from '#features/books/refund-once.ts';
import { isPaidLate } from '#features/sales/rules.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import { refuse } from '#wire/refusals.ts';
import { notifyPack } from './emails/notify-packs.ts';
import { notifyPackRefused } from './notify-refused.ts';
import {
  endUnsentPacks,
  failPack,
  failPackRefund,
  findOpenPack,
  findPackOfSession,
  insertPack,
  keepPackSession,
  listOpenPacks,
  listPackRefunds,
  type PackRow,
  type PackToReturn,
  requestFullPackRefund,
  writePack,
} from './packs-store.ts';
import { checkoutMs, orderStateOf, wasPaid } from './rules.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 5;
/** Whoever pays just now is asked about soon enough by their own page. */
const quietMs = 2 * minuteMs;
const currency = 'usd';
/** It is asked again by the next round. */
const nextRound = async () => undefined;

/** What somebody wants to buy. */
export interface PackParams {
  userId: string;
  email: string;
  credits: number;
  amountCents: number;
  /** On our own site, with the place for the checkout's name. */
  returnPath: string;
}

/** Opens the checkout of a pack; one at a time for each creator. @returns what opens the provider's frame in a browser */
export async function openPack(engines: Engines, params: PackParams): Promise<string> {
  for (let round = 0; round < 3; round++) {
    const pack = await begin(engines, params);
    const secret = pack && (await openSession(engines, params, pack));
    if (secret !== undefined) return secret;
  }
  throw refuse('CONFLICT');
}

type Opened = Pick<PackRow, 'id' | 'sessionId' | 'expiresAt'>;

/** Asks the provider for the refund of one pack, as soon as its transaction has committed. */
export const refundPackQueue = 'money.refundPack';

/** The checkout to go on with; undefined when the one before has just come to an end. */
async function begin(engines: Engines, { userId, credits, amountCents }: PackParams): Promise<Opened | undefined> {
  const { database, payments } = engines;
  const { realm } = payments;
  const now = moneyNow(engines);
  const known = await database.work(system, (tx) => findOpenPack(tx, realm, userId));
  if (known !== undefined) {
    const isSame = known.credits === credits && known.amountCents === amountCents;
    if (isSame && known.endedAt === null && known.expiresAt > now) return known;
    return endBefore(engines, known);
  }
  const id = newId<'order'>(now.getTime());
  const expiresAt = new Date(now.getTime() + checkoutMs);
  const pack = { id, realm, userId, credits, amountCents, currency, expiresAt, now };
  return (await database.work(system, (tx) => insertPack(tx, pack))) ? { id, sessionId: null, expiresAt } : undefined;
}

async function endBefore(engines: Engines, { id, sessionId }: PackRow): Promise<undefined> {
  if (sessionId === null) return engines.database.work(system, async (tx) => void (await failPack(tx, id)));
  await engines.payments.expireCheckout(sessionId);
  await syncPack(engines, sessionId);
}

async function openSession(engines: Engines, params: PackParams, pack: Opened): Promise<string | undefined> {
  const { database, payments, installation } = engines;
  const { id, sessionId, expiresAt } = pack;
  const { credits, amountCents, email, returnPath } = params;
  const order = { orderId: id, kind: 'credits', productName: `${credits} credits`, amountCents, currency, email };
  const opened =
    sessionId === null
      ? await payments.openPackCheckout({
          ...order,
          expiresAt,
          returnUrl: `${installation.publicUrl}${returnPath}`,
        })
      : await payments.findPlanCheckout(sessionId);
  await database.work(system, (tx) => keepPackSession(tx, id, opened.sessionId));
  if (opened.state === 'open') return opened.clientSecret;
  await syncPack(engines, opened.sessionId);
  return undefined;
}

/**
 * Asks the provider what became of the checkout of a pack and writes it down; the credits follow from the row. Repeating it changes
 * nothing; it is right whenever, however often and by whomever it is called.
 * @returns the pack as it is now; undefined when it is none of ours
 */
export async function syncPack(
  engines: Engines,
  sessionId: string,
  { isBookedLater = false }: { isBookedLater?: boolean } = {},
): Promise<PackRow | undefined> {
  const { database, payments } = engines;
  const find = () => findPackOfSession(database, payments.realm, sessionId);
  if ((await find()) === undefined) return undefined;
  await withObjectLock(engines, sessionId, async () => {
    for (let round = 0; round < mostRounds; round++) {
      const known = await find();
      if (known === undefined || (await syncKnown(engines, known, sessionId))) return;
    }
    throw new Error('A pack was changed by somebody else again and again.');
  });
  const pack = await find();
  if (pack?.paidAt != null && !isBookedLater) await syncTogether(engines);
  return pack;
}

async function syncKnown(engines: Engines, known: PackRow, sessionId: string): Promise<boolean> {
  const { database } = engines;
  const checkout = await findEnded(engines, known, sessionId);
  const { paymentId, chargeId, refundedCents } = checkout;
  const orderState = orderStateOf({ ...checkout, amountCents: known.amountCents });
  const state = orderState === 'canceled' ? 'failed' : orderState;
  const now = moneyNow(engines);
  const paidAt = wasPaid(state) ? now : undefined;
  const { id, syncedVersion: version, userId } = known;
  const isLate = known.paidAt === null && paidAt !== undefined && isPaidLate(known.endedAt, checkout.chargedAt);
  return database.work(system, async (tx) => {
    const isWritten = await writePack(tx, { id, version, state, paymentId, chargeId, refundedCents, paidAt });
    if (isWritten && isLate && (await requestFullPackRefund(tx, id)) === 'wished')
      await engines.jobs.send(tx, refundPackQueue, { packId: id });
    // Of what came too late its buyer hears with the refund.
    if (isWritten && !isLate) await notifyPack(engines, tx, { before: known, after: { paidAt, refundedCents }, now });
    if (isWritten && userId !== null && state !== known.state)
      await tx.publish({ kind: 'credits.changed', creatorId: userId });
    return isWritten;
  });
}

/** What is not for sale to its buyer any more must not be paid any more. */
async function findEnded({ payments }: Engines, { endedAt }: PackRow, sessionId: string): Promise<Checkout> {
  const checkout = await payments.findCheckout(sessionId);
  if (endedAt === null || checkout.state !== 'open') return checkout;
  await payments.expireCheckout(sessionId);
  return payments.findCheckout(sessionId);
}

/** Asks the provider to pay back what was wished for. What it does not answer now is asked for again by the next call. */
export async function runPackRefunds(engines: Engines, packId?: string): Promise<void> {
  const { database, payments } = engines;
  await doOneByOne(engines, await database.work(system, (tx) => listPackRefunds(tx, payments.realm, packId)), {
    words: 'a refund of credits could not be asked for',
    act: (pack) => runRefund(engines, pack),
    postpone: nextRound,
  });
}

/** What was refused is another refund when it is asked for again: the provider repeats its answer to the same name. */
const backNameOf = ({ id, backTries }: PackToReturn) => `credits-${id}${backTries > 1 ? `-${backTries}` : ''}`;

async function runRefund(engines: Engines, pack: PackToReturn): Promise<void> {
  const { database, log } = engines;
  const { id, paymentId, sessionId, backCents, refundedCents, isReported, currency } = pack;
  if (paymentId === null || sessionId === null) return;
  // What is unused may have gone back before all of it does.
  const params = isReported
    ? ({ refundId: `credits-${id}-reported`, amountCents: backCents - refundedCents, reason: 'fraudulent' } as const)
    : ({ refundId: backNameOf(pack), amountCents: backCents, reason: 'requested_by_customer' } as const);
  try {
    await refundOnce(engines, { ...params, orderId: id, paymentId, isOwnSale: true });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // What went back already needs no second refund; the projection says so.
    if (error.why !== 'already_refunded') {
      log.error({ area: 'money', orderId: id, err: error }, 'a refund of credits was refused');
      const about = { orderId: id, amountCents: params.amountCents, currency, said: error.message };
      await database.work(system, async (tx) => {
        const isFailed = await failPackRefund(tx, pack);
        if (isFailed && error.why !== 'disputed')
          await notifyPackRefused(engines, tx, { ...about, now: moneyNow(engines) });
      });
    }
  }
  await syncPack(engines, sessionId);
}

/** Asks about every pack of which nobody told how it ended. It needs no webhook at all. */
export async function settleOpenPacks(engines: Engines, quiet = quietMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const now = moneyNow(engines);
  const before = new Date(now.getTime() - quiet);
  await doOneByOne(engines, await database.work(system, (tx) => listOpenPacks(tx, payments.realm, before)), {
    words: 'the payment of a pack could not be asked about',
    act: (sessionId) => syncPack(engines, sessionId),
    postpone: nextRound,
  });
  await database.work(system, (tx) => endUnsentPacks(tx, now));
  await runPackRefunds(engines);
}
