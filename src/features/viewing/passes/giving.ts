import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { passEndsAt } from '#features/links/pass-rules.ts';
import { type OfferedPass, takePassPlace } from '#features/links/passes-store.ts';
import { passGivenEmail } from '#features/notices/money-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { insertFanPass } from '#features/orders/fans-store.ts';
import { keepBuyer } from '#features/orders/orders-store.ts';
import { newId } from '#kit/ids.ts';
import { zoneOrUtc } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import type { TriedCode } from '../mailed-codes-store.ts';
import { isDeviceConflict, keepViewer } from '../opening/admissions-store.ts';
import { findPageVisitor, type PageVisitor } from '../paying/page-tips-store.ts';
import { join } from '../recovery/joining.ts';
import { keepProof } from '../recovery/recovery-store.ts';
import { deviceOf } from '../user-agent.ts';
import { giveViewerCookie, placeOf } from '../viewer-cookie.ts';
import { bindToBuyer, type ClaimRow, findClaim, insertClaim, isClaimConflict, passCodes } from './passes-store.ts';

export interface Giving {
  pass: OfferedPass;
  browserHash: Buffer;
  /** The code that was right. */
  code: TriedCode;
  /** The person, under every key; the first is the present one. */
  personHashes: readonly Buffer[];
  timeZone: string | undefined;
}

/** Nothing of the transaction stays. */
class NotGiven extends Error {}

/** @returns until when it is theirs; `had` for who has had one of this creator, `ended` when no place is left */
export async function givePass(context: Context, giving: Giving): Promise<Date | 'had' | 'ended'> {
  const { engines, now } = context;
  const { pass, browserHash, personHashes } = giving;
  const visitor = await findPageVisitor(engines.database, browserHash, pass.creatorId);
  if (visitor?.isBlocked) return 'ended';
  const about = { creatorId: pass.creatorId, personHashes, viewerId: visitor?.viewerId, now };
  const before = await findClaim(engines.database, about);
  if (before !== undefined) return bringBack(context, giving, visitor, before);
  try {
    return await context.asSystem((tx) => give(context, tx, giving, visitor));
  } catch (error) {
    if (error instanceof NotGiven) return 'ended';
    // The same person has taken one meanwhile, in another window or by another pass of theirs.
    if (isClaimConflict(error) || isDeviceConflict(error)) return 'had';
    throw error;
  }
}

/** Place, subscription, proof and email in one transaction. */
async function give(context: Context, tx: Tx, giving: Giving, visitor: PageVisitor | undefined): Promise<Date> {
  const { engines, caller, now, requestId } = context;
  const { pass, browserHash, code, personHashes, timeZone } = giving;
  const days = await takePassPlace(tx, pass.id, now);
  if (days === undefined) throw new NotGiven('no place is left');
  const country = placeOf(engines, caller, timeZone).country;
  const viewerId = visitor?.viewerId ?? newId<'viewer'>(now.getTime());
  const deviceId = visitor?.deviceId ?? newId<'device'>(now.getTime());
  const device = { ...deviceOf(caller.userAgent), deviceId, viewerId, secretHash: browserHash };
  await keepViewer(tx, { ...device, country, timeZone, screen: undefined }, false, now);
  const [fanId, endsAt] = [newId<'fan'>(now.getTime()), passEndsAt(days, now)];
  if (!(await insertFanPass(tx, { id: fanId, viewerId, tierId: pass.tierId, endsAt, now })))
    throw new NotGiven('the tier is gone');
  const buyerId = await keepBuyer(tx, newId(now.getTime()), code.email, now);
  await bindToBuyer(tx, fanId, buyerId, now);
  await keepProof(tx, { secretHash: browserHash, buyerId, isJoined: false, now });
  const [personHash] = personHashes;
  const claim = {
    id: newId<'claim'>(now.getTime()),
    passId: pass.id,
    country: engines.geoip.countryOf(caller.address),
  };
  await insertClaim(tx, { ...claim, creatorId: pass.creatorId, viewerId, personHash, fanId, now });
  await passCodes.spend(tx, code.id);
  const target = { type: 'pass', id: pass.id };
  await insertAudit(tx, { actor: { type: 'viewer', id: viewerId }, action: 'pass.taken', target, requestId });
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zoneOrUtc(timeZone) }).format(endsAt);
  const text = passGivenEmail({ creatorName: pass.creatorName, tierName: pass.tierName, day });
  await queueEmail(tx, engines.jobs, { to: code.email, now, ...text });
  await tx.publish({ kind: 'viewer.paid', creatorId: pass.creatorId, viewerId });
  return endsAt;
}

/** Whoever has a pass of theirs that still runs, and proves the address again, goes on with it in this browser too. */
async function bringBack(
  context: Context,
  { browserHash, code, timeZone }: Giving,
  visitor: PageVisitor | undefined,
  { viewerId, until, isRunning }: ClaimRow,
): Promise<Date | 'had'> {
  const { now, asSystem } = context;
  if (!isRunning || until === null || viewerId === null) return 'had';
  const buyerId = await asSystem(async (tx) => {
    await passCodes.spend(tx, code.id);
    return keepBuyer(tx, newId(now.getTime()), code.email, now);
  });
  if (visitor?.viewerId === viewerId) return until;
  // One of a viewer's devices never becomes another viewer's, so it gets a new secret.
  const secretHash = visitor === undefined ? browserHash : giveViewerCookie(context);
  await join(context, { secretHash, viewerId, buyerId, timeZone });
  return until;
}
