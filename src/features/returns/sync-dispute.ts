import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Dispute } from '#engines/payments/disputes.ts';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { syncPayment } from '#features/orders/sync-orders.ts';
import { updateByDisputes } from '#features/payouts/holding.ts';
import { newId } from '#kit/ids.ts';
import { decideFee } from './bearing-fees.ts';
import { hasEscalated, isDecided } from './disputes/dispute-rules.ts';
import {
  type DisputedOrder,
  type DisputeRow,
  findDispute,
  findOrderOfCharge,
  insertDispute,
  writeDispute,
} from './disputes/disputes-store.ts';
import { dropEvidence } from './disputes/evidence-store.ts';
import { moveDisputed, settleDispute } from './disputes/moving-disputed.ts';
import { notifyDispute } from './disputes/notify-disputes.ts';
import { syncCharge } from './sync-charge.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 20;

// Drawn in docs/state-machines.md.
/**
 * Asks the provider how a dispute stands and writes it down, then its payment, which opens nothing meanwhile; then moves what it
 * moves and books it. Repeating it changes nothing; it is right whenever, however often and by whomever it is called.
 * @returns false when what was paid for is not known yet
 */
export async function syncDispute(engines: Engines, disputeId: string): Promise<boolean> {
  const row = await withObjectLock(engines, disputeId, () => write(engines, disputeId));
  if (row === undefined) return false;
  const order = await engines.database.work(system, (tx) =>
    findOrderOfCharge(tx, engines.payments.realm, row.chargeId),
  );
  // What a creator paid for themselves, a plan or credits, is asked about by its charge.
  if (order === undefined) await syncCharge(engines, row.chargeId);
  else await syncPayment(engines, order);
  await withObjectLock(engines, `moving:${disputeId}`, () => move(engines, disputeId, order));
  const { creatorId } = row;
  if (creatorId !== null)
    await engines.database.work(system, (tx) => updateByDisputes(engines, tx, creatorId, moneyNow(engines)));
  return true;
}

/** One after another, each by how it stands then: what is taken back while it is won would stay with us. */
async function move(engines: Engines, disputeId: string, order: DisputedOrder | undefined): Promise<void> {
  const { database, payments } = engines;
  const row = await database.work(system, (tx) => findDispute(tx, payments.realm, disputeId));
  if (row === undefined) return;
  const moved = await moveDisputed(engines, row, order);
  await syncLedger(engines);
  await settleDispute(engines, moved);
}

async function write(engines: Engines, disputeId: string): Promise<DisputeRow | undefined> {
  const { database, payments } = engines;
  const { realm } = payments;
  for (let round = 0; round < mostRounds; round++) {
    const known = await database.work(system, (tx) => findDispute(tx, realm, disputeId));
    const dispute = await payments.findDispute(disputeId);
    if (known === undefined && !(await makeKnown(engines, dispute))) return undefined;
    if (known === undefined) continue; // it is asked about again: what it was before is known by then
    const isWritten = await database.work(system, (tx) => keep(engines, tx, known, dispute));
    if (isWritten) return database.work(system, (tx) => findDispute(tx, realm, disputeId));
  }
  throw new Error('A dispute was changed by somebody else again and again.');
}

/** Writes down that there is a dispute, of an order that is known. @returns false when what was paid for is not */
async function makeKnown(engines: Engines, dispute: Dispute): Promise<boolean> {
  const { database, payments } = engines;
  const find = () => database.work(system, (tx) => findOrderOfCharge(tx, payments.realm, dispute.chargeId));
  const isKnown = (await find()) !== undefined || (await syncCharge(engines, dispute.chargeId));
  if (!isKnown) return false;
  const order = await find();
  const now = moneyNow(engines);
  const about = { id: newId<'dispute'>(now.getTime()), dispute, order, now };
  await database.work(system, (tx) => insertDispute(tx, payments.realm, about));
  return true;
}

async function keep(engines: Engines, tx: Tx, known: DisputeRow, dispute: Dispute): Promise<boolean> {
  const now = moneyNow(engines);
  if (!(await writeDispute(tx, known, dispute, now))) return false;
  if (dispute.isUnknown)
    engines.log.error(
      { area: 'money', dispute: dispute.disputeId, status: dispute.status },
      'a dispute stands in a way that nobody knows',
    );
  if (hasEscalated(known, dispute)) await dropEvidence(tx, known.id);
  const borneCents = await decideFee(tx, known, dispute);
  const isNews = known.status === 'new' || known.standing !== dispute.standing;
  if (isNews && !(known.status === 'new' && isDecided(dispute.standing) && dispute.standing === 'over'))
    await notifyDispute(engines, tx, { known, dispute, borneCents, now });
  return true;
}
