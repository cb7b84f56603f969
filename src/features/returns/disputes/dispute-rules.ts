import type { Dispute, DisputeOutcome, PassedOn } from '#engines/payments/disputes.ts';
import { clearing, type Entry, held, lossOf, platformFee } from '#features/books/posting.ts';
import { feeOfPart } from '#features/orders/split-rules.ts';
import { rateOf } from '#features/payouts/rules.ts';
import { dayMs } from '#kit/time.ts';

/** Returns whether the money is with the bank, now or for good. */
export const isTaken = (standing: DisputeOutcome): boolean => standing === 'open' || standing === 'lost';

/** Whether what a bank only asked about has become a chargeback, which has to be answered again. */
export const hasEscalated = (before: { status: string }, { status }: Pick<Dispute, 'status'>): boolean =>
  before.status.startsWith('warning_') && status === 'needs_response';

/** Whether nothing more is decided about it. */
export const isDecided = (standing: DisputeOutcome): boolean =>
  standing === 'won' || standing === 'lost' || standing === 'over';

/** What is taken back of a creator for a dispute: no more than is disputed, and the platform's part of that with it. */
export function backOf({ amountCents }: Pick<Dispute, 'amountCents'>, passedOn: PassedOn): PassedOn {
  const { transferId, leftCents, feeLeftCents } = passedOn;
  if (amountCents >= leftCents) return passedOn;
  return {
    transferId,
    leftCents: amountCents,
    feeLeftCents: feeOfPart({ amountCents: leftCents, feeCents: feeLeftCents }, amountCents),
  };
}

/** A payment that was held, and of which its creator has had their part. */
export interface Released {
  requestId: string;
  transferId: string;
  shareCents: number;
  /** What of it is the platform's: it was never transferred. */
  feeCents: number;
}

/** The same of a payment that was held: their part of what is disputed. The platform's part of it never left. */
export function backOfReleased({ amountCents }: Pick<Dispute, 'amountCents'>, released: Released): PassedOn {
  const { transferId, shareCents, feeCents } = released;
  const share = (amountCents * shareCents) / (shareCents + feeCents);
  return { transferId, leftCents: Math.min(shareCents, Math.round(share)), feeLeftCents: 0 };
}

/**
 * What a creator bears of the fee of a dispute: all of it where they were warned before it came, because much of what they sold was
 * disputed; else nothing.
 */
export const borneOf = (feeCents: number, before: { sales: number; disputes: number }): number =>
  rateOf(before) === 'fine' ? 0 : feeCents;

/** What is known of a dispute that is settled. */
interface Settling {
  standing: DisputeOutcome;
  /** What was taken back of the creator's part, and the platform's part of that; null where nothing was. */
  backCents: number | null;
  backFeeCents: number | null;
  /** What the bank has of it. */
  takenCents: number;
  /** Null where it was paid for something of the platform's own. */
  orderId: string | null;
}

/** Whether everything that is to be taken back of a dispute has been; what was refused is owed. */
export const isTakenBack = ({
  backCents,
  reversalId,
}: Pick<Settling, 'backCents'> & { reversalId: string | null }): boolean =>
  (backCents ?? 0) === 0 || reversalId !== null;

/** What a creator is given again once it was won: what was theirs of it. */
export const againCents = ({ backCents, backFeeCents }: Pick<Settling, 'backCents' | 'backFeeCents'>): number =>
  (backCents ?? 0) - (backFeeCents ?? 0);

/** Whether a creator has again what was theirs of a dispute that was won; what was refused is owed to them. */
export const isGivenAgain = ({
  standing,
  retransferId,
  ...back
}: Pick<Settling, 'standing' | 'backCents' | 'backFeeCents'> & { retransferId: string | null }): boolean =>
  standing !== 'won' || againCents(back) === 0 || retransferId !== null;

/** What a payment was held for, and the part of it that the platform has taken when it was released; nothing while it is held. */
export interface HeldFor {
  requestId: string;
  takenFeeCents: number;
}

/**
 * What is left to be booked once a dispute is decided and everything has been moved; empty when it adds up already. Won, the
 * platform's part is its own again. Lost, what the bank has taken and nobody gave back is a loss, but for what was still held and
 * for what the platform had taken of that.
 */
export function settlingEntries(
  { standing, backCents, backFeeCents, takenCents, orderId }: Settling,
  { heldFor, sold }: { heldFor?: HeldFor | undefined; sold?: string | undefined } = {},
): Entry[] {
  if (heldFor !== undefined)
    return settlingHeld({ standing, backCents: backCents ?? 0, takenCents }, heldFor).filter(isSome);
  const feeCents = backFeeCents ?? 0;
  const lostCents = takenCents - (backCents ?? 0);
  const entries =
    standing === 'won'
      ? [clearing(feeCents), platformFee(-feeCents)]
      : standing === 'lost'
        ? [clearing(-lostCents), lossOf(lostCents, { isOwnSale: orderId === null, sold })]
        : [];
  return entries.filter(isSome);
}

const isSome = ({ amountCents }: Entry): boolean => amountCents !== 0;

/**
 * What was taken back of a release is held again. Won, it is the creator's as before; lost, the bank has it, and of what it has
 * besides as much is the platform's part as that had taken.
 */
function settlingHeld(
  { standing, backCents, takenCents }: { standing: DisputeOutcome; backCents: number; takenCents: number },
  { requestId, takenFeeCents }: HeldFor,
): Entry[] {
  if (standing === 'won') return [clearing(-backCents), held(requestId, backCents)];
  if (standing !== 'lost') return [];
  if (backCents === 0 && takenFeeCents === 0) return [clearing(-takenCents), held(requestId, takenCents)];
  const feeCents = Math.min(takenFeeCents, takenCents - backCents);
  const lossCents = takenCents - backCents - feeCents;
  const loss = lossOf(lossCents, { isOwnSale: false });
  return [clearing(-takenCents), held(requestId, backCents), platformFee(feeCents), loss];
}

/** So long before its last moment evidence is submitted by itself. */
export const submitBeforeMs: number = dayMs;

/** How it stands with the evidence of a dispute. */
export interface SubmitFacts {
  dueBy: Date | null;
  /** What was paid for was looked at; null where nothing was built. */
  isOpened: boolean | null;
  objectedAt: Date | null;
  wantedAt: Date | null;
}

/**
 * Returns whether evidence is submitted now: when staff want it, else a day before it is due, unless they object. Where nothing was ever
 * opened it is theirs to decide: such a dispute is seldom won.
 */
export function isToSubmit({ dueBy, isOpened, objectedAt, wantedAt }: SubmitFacts, now: Date): boolean {
  if (dueBy === null || now >= dueBy || isOpened === null || objectedAt !== null) return false;
  if (wantedAt !== null) return true;
  return isOpened && now.getTime() >= dueBy.getTime() - submitBeforeMs;
}

/** Whether the bank is answered: `undecided` while nothing is built yet, and where staff have to say so first. */
export type Answer = 'planned' | 'undecided' | 'none';

/** What becomes of evidence that was not submitted yet, as far as is known now. */
export function answerOf(
  { dueBy, isOpened, objectedAt, wantedAt, isRefused }: SubmitFacts & { isRefused: boolean },
  now: Date,
): Answer {
  if (dueBy === null || now >= dueBy || objectedAt !== null) return 'none';
  if (isRefused || isOpened === null) return 'undecided';
  return isOpened || wantedAt !== null ? 'planned' : 'undecided';
}
