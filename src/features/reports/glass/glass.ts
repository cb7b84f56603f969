import type { Tx } from '#engines/database/work.ts';
import { findAccount } from '#features/accounts/store.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { type Grant, makePersonalGrant } from '#features/media/codewords.ts';
import type { VideoLeases, WantedSegments } from '#features/media/contract.ts';
import { findPersonalGrant } from '#features/media/leases-store.ts';
import { lendSegments, secondsOf } from '#features/media/video-lending.ts';
import { glassOpenedEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { formatMomentIn, minuteMs } from '#kit/time.ts';
import { type AdminContext, hasScope } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import type { GlassSubject, OpenGlass, PastLook } from '../glass-contract.ts';
import { lockReport } from '../store.ts';
import {
  closeLook,
  findGlassTracks,
  findOpenLook,
  findOpenLookAt,
  insertLook,
  type LookedAt,
  listGlassItems,
  listLooks,
  lockOrderLookedAt,
  type OpenLook,
} from './glass-store.ts';

/** How long a look lasts. */
export const lookMinutes = 30;
const mostItems = 500;

const lookOf = ({ admin, engines }: Pick<AdminContext, 'admin' | 'engines'>) => ({
  adminId: admin.userId,
  now: new Date(engines.clock()),
});

/** Shows one's own look that is going on, and who has looked before. @throws NOT_FOUND when the report or order names no link */
export const showLooks = (
  context: AdminContext,
  about: GlassSubject,
): Promise<{ open: OpenGlass | null; looks: PastLook[] }> =>
  context.asSystem(async (tx) => {
    const lookedAt = await requireLookedAt(tx, about);
    const open = await findOpenLookAt(tx, lookedAt, lookOf(context));
    return {
      open: open === undefined ? null : await showOpen(context, tx, open),
      looks: await listLooks(tx, lookedAt),
    };
  });

/**
 * Begins a look: it is written down, and its creator is told in the same transaction. Asked again while it goes on it is the same.
 * @throws NOT_FOUND, FORBIDDEN for one's own or to keep it from the creator without being an owner
 */
export const openGlass = (
  context: AdminContext,
  { about, reason, untoldBecause }: { about: GlassSubject; reason: string; untoldBecause: string | null },
): Promise<OpenGlass> =>
  context.asSystem(async (tx) => {
    const { admin, requestId } = context;
    const look = lookOf(context);
    if (untoldBecause !== null && !hasScope(admin.adminScopes, 'owner'))
      throw refuse('FORBIDDEN', { message: 'Only an owner can keep a look from its creator.' });
    const lookedAt = await requireLookedAt(tx, about);
    if (lookedAt.creatorId === admin.userId)
      throw refuse('FORBIDDEN', { message: 'These are your own photos and videos. Someone else looks at them.' });
    const known = await findOpenLookAt(tx, lookedAt, look);
    if (known !== undefined) return showOpen(context, tx, known);
    const endsAt = new Date(look.now.getTime() + lookMinutes * minuteMs);
    const id = await insertLook(tx, { ...lookedAt, ...look, reason, untoldBecause, endsAt });
    await insertAudit(tx, {
      actor: { type: 'admin', id: admin.userId },
      action: 'glass.opened',
      // What stands under their account, its owner takes along with their data.
      target: untoldBecause === null ? { type: 'user', id: lookedAt.creatorId } : { type: 'glass', id },
      details: {
        glass: id,
        creator: lookedAt.creatorId,
        link: lookedAt.linkId,
        ...about,
        reason,
        ...(untoldBecause !== null && { untoldBecause }),
      },
      requestId,
    });
    if (untoldBecause === null) await notifyCreator(context, tx, lookedAt.creatorId, { about, reason });
    return showOpen(context, tx, await findOpenLook(tx, id, look));
  });

/** Ends one's own look. @throws NOT_FOUND when it is over */
export async function closeGlass(context: AdminContext, glassId: string): Promise<void> {
  const { asSystem, admin, requestId } = context;
  const isClosed = await asSystem(async (tx) => {
    if (!(await closeLook(tx, glassId, lookOf(context)))) return false;
    const actor = { type: 'admin', id: admin.userId } as const;
    await insertAudit(tx, { actor, action: 'glass.closed', details: { glass: glassId }, requestId });
    return true;
  });
  if (!isClosed) throw refuse('NOT_FOUND');
}

/** Lends the keys of some seconds of a video. @throws NOT_FOUND when the look is over or does not show it, RATE_LIMITED */
export async function lendGlassSegments(
  context: AdminContext,
  { glassId, mediaId, tracks: wanted }: { glassId: string; mediaId: string; tracks: WantedSegments },
): Promise<VideoLeases> {
  const { engines } = context;
  const look = lookOf(context);
  const retryAfter = await takeGlassRate(context, 'viewing.filmSecondsPerMinute', secondsOf(wanted));
  if (retryAfter !== undefined) throw refuseForNow(retryAfter);
  const tracks = await findGlassTracks(engines.database, glassId, { ...look, mediaId });
  const grant = tracks.length === 0 ? undefined : await grantOf(context, glassId);
  if (grant === undefined) throw refuse('NOT_FOUND');
  return lendSegments(engines, grant, { mediaId, tracks, wanted }, look.now);
}

/** An administrator is lent no more in a minute than a visit. @returns the seconds until more may be asked for */
export async function takeGlassRate(
  { engines, admin, asSystem }: Pick<AdminContext, 'engines' | 'admin' | 'asSystem'>,
  setting: 'viewing.fullPhotosPerMinute' | 'viewing.filmSecondsPerMinute',
  cost: number,
): Promise<number | undefined> {
  if (cost === 0) return undefined;
  const limit = (await settingsOf(engines))[setting];
  const now = new Date(engines.clock());
  const rate = { key: hashKey(engines.keys, `glass ${setting}`, admin.userId), limit, windowSeconds: 60, now, cost };
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, rate));
  return isOver ? retryAfterSeconds : undefined;
}

