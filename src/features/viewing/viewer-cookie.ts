import { createHash, randomBytes } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import type { Place } from '#engines/geoip/geoip.ts';
import { longestCookieSeconds } from '#kit/cookie-span.ts';
import type { Caller, Context } from '#wire/context.ts';
import { countryOfZone } from './opening/timezone-country.ts';

const secretBytes = 32;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** What the viewer's cookie is called. */
export const viewerCookieName = ({ installation }: Pick<Engines, 'installation'>): string =>
  installation.isSecure ? '__Host-pf_viewer' : 'pf_viewer';
const hashOf = (secret: string) => createHash('sha256').update(Buffer.from(secret, 'base64url')).digest();

/** The viewer's cookie as it is stored, SHA-256 of its 256-bit secret; undefined without one. */
export function readViewerCookie({ engines, caller }: Pick<Context, 'engines' | 'caller'>): Buffer | undefined {
  const secret = caller.cookie(viewerCookieName(engines));
  return secret !== undefined && secretPattern.test(secret) ? hashOf(secret) : undefined;
}

/** Gives this browser a secret of its own and says how it is stored. Nothing is written for it yet. */
export function giveViewerCookie({ engines, setCookie }: Pick<Context, 'engines' | 'setCookie'>): Buffer {
  const secret = randomBytes(secretBytes).toString('base64url');
  setCookie(viewerCookieName(engines), secret, { maxAgeSeconds: longestCookieSeconds });
  return hashOf(secret);
}

/**
 * Where somebody is: by the address, else by the browser's time zone, else unknown; never a made-up default. The address is
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
