import type { Engines } from '#engines/engines.ts';
import { PaymentRefused, type RefundReason } from '#engines/payments/payments.ts';
import { callOnce } from '#features/books/call-once.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { clearing, entriesOfRemainder, platformFee } from '#features/books/posting.ts';
import { refundOnce } from '#features/books/refund-once.ts';
import { notifyRefused } from '#features/orders/notify-refused.ts';
import {
  type DueRefund,
  failRefund,
  holdOrder,
  insertRefund,
  listDueRefunds,
  markTakenBack,
  noteGivenRefused,
  postponeRefund,
} from '#features/orders/refunds-store.ts';
import { type RefundWhy, refundOnTakedownMs, takenDownNote } from '#features/orders/rules.ts';
import { syncPayment } from '#features/orders/sync-orders.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import { notifyOwed } from './disputes/notify-owed.ts';
import {
  isStillOwed,
  listOwed,
  listPaidLate,
  listPaidTwice,
  listRefusedHeld,
  type RefusedHeld,
} from './refunds/owed-store.ts';
import { findOwedTimes } from './refunds/owed-times.ts';
import { listTakenDown } from './taken-down-store.ts';

const system = { kind: 'system' } as const;
/** Whoever pays for the same thing again within this time has tapped twice, or lost the first page. */
const duplicateMs = 10 * minuteMs;

/** The provider knows three reasons; ours stays with us. */
const reasonOf = (why: RefundWhy): RefundReason =>
  why === 'duplicate' || why === 'fraudulent' ? why : 'requested_by_customer';

/** Asks the provider for the refunds that are wished for. What it does not answer now is asked for again by the next call. */
export async function runRefunds(engines: Engines, orderId?: string): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const due = await database.work(system, (tx) => listDueRefunds(tx, payments.realm, now, orderId ?? null));
  await doOneByOne(engines, due, {
    words: 'a refund could not be asked for',
    act: (refund) => runRefund(engines, refund),
    postpone: (tx, { id }, at) => postponeRefund(tx, id, at),
  });
}

async function runRefund(engines: Engines, refund: DueRefund): Promise<void> {
  const isMade = refund.state === 'succeeded' || (await askRefund(engines, refund));
  try {
    if (isMade) await takeGivenBack(engines, refund);
  } finally {
    // The buyer's money has gone back, whatever its creator still owes.
    await syncPayment(engines, refund);
  }
}

/** @returns false when the provider does not make it */
async function askRefund(engines: Engines, { id: refundId, reason, ...about }: DueRefund): Promise<boolean> {
  const { database, log } = engines;
  const { orderId, paymentId, amountCents, requestId, givenTransferId, isFree } = about;
  const isFromPlatform = requestId !== null || givenTransferId !== null;
  try {
    const params = { refundId, orderId, paymentId, amountCents, reason: reasonOf(reason) };
    await refundOnce(engines, { ...params, isHeld: isFromPlatform, isFree });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // What went back already needs no second refund; the projection says so.
    if (error.why === 'already_refunded') return true;
    // Its bank was quicker, and decides now; should the dispute be won, what is still owed is asked for again.
    const isDisputed = error.why === 'disputed';
    if (isDisputed) log.info({ area: 'money', orderId }, 'a refund was not made: its payment is disputed');
    else log.error({ area: 'money', orderId, err: error }, 'a refund was refused');
    const now = moneyNow(engines);
    await database.work(system, async (tx) => {
      const isFailed = await failRefund(tx, refundId, error.message, now);
      if (isFailed && !isDisputed) await notifyRefused(engines, tx, { orderId, amountCents, said: error.message, now });
    });
    return false;
  }
  return true;
}

/**
 * What its creator was given by another transfer – again after a dispute, or when what was held was released – goes back with the
 * refund; what is left of that was the platform's part.
 */
