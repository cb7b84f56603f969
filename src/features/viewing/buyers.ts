import { createHash } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { decide } from '#features/access/rules.ts';
import { findFactsBySlug } from '#features/access/store.ts';
import { keepBuyer } from '#features/orders/orders-store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { askerOf } from './leases/leases.ts';
import { keepViewer } from './opening/admissions-store.ts';
import { wordsOfEnded } from './paying/ended-words.ts';
import { findPageVisitor, type PageVisitor } from './paying/page-tips-store.ts';
import { describePause } from './paying/payment-pause.ts';
import { join, joinPayer } from './recovery/joining.ts';
import { findBrowser, insertToken, keepProof, spendToken } from './recovery/recovery-store.ts';
import { sayNo } from './refusals.ts';
import { proofMinutes } from './rules.ts';
import { callerKindOf, deviceOf } from './user-agent.ts';
import { openersCookie, placeOf, readViewerCookie } from './viewer-cookie.ts';

/* What other rooms know of people without an account who pay: browsers, and addresses that they have proven. */

export { forPrograms } from './refusals.ts';
export { callerKindOf, describePause as pausedFor, findPageVisitor, type PageVisitor, readViewerCookie, wordsOfEnded };

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * Why a link does not let this browser in now, in the words of the door. A screen that is open is not asked about: whoever looks
 * at one is no second.
 * @returns undefined where it does
 */
export async function findRefusal(context: Context, slug: string): Promise<string | undefined> {
  const { database, linkClock } = context.engines;
  const now = new Date(linkClock());
  const asker = { ...(await askerOf(context, readViewerCookie(context))), now };
  const question = await findFactsBySlug(database, slug, asker);
  const decision =
    question === undefined
      ? ({ ok: false, reason: 'NOT_FOUND' } as const)
      : decide(question.link, { ...question.facts, concurrent: 0 });
  if (decision.ok) return undefined;
  const { title, text } = sayNo(question, decision, now).refusal;
  return `${title}${/[.?]$/.test(title) ? '' : '.'} ${text}`.trim();
}

/** A browser that has proven an address just now, kept as a viewer's and as the buyer's. */
export async function keepProvenBuyer(
  { engines, caller, now }: Context,
  tx: Tx,
  about: { secretHash: Buffer; visitor: PageVisitor | undefined; email: string; timeZone: string | undefined },
): Promise<{ viewerId: string; buyerId: string }> {
  const { secretHash, visitor, email, timeZone } = about;
  const viewerId = visitor?.viewerId ?? newId<'viewer'>(now.getTime());
  const deviceId = visitor?.deviceId ?? newId<'device'>(now.getTime());
  const { country } = placeOf(engines, caller, timeZone);
  const device = { ...deviceOf(caller.userAgent), deviceId, viewerId, secretHash, country, timeZone };
  await keepViewer(tx, { ...device, screen: undefined }, false, now);
  const buyerId = await keepBuyer(tx, newId(now.getTime()), email, now);
  await keepProof(tx, { secretHash, buyerId, isJoined: false, now });
  return { viewerId, buyerId };
}

/** A secret that proves a buyer's address to whoever brings it, once. */
export async function makeProof(tx: Tx, buyerId: string, now: Date): Promise<string> {
  const token = newToken(43);
  const expiresAt = new Date(now.getTime() + proofMinutes * minuteMs);
  await insertToken(tx, { tokenHash: sha256(token), buyerId, now, expiresAt });
  return token;
}

/**
 * This browser has proven the address. One that is nobody's yet becomes a device of the viewer whose things it wants to see.
 * @returns the buyer whose address it is; undefined for a secret that was used before, is over or nobody's
 */
export async function claimProof(
  context: Context,
  { token, viewerId, timeZone }: { token: string; viewerId: string | null; timeZone: string | undefined },
): Promise<string | undefined> {
  const { engines, now, asSystem } = context;
  const cookie = openersCookie(context);
  const { secretHash } = cookie;
  const buyerId = await asSystem(async (tx) => {
    const proven = await spendToken(tx, sha256(token), now);
    if (proven !== undefined) await keepProof(tx, { secretHash, buyerId: proven, isJoined: false, now });
    return proven;
  });
  if (buyerId === undefined) return undefined;
  cookie.keep();
  if (viewerId === null) return buyerId;
  const known = await findBrowser(engines.database, secretHash);
  if (known.viewerId === undefined) await join(context, { secretHash, viewerId, buyerId, timeZone });
  return buyerId;
}

/** A browser that has proven the address becomes one more device of the viewer who asked. @throws NOT_FOUND */
export const joinBuyer = joinPayer;