/** The administrator's codeword for this creator's media: a copy of what they saw names them. */
export async function grantOf(
  { engines, admin }: Pick<AdminContext, 'engines' | 'admin'>,
  glassId: string,
): Promise<Grant | undefined> {
  const look = lookOf({ engines, admin });
  const open = await findOpenLook(engines.database, glassId, look);
  if (open === undefined) return undefined;
  const { creatorId } = open;
  const whose = { kind: 'admin', creatorId, userId: admin.userId } as const;
  const known = await findPersonalGrant(engines.database, whose);
  return { grantId: known ?? (await makePersonalGrant(engines, whose, look.now)), creatorId, linkId: undefined };
}

/** @throws NOT_FOUND when it names no link of this installation */
async function requireLookedAt(tx: Tx, about: GlassSubject): Promise<LookedAt> {
  if ('orderId' in about) {
    const order = await lockOrderLookedAt(tx, about.orderId);
    if (order === undefined) throw refuse('NOT_FOUND');
    return order;
  }
  const report = await lockReport(tx, Number(about.report));
  const { id, linkId, creatorId } = report ?? {};
  if (id == null || linkId == null || creatorId == null) throw refuse('NOT_FOUND');
  return { creatorId, linkId, reportId: id, orderId: null };
}

async function showOpen(context: AdminContext, tx: Tx, open: OpenLook | undefined): Promise<OpenGlass> {
  if (open === undefined) throw new Error('a look that was just written is not there');
  const { id, endsAt, adminName } = open;
  const look = lookOf(context);
  const rows = await listGlassItems(tx, id, { ...look, limit: mostItems + 1 });
  return {
    id,
    endsAt,
    mark: `${adminName === '' ? look.adminId : adminName} · administrator`,
    items: rows.slice(0, mostItems).map((row) => ({ ...row, thumbhash: row.thumbhash.toString('base64') })),
    isCut: rows.length > mostItems,
  };
}

async function notifyCreator(
  { engines }: AdminContext,
  tx: Tx,
  creatorId: string,
  { about, reason }: { about: GlassSubject; reason: string },
): Promise<void> {
  const account = await findAccount(tx, creatorId);
  if (account === undefined || account.status === 'deleted') return;
  const now = new Date(engines.clock());
  const words = glassOpenedEmail({
    about: 'report' in about ? `report ${about.report}` : 'an order',
    at: formatMomentIn(now, 'UTC'),
    minutes: lookMinutes,
    reason,
    contact: `${engines.installation.publicUrl}/contact`,
  });
  await queueEmail(tx, engines.jobs, { userId: creatorId, to: account.email, now, ...words });
}
