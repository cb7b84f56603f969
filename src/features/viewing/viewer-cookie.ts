import { createHash, randomBytes } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import type { Place } from '#engines/geoip/geoip.ts';
import { longestCookieSeconds } from '#kit/cookie-span.ts';
import { dayMs } from '#kit/time.ts';
import type { Caller, Context } from '#wire/context.ts';
import { countryOfZone } from './opening/timezone-country.ts';

const secretBytes = 32;
/** A first answer's secret lives as long as somebody may stand at a gate before anything is written for them. */
const firstSeconds = dayMs / 1000;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** What the viewer's cookie is called. */
export const viewerCookieName = ({ installation }: Pick<Engines, 'installation'>): string =>
  installation.isSecure ? '__Host-pf_viewer' : 'pf_viewer';

/** The name of the cookie that a first answer gives while nothing is written for it: it never replaces the viewer's own. */
export const firstCookieName = ({ installation }: Pick<Engines, 'installation'>): string =>
  installation.isSecure ? '__Host-pf_first' : 'pf_first';

const hashOf = (secret: string) => createHash('sha256').update(Buffer.from(secret, 'base64url')).digest();
const newSecret = () => randomBytes(secretBytes).toString('base64url');

function readSecret({ caller }: Pick<Context, 'caller'>, name: string): string | undefined {
  const secret = caller.cookie(name);
  return secret !== undefined && secretPattern.test(secret) ? secret : undefined;
}

/**
 * The secret that a browser brought as it is stored, SHA-256 of its 256 bits: the viewer's own, else that of a first answer.
 * Undefined without one.
 */
export function readViewerCookie(context: Pick<Context, 'engines' | 'caller'>): Buffer | undefined {
  const { engines } = context;
  const secret = readSecret(context, viewerCookieName(engines)) ?? readSecret(context, firstCookieName(engines));
  return secret === undefined ? undefined : hashOf(secret);
}

/** Gives this browser a secret of its own, for which rows are written, and returns how it is stored. */
export function giveViewerCookie({ engines, setCookie }: Pick<Context, 'engines' | 'setCookie'>): Buffer {
  const secret = newSecret();
  setCookie(viewerCookieName(engines), secret, { maxAgeSeconds: longestCookieSeconds });
  return hashOf(secret);
}

/** Returns the secret that a call writes rows for, as it is stored: the viewer's own, else that of a first answer, which becomes it, else a new one. */
export function keepViewerCookie(context: Context): Buffer {
  const cookie = openersCookie(context);
  cookie.keep();
  return cookie.secretHash;
}

/** The cookie of a browser whose answer isn't decided yet. */
export interface OpenersCookie {
  /** SHA-256 of the secret, as it is stored. */
  secretHash: Buffer;
  /** It was brought along, not made for this call. */
  isBrought: boolean;
  /** Gives it as the viewer's own: rows are written for it. */
  keep(): void;
  /** Gives it for the next call alone: nothing is written for it. */
  offer(): void;
}

/**
 * The cookie of whoever opens. Two first answers may pass each other on a slow line: what only one of them has written rows for stays, because the other
 * gives its secret under another name.
 */
export function openersCookie({ engines, caller, setCookie, clearCookie }: Context): OpenersCookie {
  const own = readSecret({ caller }, viewerCookieName(engines));
  const first = readSecret({ caller }, firstCookieName(engines));
  const secret = own ?? first ?? newSecret();
  return {
    secretHash: hashOf(secret),
    isBrought: (own ?? first) !== undefined,
    keep: () => {
      if (own !== undefined) return;
      setCookie(viewerCookieName(engines), secret, { maxAgeSeconds: longestCookieSeconds });
      if (first !== undefined) clearCookie(firstCookieName(engines));
    },
    offer: () => {
      if ((own ?? first) === undefined) setCookie(firstCookieName(engines), secret, { maxAgeSeconds: firstSeconds });
    },
  };
}

const nothing = () => {};

/** The cookie of a browser that was given another secret with this answer: neither is given any more. */
export const withoutCookie = (cookie: OpenersCookie): OpenersCookie => ({ ...cookie, keep: nothing, offer: nothing });

/**
 * Returns where somebody is: by the address, else by the browser's time zone, else unknown; never a made-up default. The address is
 * used for this and dropped.
 */
export function placeOf(
  { geoip }: Pick<Engines, 'geoip'>,
  { address }: Pick<Caller, 'address'>,
  timeZone: string | undefined,
): Place {
  const country = geoip.countryOf(address);
  if (country !== undefined) return { country, source: 'ip' };
  const estimated = countryOfZone(timeZone);
  return estimated === undefined ? { source: 'unknown' } : { country: estimated, source: 'timezone' };
}

/** Returns the country that decides who is let in: what a time zone tells is an estimate, and decides nothing. */
export const certainCountryOf = ({ source, country }: Place): string | undefined =>
  source === 'timezone' ? undefined : country;
