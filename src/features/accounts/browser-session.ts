import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs } from '#kit/time.ts';
import { bearerOf } from '#wire/bearer.ts';
import type { Actor, Context } from '#wire/context.ts';
import { insertSession, libraryOf } from './auth-store.ts';
import {
  accountAccessOf,
  hasAdminRights,
  isEarlierCookieGood,
  isLocked,
  isSessionAlive,
  isWorthTouching,
} from './rules.ts';
import { hasSecondFactor, noteCode } from './second-factor/second-factor-store.ts';
import { deleteSession, noteBrowser } from './security-store.ts';
import { giveBrowserCookie, knownBrowserOf, type MarkedBrowser, markBrowser } from './sessions/known-browser.ts';
import { nameDevice } from './sessions/session-device.ts';
import { findSession, noteSignIn, type SessionRow, touchSession } from './store.ts';
import { keepAccount } from './suspending.ts';

const cookieName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}pf.session_token`;

/**
 * The cookie's earlier name on https, which a neighbouring host could have set as well. It counts for sessions that began under
 * it, until they would have ended unused; decision 0430.
 */
const earlierName = '__Secure-pf.session_token';

const signatureOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest('base64');

/** A session's token as it travels, in the cookie or as a bearer: `token.signature`, the auth library's own form. */
export const signToken = (token: string, [secret]: Engines['secrets']) => `${token}.${signatureOf(token, secret)}`;

/** The token of a signed one; nothing when no secret of ours made the signature. */
export function readSignedToken(signed: string, secrets: Engines['secrets']): string | undefined {
  const at = signed.lastIndexOf('.');
  const token = signed.slice(0, Math.max(0, at));
  const given = Buffer.from(signed.slice(at + 1));
  const isOurs = secrets.some((secret) => {
    const made = Buffer.from(signatureOf(token, secret));
    return made.length === given.length && timingSafeEqual(made, given);
  });
  return isOurs && token !== '' ? token : undefined;
}

/** The token that a call carries when we signed it; a bearer is said aloud, so it goes before the cookie. */
export function tokenOf({ caller, engines }: Pick<Context, 'caller' | 'engines'>): {
  token: string | undefined;
  isCookie: boolean;
  /** It came in a cookie of the earlier name. */
  isEarlier: boolean;
} {
  const said = bearerOf(caller.headers);
  const { isSecure } = engines.installation;
  const named = said ?? caller.cookie(cookieName(isSecure));
  const earlier = named === undefined && isSecure ? caller.cookie(earlierName) : undefined;
  const signed = named ?? earlier;
  return {
    token: signed === undefined ? undefined : readSignedToken(signed, engines.secrets),
    isCookie: said === undefined,
    isEarlier: earlier !== undefined,
  };
}

/** The living session of a call, by its cookie or bearer token, locked or not: one named statement, none without either. */
export async function findOwnSession(context: Pick<Context, 'caller' | 'engines'>): Promise<SessionRow | undefined> {
  const { database, clock } = context.engines;
  const { token, isEarlier } = tokenOf(context);
  if (token === undefined) return undefined;
  const session = await findSession(database, token);
  if (session === undefined || session.status === 'deleted') return undefined;
  // Sessions live by the real clock, also where a developer has turned that of links and visits.
  const now = new Date(clock());
  if (isEarlier && !isEarlierCookieGood(session, now)) return undefined;
  return isSessionAlive(session, now) ? session : undefined;
}

/** Returns whether the session of a call has an administrator's rights now. */
export async function hasAdminSession(context: Pick<Context, 'caller' | 'engines'>): Promise<boolean> {
  const session = await findOwnSession(context);
  return session !== undefined && !isLocked(session, new Date(context.engines.clock())) && hasAdminRights(session);
}

/** Returns who is calling; a session that the app lock has closed is nobody's until its PIN is given. */
export async function findActor(context: Context): Promise<Actor> {
  const { engines } = context;
  const { token, isCookie, isEarlier } = tokenOf(context);
  const session = await findOwnSession(context);
  if (token === undefined || session === undefined) return { kind: 'visitor' };
  const now = new Date(engines.clock());
  if (isLocked(session, now)) return { kind: 'visitor', lockedUserId: session.userId };
  if (isEarlier) {
    setSessionCookie(context, token, session.expiresAt.getTime() - now.getTime());
    context.clearCookie(earlierName);
  }
  if (isWorthTouching(session, now)) {
    const lifeMs = await sessionLifeMs(engines);
    await touchSession(engines.database, session.sessionId, now, new Date(now.getTime() + lifeMs));
    if (isCookie) setSessionCookie(context, token, lifeMs);
  }
  const { userId, sessionId } = session;
  const isAdmin = hasAdminRights(session);
  return {
    kind: isAdmin ? 'admin' : 'creator',
    userId,
    sessionId,
    access: accountAccessOf({ ...session, isAdmin }, now),
    adminScopes: isAdmin ? session.adminScopes : [],
  };
}

const sessionLifeMs = async (engines: Engines) => (await settingsOf(engines))['accounts.sessionDays'] * dayMs;

function setSessionCookie({ engines, setCookie }: Context, token: string, lifeMs: number): void {
  const { installation, secrets } = engines;
  setCookie(cookieName(installation.isSecure), signToken(token, secrets), { maxAgeSeconds: lifeMs / 1000 });
}

export interface NewSession {
  userId: string;
  sessionId: string;
  token: string;
  lifeMs: number;
  /** This account had not been used from such a device in that country before. */
  isNewDevice: boolean;
  device: string;
  country: string | undefined;
  browser: MarkedBrowser | undefined;
  /** Its deletion waited, and signing in has ended that. */
  isAccountKept: boolean;
}

/**
 * Makes ready to begin a session, so that nothing is waited for inside the transaction of the system that begins it.
 * The session that this browser had before ends, whoever's it was. An account whose deletion waits is kept by it.
 */
export async function prepareSession(context: Context): Promise<(tx: Tx, userId: string) => Promise<NewSession>> {
  const { engines, caller } = context;
  const [lifeMs] = await Promise.all([sessionLifeMs(engines), libraryOf(engines)]);
  const now = new Date(engines.clock());
  const country = engines.geoip.countryOf(caller.address);
  const device = nameDevice(caller.userAgent);
  const { token: earlier } = tokenOf(context);
  const browser = markBrowser(context);
  return async (tx, userId) => {
    if (earlier !== undefined) await deleteSession(tx, earlier);
    const expiresAt = new Date(now.getTime() + lifeMs);
    const { userAgent } = caller;
    const { id, token } = await insertSession(engines, tx, { userId, userAgent, country, now, expiresAt });
    if (browser !== undefined) await noteBrowser(tx, browser.hash, userId, now);
    const isNewDevice = await noteSignIn(tx, { userId, device, country, now });
    const isAccountKept = (await keepAccount(engines, tx, { userId, by: 'creator', now })) !== undefined;
    return { userId, sessionId: id, token, lifeMs, isNewDevice, device, country, browser, isAccountKept };
  };
}

/**
 * Hands a session over after its transaction: a cookie to our own pages, which say so by a header that no other origin's form
 * can send; a bearer token to everybody else, so that nobody is signed in to a stranger's account by a form (sign-in CSRF).
 */
export function giveSession(
  context: Context,
  { token, lifeMs, browser, isAccountKept }: NewSession,
): { token?: string; isAccountKept?: boolean } {
  const news = isAccountKept ? { isAccountKept } : {};
  if (context.caller.headers['x-csrf-token'] === undefined)
    return { token: signToken(token, context.engines.secrets), ...news };
  setSessionCookie(context, token, lifeMs);
  if (browser !== undefined) giveBrowserCookie(context, browser.secret);
  return news;
}

/** Signs this browser in as a person whom the caller has made sure of; their second factor counts as given. */
export async function beginSession(context: Context, userId: string): Promise<void> {
  const open = await prepareSession(context);
  const { token, lifeMs } = await context.asSystem(async (tx) => {
    const opened = await open(tx, userId);
    if (await hasSecondFactor(tx, userId)) await noteCode(tx, opened.sessionId, new Date(context.engines.clock()));
    return opened;
  });
  setSessionCookie(context, token, lifeMs);
}

/**
 * Ends the session of this call, if there is one, and takes its cookie back. A call that brought none takes none: another
 * site's form, with which the browser keeps its cookies back, would sign somebody out.
 */
export async function endOwnSession(context: Context): Promise<void> {
  const { token } = tokenOf(context);
  const name = cookieName(context.engines.installation.isSecure);
  for (const one of [name, earlierName]) if (context.caller.cookie(one) !== undefined) context.clearCookie(one);
  if (token !== undefined) await context.asSystem((tx) => deleteSession(tx, token));
}

/** Returns whether whoever has this address has signed in from this browser before. */
export const isBrowserOf = async (context: Context, tx: Tx, email: string): Promise<boolean> =>
  (await knownBrowserOf(context, email, tx)) !== undefined;
