import type { Dispute, DisputeStanding, PassedOn } from '#engines/payments/disputes.ts';
import { dayMs } from '#kit/time.ts';
import { clearing, type Entry, held, lossOf, platformFee } from '../ledger/posting.ts';
import type { DisputeRow } from './disputes-store.ts';

/** Whether the money is with the bank, now or for good. */
export const isTaken = (standing: DisputeStanding): boolean => standing === 'open' || standing === 'lost';

/** Whether nothing more is decided about it. */
export const isDecided = (standing: DisputeStanding): boolean =>
  standing === 'won' || standing === 'lost' || standing === 'over';

/** What is taken back of a creator for a dispute: no more than is disputed, and the platform's part of that with it. */
export function backOf({ amountCents }: Pick<Dispute, 'amountCents'>, passedOn: PassedOn): PassedOn {
  const { transferId, leftCents, feeLeftCents } = passedOn;
  if (amountCents >= leftCents) return passedOn;
  return { transferId, leftCents: amountCents, feeLeftCents: Math.round((feeLeftCents * amountCents) / leftCents) };
}

/** What a creator is given again once it was won: what was hers of it. */
export const againCents = ({ backCents, backFeeCents }: Pick<DisputeRow, 'backCents' | 'backFeeCents'>): number =>
  (backCents ?? 0) - (backFeeCents ?? 0);

type Settling = Pick<DisputeRow, 'standing' | 'backCents' | 'backFeeCents' | 'takenCents' | 'orderId'>;

/**
 * What is left to be booked once a dispute is decided and everything has been moved; empty when it adds up already. Won, the
 * platform's part is its own again. Lost, what the bank has taken and nobody gave back is a loss, but for what was still held.
 * @param heldFor the request that its payment is held for
 */
export function settlingEntries(
  { standing, backCents, backFeeCents, takenCents, orderId }: Settling,
  { heldFor, sold }: { heldFor?: string | undefined; sold?: string | undefined } = {},
): Entry[] {
  const feeCents = backFeeCents ?? 0;
  const lostCents = takenCents - (backCents ?? 0);
  const lost =
    heldFor === undefined ? lossOf(lostCents, { isOwnSale: orderId === null, sold }) : held(heldFor, lostCents);
  const entries =
    standing === 'won'
      ? [clearing(feeCents), platformFee(-feeCents)]
      : standing === 'lost'
        ? [clearing(-lostCents), lost]
        : [];
  return entries.filter(({ amountCents }) => amountCents !== 0);
}

/** So long before its last moment evidence is handed in by itself. */
export const handInMs: number = dayMs;

/** How it stands with the evidence of a dispute. */
export interface HandInFacts {
  dueBy: Date | null;
  /** What was paid for was looked at; null where nothing was built. */
  isOpened: boolean | null;
  objectedAt: Date | null;
  wantedAt: Date | null;
}

/**
 * Whether evidence is handed in now: when staff want it, else a day before it is due, unless they object. Where nothing was ever
 * opened it is theirs to decide: such a dispute is seldom won.
 */
export function isToHandIn({ dueBy, isOpened, objectedAt, wantedAt }: HandInFacts, now: Date): boolean {
  if (dueBy === null || now >= dueBy || isOpened === null || objectedAt !== null) return false;
  if (wantedAt !== null) return true;
  return isOpened && now.getTime() >= dueBy.getTime() - handInMs;
}
