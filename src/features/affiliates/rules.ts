import { dayMs } from '#kit/time.ts';

/** How an application and the partner that it makes stand. */
export const partnerStates = ['applied', 'approved', 'paused', 'rejected', 'closed'] as const;
export type PartnerState = (typeof partnerStates)[number];

export const voidReasons = ['same_person', 'same_card', 'spam', 'brand_ads', 'other'] as const;
export type VoidReason = (typeof voidReasons)[number];

/** For so long a share waits before it is paid: the bill may go back. */
export const pendingMs = 30 * dayMs;
/** The largest share of a bill, in hundredths of a percent. */
export const mostShareBps = 5000;
/** More referrals than this part are void: somebody should look. */
const manyVoid = 0.4;
/** Of fewer referrals nothing follows. */
const fewestJudged = 3;

/** Letters and digits that nobody takes for another. */
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const codeLength = 8;

/** Writes a code out of random bytes, one for each letter. */
export const spellCode = (bytes: Uint8Array): string => Array.from(bytes, (byte) => codeLetters[byte % 32]).join('');

/** Returns a partner's share of what was paid, to the nearest cent: 20 % of $3.99 is 80 cents. */
export const shareOf = (paidCents: number, shareBps: number): number => Math.round((paidCents * shareBps) / 10_000);

export const payableAt = (paidAt: Date): Date => new Date(paidAt.getTime() + pendingMs);

/** What an administrator can do with a partner. */
export type PartnerAct = 'approve' | 'reject' | 'pause' | 'resume' | 'close';

const moves: Readonly<Record<PartnerAct, { from: readonly PartnerState[]; to: PartnerState }>> = {
  approve: { from: ['applied', 'rejected'], to: 'approved' },
  reject: { from: ['applied'], to: 'rejected' },
  pause: { from: ['approved'], to: 'paused' },
  resume: { from: ['paused'], to: 'approved' },
  close: { from: ['approved', 'paused'], to: 'closed' },
};

/** Returns how a partner stands after an act; undefined where it cannot be done. */
export const stateAfter = (state: PartnerState, act: PartnerAct): PartnerState | undefined =>
  moves[act].from.includes(state) ? moves[act].to : undefined;

/** What a partner has in hand when a run is made. */
export interface Due {
  affiliateId: string;
  name: string;
  email: string;
  currency: string;
  /** What can be paid. */
  payableCents: number;
  /** What was paid before and went back since. */
  debtCents: number;
}

export interface PayLine extends Due {
  amountCents: number;
}

/** Returns who gets what in a run: what can be paid, less what went back, from the smallest amount that is paid out. */
export const planLines = (due: readonly Due[], leastCents: number): PayLine[] =>
  due
    .map((one) => ({ ...one, amountCents: one.payableCents - one.debtCents }))
    .filter(({ amountCents }) => amountCents > 0 && amountCents >= leastCents);

/** What may speak against a partner, for whoever looks. */
export interface Signs {
  referrals: number;
  voided: number;
  /** Referrals whose card ends like the partner's own, or another referral's. */
  sameCard: number;
  /** Referrals that signed up with the partner's device and country. */
  sameDevice: number;
}

/** Returns what should be looked at before a partner is paid; empty when nothing stands out. */
export function listHints({ referrals, voided, sameCard, sameDevice }: Signs): string[] {
  const hints: string[] = [];
  if (referrals >= fewestJudged && voided / referrals > manyVoid)
    hints.push(`${voided} of ${referrals} referrals are void`);
  if (sameCard > 0) hints.push(`${sameCard} with a card that ends like another of them, or like the partner's own`);
  if (sameDevice > 0) hints.push(`${sameDevice} from the partner's own kind of device and country`);
  return hints;
}
