import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Dispute } from '#engines/payments/disputes.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { callOnce } from '#features/books/call-once.ts';
import { syncSoon } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import {
  countBefore,
  type FeeRow,
  findFee,
  keepBorne,
  listFees,
  markFee,
  markRefused,
  noteFeeBackRefused,
  planFee,
  postponeFee,
} from './dispute-fees-store.ts';
import { borneOf } from './disputes/dispute-rules.ts';
import type { DisputeRow } from './disputes/disputes-store.ts';
import { notifyToSend } from './disputes/notify-owed.ts';

const system = { kind: 'system' } as const;

/**
 * Decides who bears what a dispute costs, once, as soon as it costs anything: whatever becomes of their sales later changes nothing.
 * @returns what its creator bears
 */
export async function decideFee(
  tx: Tx,
  { id, creatorId, orderId, borneCents }: DisputeRow,
  { feeCents }: Dispute,
): Promise<number> {
  if (borneCents !== null || feeCents <= 0 || creatorId === null || orderId === null) return borneCents ?? 0;
  const cents = borneOf(feeCents, await countBefore(tx, id));
  await keepBorne(tx, id, cents);
  return cents;
}

/**
 * Takes from creators what they bear of the fees of disputes, and gives back what the provider has returned.
 * @param accountId of one account at once, also what waits for its next try
 */
export async function settleFees(engines: Engines, accountId?: string): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const rows = await database.work(system, (tx) => listFees(tx, payments.realm, moneyNow(engines), accountId));
  await doOneByOne(engines, rows, {
    words: 'the fee of a dispute could not be taken',
    act: ({ id, disputeId }) => withObjectLock(engines, `fee:${disputeId}`, () => settleFee(engines, id)),
    postpone: (tx, { id }, now) => postponeFee(tx, id, now),
  });
  if (rows.length > 0) syncSoon(engines);
}

async function settleFee(engines: Engines, id: string): Promise<void> {
  const row = await engines.database.work(system, (tx) => findFee(tx, id));
  if (row === undefined) return;
  await (row.paymentId === null ? take(engines, row) : giveBack(engines, row));
}

/** What is asked for is written down first: it may be made, and nobody writes down that it was. */
async function take(engines: Engines, row: FeeRow): Promise<void> {
  const { database, payments, log } = engines;
  const { id, disputeId, refusals: before } = row;
  const amountCents = row.askedCents ?? Math.min(row.borneCents, row.feeCents);
  await database.work(system, (tx) => planFee(tx, id, { askedCents: amountCents }));
  try {
    const paymentId = await callOnce(engines, {
      name: `disp-fee:${disputeId}`,
      refusals: before,
      find: (since) => payments.findMade({ kind: 'fee', disputeId, since }),
      make: (refusals) => payments.takeFee({ ...feeOf(row), amountCents, refusals }),
    });
    await database.work(system, (tx) => markFee(tx, id, { paymentId }));
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // It waits for what they earn next.
    if (error.why !== 'insufficient')
      log.warn({ area: 'money', dispute: disputeId, err: error }, 'the fee of a dispute was not taken');
    await database.work(system, (tx) => markRefused(tx, id, moneyNow(engines)));
  }
}

async function giveBack(engines: Engines, row: FeeRow): Promise<void> {
  const { database, payments, log } = engines;
  const amountCents = row.backCents ?? (row.askedCents ?? 0) - row.feeCents;
  await database.work(system, (tx) => planFee(tx, row.id, { backCents: amountCents }));
  const { id, disputeId, accountId, orderId, currency } = row;
  const backId = await callOnce(engines, {
    name: `disp-fee-back:${disputeId}`,
    find: (since) => payments.findMade({ kind: 'fee_back', disputeId, accountId, since }),
    make: (refusals) => payments.giveFeeBack({ ...feeOf(row), amountCents, refusals }),
  }).catch((error: unknown) => {
    if (error instanceof PaymentRefused) return error;
    throw error;
  });
  if (backId instanceof PaymentRefused) {
    log.warn({ area: 'money', dispute: disputeId, err: backId }, 'the fee of a dispute was not given back');
    const owed = { of: disputeId, orderId, amountCents, currency, said: backId.message, now: moneyNow(engines) };
    return database.work(system, async (tx) => {
      if (await noteFeeBackRefused(tx, id, owed.now)) await notifyToSend(engines, tx, owed);
    });
  }
  await database.work(system, (tx) => markFee(tx, row.id, { backId }));
}

const feeOf = ({ disputeId, chargeId, accountId, currency }: FeeRow) => ({ disputeId, chargeId, accountId, currency });
