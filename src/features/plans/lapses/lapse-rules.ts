import { dayMs } from '#kit/time.ts';

/** So long after access has ended albums and photos are kept, whatever happens. */
export const keptDays = 90;
/** So long after the last sale, where somebody who paid can still open what they bought. */
const keptAfterSaleMs = 365 * dayMs;
/** The last email comes so long before they go, and they never go without it. */
export const warnedMs = 7 * dayMs;
/** When the emails before that are sent, in days after access has ended. */
const notifiedAfterDays = [0, 30, 60] as const;
/** The email that says that they go. */
export const lastNotified = notifiedAfterDays.length + 1;

/** What decides about what somebody without access has stored. */
export interface Lapse {
  since: Date;
  /** How many emails have been sent. */
  told: number;
  warnedAt: Date | null;
  /** Of the purchases that still open something; null without any. */
  lastSaleAt: Date | null;
}

/** Until when it is kept; the day of the last email may move it further. */
export function keptUntil({ since, lastSaleAt }: Pick<Lapse, 'since' | 'lastSaleAt'>): Date {
  const usual = since.getTime() + keptDays * dayMs;
  return new Date(lastSaleAt === null ? usual : Math.max(usual, lastSaleAt.getTime() + keptAfterSaleMs));
}

/** Returns which email is due: the newest of those that are, so that a machine that stood still says one thing and not four. */
export function emailDue(lapse: Lapse, now: Date): number | undefined {
  const { since, told } = lapse;
  const isLast = now.getTime() >= keptUntil(lapse).getTime() - warnedMs;
  const due = isLast
    ? lastNotified
    : notifiedAfterDays.filter((days) => now.getTime() >= since.getTime() + days * dayMs).length;
  return due > told ? due : undefined;
}

/** Returns whether it is kept no longer: its time is over, and the last email is a week old. */
export const isOver = (lapse: Lapse, now: Date): boolean =>
  lapse.told === lastNotified &&
  lapse.warnedAt !== null &&
  now >= keptUntil(lapse) &&
  now.getTime() >= lapse.warnedAt.getTime() + warnedMs;
