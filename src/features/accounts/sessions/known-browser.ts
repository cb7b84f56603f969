import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { longestCookieSeconds } from '#kit/cookie-span.ts';
import type { Context } from '#wire/context.ts';
import { findKnownBrowser } from '../security-store.ts';

const cookieName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}pf_known`;
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

type Calling = Pick<Context, 'caller' | 'engines'>;

function readSecret({ caller, engines }: Calling): string | undefined {
  const secret = caller.cookie(cookieName(engines.installation.isSecure));
  return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : undefined;
}

/** The browser in which somebody is signed in: a secret that outlives their session, and its hash. */
export interface MarkedBrowser {
  secret: string;
  hash: Buffer;
}

/** This browser, as it is known from now on; undefined for a program that carries its token by itself. */
export function markBrowser(context: Calling): MarkedBrowser | undefined {
  if (context.caller.headers['x-csrf-token'] === undefined) return undefined;
  const secret = readSecret(context) ?? randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** Lets a browser say next time that it is known. */
export function giveBrowserCookie(
  { engines, setCookie }: Pick<Context, 'engines' | 'setCookie'>,
  secret: string,
): void {
  setCookie(cookieName(engines.installation.isSecure), secret, { maxAgeSeconds: longestCookieSeconds });
}

/** Returns whether whoever has this address has signed in from this browser before: then this is how it is known. */
export async function knownBrowserOf(
  context: Context,
  email: string,
  source: Pick<Tx, 'query'> = context.engines.database,
): Promise<string | undefined> {
  const secret = readSecret(context);
  if (secret === undefined) return undefined;
  const hash = hashOf(secret);
  const isKnown = await findKnownBrowser(source, hash, email);
  return isKnown ? hash.toString('base64url') : undefined;
}
