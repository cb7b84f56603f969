import { dayMs } from '#kit/time.ts';

/** The newest request of one viewer for one album, as far as it still counts. Times are milliseconds since 1970. */
export interface AskedAlbum {
  albumId: string;
  status: 'pending' | 'approved' | 'denied';
  /** When a pending one runs out. */
  expiresAt: number;
  /** From when a denied viewer may ask again; left out for never. */
  asksAgainAt?: number | undefined;
  /** What the creator wrote when denying it; may be empty. */
  decisionText: string;
}

/** What became of the requests of one viewer for the albums of one link. */
export interface AskedState {
  request: 'pending' | 'approved' | 'denied' | undefined;
  /** Of a denied one: from when the viewer may ask again; undefined for never. */
  asksAgainAt: number | undefined;
  decisionText: string;
}

/**
 * Sums up the newest requests for the albums of a link: pending while one of them waits, denied while one of them was denied,
 * else approved. A pending one counts until the very instant at which it runs out.
 */
export function sumUpAsked(albums: readonly AskedAlbum[], now: number): AskedState {
  const nothing = { asksAgainAt: undefined, decisionText: '' };
  if (albums.some(({ status, expiresAt }) => status === 'pending' && now < expiresAt))
    return { request: 'pending', ...nothing };
  const denied = albums.filter(({ status }) => status === 'denied');
  if (denied.length > 0) {
    const moments = denied.map(({ asksAgainAt }) => asksAgainAt ?? Number.POSITIVE_INFINITY);
    const latest = Math.max(...moments);
    const decisionText = denied.find((album) => album.decisionText !== '')?.decisionText ?? '';
    return { request: 'denied', asksAgainAt: Number.isFinite(latest) ? latest : undefined, decisionText };
  }
  const isApproved = albums.some(({ status }) => status === 'approved');
  return { request: isApproved ? 'approved' : undefined, ...nothing };
}

/** Returns true once a viewer who was denied may ask again. */
export const mayAskAgain = ({ request, asksAgainAt }: AskedState, now: number): boolean =>
  request === 'denied' && asksAgainAt !== undefined && now >= asksAgainAt;

/** For how long a creator opens an album: the choices beside *Approve*. */
export const grantSpans = ['day', 'week', 'month', 'never'] as const;
export type GrantSpan = (typeof grantSpans)[number];

const spanMs: Readonly<Record<Exclude<GrantSpan, 'never'>, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};

/** The moment at which a grant ends; null for one without an end. */
export const grantEndsAt = (span: GrantSpan, now: Date): Date | null =>
  span === 'never' ? null : new Date(now.getTime() + spanMs[span]);
