import { dayMs, hourMs, minuteMs } from '#kit/time.ts';

/** So long after the end of what was paid for a draft changes nothing: a provider may keep it for three days. */
export const draftGraceDays = 3;
export const draftGraceMs = draftGraceDays * dayMs;
/** Then it counts as a payment that failed, for as long as those are tried again: 3, 5 and 5 days. */
export const draftEndsDays = 16;
const draftEndsMs = draftEndsDays * dayMs;
/** A draft is charged after an hour: when nobody has told of it by then, it is asked about. */
export const draftedMs = hourMs + 10 * minuteMs;

/** The bill of a renewal that is not final yet, so that nothing has been charged for the period that runs. */
export interface Draft {
  invoiceId: string;
  /** When its period began, which is the end of what was paid for. */
  since: Date;
  /** Why it could not be made final, by the provider's code; undefined where it is only not due yet. */
  finalizationError: string | undefined;
}

/** A bill of a subscription, as far as it may be a draft. */
interface Bill {
  invoiceId: string;
  /** The provider's word. */
  status: string;
  finalizationError: string | undefined;
  amountCents: number;
  createdAt: Date;
  /** What somebody wrote by hand ends nothing. */
  isOfPeriod: boolean;
}

/** The draft that a subscription waits for: the oldest one since anything was paid. What costs nothing, or was left by a pause, is none. */
export function findDraft(
  { endedAt, isPaused }: { endedAt: Date | undefined; isPaused: boolean },
  newestFirst: readonly Bill[],
): Draft | undefined {
  if (endedAt !== undefined || isPaused) return undefined;
  const billed = newestFirst.filter(({ amountCents, isOfPeriod }) => amountCents > 0 && isOfPeriod);
  const paidAt = billed.findIndex(({ status }) => status === 'paid');
  const unpaid = paidAt === -1 ? billed : billed.slice(0, paidAt);
  const draft = unpaid.filter(({ status }) => status === 'draft').at(-1);
  return draft && { invoiceId: draft.invoiceId, since: draft.createdAt, finalizationError: draft.finalizationError };
}

/** Returns when access by a draft that is never charged ends. */
export const draftEndsAt = (since: Date): Date => new Date(since.getTime() + draftEndsMs);

/** Whether the period that runs was not paid: its bill is a draft, is being charged, or was declined. */
export function isUnpaid(status: string, newestFirst: readonly Bill[]): boolean {
  if (status === 'past_due') return true;
  const newest = newestFirst.find((bill) => bill.amountCents > 0 && bill.isOfPeriod && bill.status !== 'void');
  return newest !== undefined && newest.status !== 'paid';
}

/** Provider's codes that say that a creator can't be paid. */
const ofCreator: ReadonlySet<string> = new Set([
  'transfers_not_allowed',
  'capability_not_active',
  'insufficient_capabilities_for_transfer',
  'account_closed',
  'account_invalid',
]);

/** Returns whether a bill can't be made because its creator can't be paid. */
export const isOfCreator = ({ finalizationError }: Draft): boolean =>
  finalizationError !== undefined && ofCreator.has(finalizationError);

/** Whether a draft was not charged for so long that its subscription ends. */
export const isDraftOver = (draft: Pick<Draft, 'since'> | undefined, now: Date): boolean =>
  draft !== undefined && draftEndsAt(draft.since) <= now;

/** The word of the provider, which calls a subscription active as long as its renewal is a draft, as it counts here. */
export function statusWith(status: string, draft: Draft | undefined, now: Date): string {
  if (status !== 'active' || draft === undefined) return status;
  const isLate = draft.finalizationError !== undefined || now.getTime() >= draft.since.getTime() + draftGraceMs;
  return isLate ? 'past_due' : status;
}