async function takeGivenBack(engines: Engines, refund: DueRefund): Promise<void> {
  const { database, payments } = engines;
  const { id: refundId, givenTransferId: transferId, givenCents, amountCents, chargeId, requestId, currency } = refund;
  if (transferId === null || givenCents === null || givenCents === 0) return;
  const reversalId = await callOnce(engines, {
    name: `refund-rev:${refundId}`,
    find: () => payments.findMade({ kind: 'reversal', transferId, of: { refundId } }),
    make: (refusals) => payments.takeGivenBack({ refundId, transferId, amountCents: givenCents, refusals }),
  }).catch(async (error: unknown) => {
    if (error instanceof PaymentRefused) await owe(engines, refund, error);
    throw error;
  });
  const now = moneyNow(engines);
  await database.work(system, async (tx) => {
    if (!(await markTakenBack(tx, refundId, reversalId))) return;
    const feeCents = amountCents - givenCents;
    const name = requestId === null ? 'refund-won' : 'refund-released';
    const about = { id: `${name}:${refundId}`, kind: 'other', at: now, availableAt: now, currency } as const;
    const movement = { ...about, chargeId: chargeId ?? undefined, accountId: undefined };
    const entries =
      requestId === null ? [clearing(-feeCents), platformFee(feeCents)] : entriesOfRemainder(requestId, -feeCents);
    if (feeCents > 0) await postMovement(tx, payments.realm, movement, entries);
  });
}

/** Their account has too little for what is taken back with a refund: it is owed, and tried again. */
async function owe(engines: Engines, refund: DueRefund, { message: said }: PaymentRefused): Promise<void> {
  const { id, orderId, givenCents, currency } = refund;
  const now = moneyNow(engines);
  await engines.database.work(system, async (tx) => {
    if (!(await noteGivenRefused(tx, id, now))) return;
    await notifyOwed(engines, tx, {
      of: `order ${orderId}`,
      orderId,
      amountCents: givenCents ?? 0,
      currency,
      said,
      now,
    });
  });
}

/** A request that was refused, as it was: whoever paid is told why it goes back in the same words. */
const requestAgain = ({ byKind, byUser, cause, partCents, refundedCents, ...params }: RefusedHeld) => ({
  ...params,
  ...(partCents !== null && { amountCents: partCents, isUnsent: true, refundedCents }),
  by: { kind: byKind, userId: byUser ?? undefined },
  cause: cause ?? undefined,
});

const paidLate = {
  reason: 'access_revoked',
  note: '',
  by: system,
  cause: 'paid_after_end',
  isTold: true,
} as const;

/** Pays back by itself what its creator ended too early – the link, the viewer's access, what it opened, or their account – what was paid when its sale was over, what we took down, what somebody paid twice by mistake, and custom work whose refund was refused. */
export async function refundOwed(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const times = await findOwedTimes(engines);
  const owed = await database.work(system, async (tx) => {
    const ended = await listOwed(tx, payments.realm, now, times);
    const twice = await listPaidTwice(tx, payments.realm, now, duplicateMs);
    const removed = await listTakenDown(tx, payments.realm, now, refundOnTakedownMs);
    const late = await listPaidLate(tx, payments.realm, now);
    const refused = await listRefusedHeld(tx, payments.realm, now);
    return [
      ...ended.map((order) => ({ ...order, reason: 'access_revoked', note: '', by: system }) as const),
      ...late.map((orderId) => ({ orderId, ...paidLate }) as const),
      ...twice.map((orderId) => ({ orderId, reason: 'duplicate', note: '', by: system }) as const),
      ...removed.map((orderId) => ({ orderId, reason: 'platform_decision', note: takenDownNote, by: system }) as const),
      ...refused.map(requestAgain),
    ];
  });
  for (const order of owed) {
    const params = { ...order, id: newId<'refund'>(now.getTime()), now };
    await database.work(system, async (tx) => {
      await holdOrder(tx, order.orderId);
      if (await isStillOwed(tx, payments.realm, order, now)) await insertRefund(tx, params);
    });
  }
  await runRefunds(engines);
}
