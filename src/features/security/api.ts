import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { letBackIn, letBackIntoLink, shutOut } from '#features/access/blocking.ts';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { bringBack, revoke, undoUntilOf } from '#features/links/revoking.ts';
import { lockLinks } from '#features/links/store.ts';
import { doingOf, note } from '#features/links/to-api.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { markActed, markUndone } from './answers-store.ts';
import { type EventAction, type SecurityEvent, securityContract } from './contract.ts';
import { countEvents, type EventListed, findEvent, listEvents } from './store.ts';
import { showEvent } from './to-api.ts';

const answer = implement(securityContract).$context<Context>();

/** What a creator is told of their links' safety, and what they do about it. */
export const securityApi = {
  list: answer.list.use(requireCreator).handler(({ context: { work, creator, now }, input }) =>
    work(async (tx) => {
      const { limit, cursor, linkId } = input;
      const risk = input.risk === 'all' ? undefined : input.risk;
      const about = { creatorId: creator.userId, risk, linkId };
      const rows = await listEvents(tx, { ...about, after: readCursor(cursor), limit: limit + 1 });
      const { page, nextCursor } = cutPage(rows, limit, ({ timestamp, id }) => ({ at: timestamp.toISOString(), id }));
      return { events: page.map((row) => showEvent(row, now)), total: await countEvents(tx, about), nextCursor };
    }),
  ),
  ignore: answer.ignore.use(requireCreator).handler(({ context, input: { eventId } }) =>
    context.work(async (tx) => {
      await found(context, tx, eventId);
      await act(context, tx, eventId, 'ignored');
      return shownOne(context, tx, eventId);
    }),
  ),
  blockViewer: answer.blockViewer.use(requireCreator).handler(({ context, input: { eventId } }) =>
    context.work(async (tx) => {
      const { viewerRow: viewerId } = await found(context, tx, eventId);
      if (viewerId === null || !(await shutOut(context, tx, { viewerId, reason: 'security' })))
        throw refuse('GONE', { message: 'Nobody is known here who could be blocked.' });
      await act(context, tx, eventId, 'blocked');
      return shownOne(context, tx, eventId);
    }),
  ),
  revokeLink: answer.revokeLink.use(requireCreator).handler(async ({ context, input: { eventId } }) => {
    const doing = await doingOf(context);
    const undoUntil = await undoUntilOf(context.engines, context.now);
    return context.work(async (tx) => {
      const { linkId } = await found(context, tx, eventId);
      await lockLinks(tx, [linkId]);
      const changed = await revoke(doing, tx, [linkId], { undoUntil, reason: 'manual' });
      await note(tx, changed, 'link.revoked', doing);
      await act(context, tx, eventId, 'revoked');
      return shownOne(context, tx, eventId);
    });
  }),
  undo: answer.undo.use(requireCreator).handler(async ({ context, input: { eventId, action } }) => {
    const doing = await doingOf(context);
    const max = (await settingsOf(context.engines))['limits.links'];
    return context.work(async (tx) => {
      const event = await found(context, tx, eventId);
      if (!stands(event, action)) return shownOne(context, tx, eventId);
      const { viewerRow: viewerId, linkId } = event;
      if (action === 'closed' && viewerId !== null) await letBackIntoLink(context, tx, { linkId, viewerId });
      if (action === 'blocked' && viewerId !== null) await letBackIn(context, tx, viewerId);
      if (action === 'revoked') await bringBack(context, tx, [linkId], { doing, max });
      await tx.asSystem((system) => markUndone(system, eventId, action, context.now));
      await notifyPages(context, tx);
      return shownOne(context, tx, eventId);
    });
  }),
};

/** Returns whether something was done about an event and not taken back. */
const stands = ({ action, undoneAt, actedBefore }: EventListed, asked: EventAction): boolean =>
  (action === asked && undoneAt === null) || actedBefore.includes(asked);

/** @throws NOT_FOUND for an event of somebody else's link */
async function found({ creator }: CreatorContext, tx: Tx, eventId: string) {
  const event = await findEvent(tx, creator.userId, eventId);
  if (event === undefined) throw refuse('NOT_FOUND');
  return event;
}

const shownOne = async (context: CreatorContext, tx: Tx, eventId: string): Promise<SecurityEvent> =>
  showEvent(await found(context, tx, eventId), context.now);

/** Notes what the creator did about an event. */
async function act(context: CreatorContext, tx: Tx, eventId: string, action: EventAction): Promise<void> {
  const { creator, now, requestId } = context;
  if (!(await tx.asSystem((system) => markActed(system, eventId, { action, isAutomatic: false, now })))) return;
  await insertAudit(tx, {
    actor: { type: 'creator', id: creator.userId },
    action: `security.${action}`,
    target: { type: 'securityEvent', id: eventId },
    requestId,
  });
  await notifyPages(context, tx);
}

const notifyPages = ({ creator }: CreatorContext, tx: Tx) =>
  tx.publish({ kind: 'security.event', creatorId: creator.userId });
