import { deletionGraceDays } from '#features/accounts/rules.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';

export const graceMs = deletionGraceDays * dayMs;

/** What is typed to delete an account. */
export const deleteWord = 'DELETE';

/** Keys are destroyed when all money has gone its ways, and at the latest this long after the grace; files go right after them. */
const longestMoneyMs = 48 * hourMs;

/** Returns whether an account's keys may be destroyed: nothing of its money is on its way any more, or that takes too long. */
export const mayDestroyKeys = (
  { erasingSince, isMoneyOpen }: { erasingSince: Date; isMoneyOpen: boolean },
  now: Date,
): boolean => !isMoneyOpen || now.getTime() - erasingSince.getTime() >= longestMoneyMs;

/** A call that was under way when the browsers were forgotten is over by then. */
const quietMs = 5 * minuteMs;

/** Banks take months to decide; after so long somebody is erased without that. */
const longestDisputeMs = 180 * dayMs;

/**
 * Returns whether the rows of somebody without an account may go: no browser has been theirs for a moment, so that nothing new
 * begins, and nothing of their money is on its way any more, or that takes too long.
 */
export const mayEraseRows = ({ erasingSince, isOpen }: { erasingSince: Date; isOpen: boolean }, now: Date): boolean => {
  const waitedMs = now.getTime() - erasingSince.getTime();
  return isOpen ? waitedMs >= longestDisputeMs : waitedMs >= quietMs;
};

/** What an erased account's address is from then on: nobody's, and no email goes there. */
export const erasedAddress = (userId: string): string => `${userId}@erased.invalid`;

/** By what name an erased creator stands in the orders that are kept. */
export const erasedName = 'Closed account';

export const exportStates = ['requested', 'building', 'ready', 'expired', 'failed'] as const;
export type ExportState = (typeof exportStates)[number];

/** How long a finished export can be downloaded. */
export const exportKeptDays = 7;
export const exportKeptMs = exportKeptDays * dayMs;

/** How long after its password a download may be begun, or go on where it broke. */
export const downloadMs = 12 * hourMs;

/** Whoever has had an export may ask for the next one a day later; one that failed may be tried again sooner. */
const againMs = dayMs;
const afterFailureMs = hourMs;

/** An export that is not finished by then is not built any more. */
export const longestExportMs = 2 * dayMs;

/** That there was an export is forgotten after this time. */
export const exportRowsKeptMs = 90 * dayMs;

/** What stays free beside an export, for uploads and the database. */
const reservedBytes = 2e9;

/** Returns when an export may be asked for again; null when it may be now. */
export function nextExportAt(newest: { state: ExportState; requestedAt: Date } | undefined, now: Date): Date | null {
  if (newest === undefined) return null;
  const next = new Date(newest.requestedAt.getTime() + (newest.state === 'failed' ? afterFailureMs : againMs));
  const isUnderWay = newest.state === 'requested' || newest.state === 'building';
  if (isUnderWay) return next > now ? next : new Date(now.getTime() + afterFailureMs);
  return next > now ? next : null;
}

/** Returns whether there is room for an export with so many bytes of originals. @param freeBytes undefined where room has no end */
export const mayHoldExport = (freeBytes: number | undefined, totalBytes: number): boolean =>
  freeBytes === undefined || freeBytes >= totalBytes + reservedBytes;
