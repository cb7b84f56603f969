import { dayMs } from '#kit/time.ts';

/** How long a free pass may open its tier, in days. */
export const passDays = [1, 3, 7, 14, 30, 90, 180, 360] as const;
export const isPassDays = (days: number): boolean => passDays.some((each) => each === days);

/** People who can take one pass, and days for which they can. */
export const mostPlaces = 100;
export const mostOpenDays = 30;
export const usualOpenDays = 7;

/** Passes that a creator may have open at a time. */
export const mostOpenPasses = 50;

/** The secret of a pass, as it stands in its address: longer than that of an invitation, which is how the two are told apart. */
export const passTokenLength = 24;
export const isPassToken = (text: string): boolean => /^[A-Za-z0-9]{24}$/.test(text);

/** What is stored of a pass, as far as it decides whether somebody can take it. */
export interface PassState {
  claims: number;
  places: number;
  expiresAt: Date;
  revokedAt: Date | null;
  isOffered: boolean;
}

/** Returns whether a pass can be taken, and what has ended it otherwise; over at its very instant. */
export function passStateOf({ claims, places, expiresAt, revokedAt, isOffered }: PassState, now: Date) {
  if (revokedAt !== null) return 'revoked';
  if (claims >= places) return 'used_up';
  if (expiresAt <= now) return 'expired';
  return isOffered ? 'open' : 'stopped';
}

/** Returns until when somebody has it who takes it now. */
export const passEndsAt = (days: number, now: Date): Date => new Date(now.getTime() + days * dayMs);
