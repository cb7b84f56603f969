import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { deleteSessionsOf } from '#features/accounts/security-store.ts';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { refundOnRevokeMs } from '#features/orders/rules.ts';
import { findRevokeCost, withholdRefunds } from '#features/returns/withholding-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { aliveSinceOf } from './alive-since.ts';
import { applyRules, lockForNew, lockForRules, type RuleChange } from './change-link.ts';
import { linksContract } from './contract.ts';
import { checkAlbumPrice, checkSale, findPresent } from './creating/check-sale.ts';
import { createLink, createLinks } from './creating/create-api.ts';
import { hashLinkPassword } from './link-password.ts';
import { followRecipient } from './link-texts.ts';
import { countLinks, listLinks } from './list-store.ts';
import { bringBack, checkRoom, revoke, undoUntilOf } from './revoking.ts';
import { expiresAtOf } from './rules.ts';
import {
  type LockedLink,
  listAlbumsToShare,
  listLinkIds,
  lockLinks,
  lockLinksOf,
  lockUnrevoked,
  markLinkShared,
  updateAlbumPrice,
  updateLink,
} from './store.ts';
import { type Doing, doingOf, note, show, shown, shownOne } from './to-api.ts';
import { linkHistory } from './versions/versions-api.ts';

const answer = implement(linksContract).$context<Context>();

/** Applies a change of rules; a link that was over comes back with a new end. @throws CONFLICT when there is no room for it */
async function applyWithRoom(tx: Tx, link: LockedLink, change: RuleChange, doing: Doing, max: number): Promise<void> {
  await applyRules(tx, link, change, doing);
  const wasOver = link.expiresAt !== null && link.expiresAt <= doing.now;
  if (wasOver && change.expiresAt !== undefined) await checkRoom(tx, doing, max);
}

/** @throws CONFLICT when nothing tells of anybody who broke the rules */
async function withhold(
  { engines, creator, now, requestId }: CreatorContext,
  tx: Tx,
  linkIds: readonly string[],
  reason: string,
): Promise<void> {
  const about = { linkIds, reason, now, withinMs: refundOnRevokeMs, at: moneyNow(engines) };
  const orders = await tx.asSystem((system) => withholdRefunds(system, engines.payments.realm, about));
  if (orders.length === 0) throw refuse('CONFLICT', { message: 'No leak was traced to anyone who paid.' });
  const actor = { type: creator.kind, id: creator.userId };
  for (const id of orders)
    await insertAudit(tx, { actor, action: 'order.refund_withheld', target: { type: 'order', id }, requestId });
}

export const linksApi = answer.router({
  list: answer.list.use(requireCreator).handler(async ({ context, input }) => {
    const aliveSince = await aliveSinceOf(context);
    return context.work(async (tx) => {
      const { now, engines, creator } = context;
      const { filter, search, albumId, limit, cursor } = input;
      const mine = { creatorId: creator.userId, albumId, now, aliveSince };
      const rows = await listLinks(tx, { ...mine, filter, search, after: readCursor(cursor), limit: limit + 1 });
      const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt.toISOString(), id }));
      return { links: page.map((row) => show(row, engines)), counts: await countLinks(tx, mine), nextCursor };
    });
  }),
  one: answer.one.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    return context.work((tx) => shownOne(tx, input.linkId, doing));
  }),
  history: linkHistory,
  create: createLink,
  createMany: createLinks,
  update: answer.update.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    const max = (await settingsOf(context.engines))['limits.links'];
    const expiresAt = input.expiry && expiresAtOf(input.expiry, context.now);
    await checkSale(context.engines, doing.creatorId, input.rules, () => findPresent(context, input.linkId, doing));
    const passwordHash = typeof input.password === 'string' ? await hashLinkPassword(input.password) : input.password;
    return context.work(async (tx) => {
      if (expiresAt !== undefined) await lockForNew(tx, context.creator);
      const isRuleChange = input.rules !== undefined || expiresAt !== undefined || passwordHash !== undefined;
      const [link] = isRuleChange ? await lockForRules(tx, [input.linkId]) : await lockLinks(tx, [input.linkId]);
      if (link === undefined) throw refuse('NOT_FOUND');
      if (input.policyVersion !== undefined && input.policyVersion !== link.policyVersion) throw refuse('CONFLICT');
      if (isRuleChange) await applyWithRoom(tx, link, { rules: input.rules, expiresAt, passwordHash }, doing, max);
      await updateLink(tx, link.id, {
        link_name: input.linkName ?? followRecipient(link, input),
        recipient_name: input.recipientName,
        recipient_channel: input.recipientChannel,
        note: input.note,
        welcome_text: input.welcomeText,
        notify: input.notify,
      });
      await note(tx, [link.id], 'link.changed', doing);
      return shownOne(tx, link.id, doing);
    });
  }),
  setAlbumPrice: answer.setAlbumPrice.use(requireCreator).handler(async ({ context, input }) => {
    const { engines, creator, work } = context;
    const { albumId, priceCents } = input;
    if (priceCents !== null) await checkAlbumPrice(engines, creator.userId, priceCents);
    return work(async (tx) => {
      if (!(await updateAlbumPrice(tx, albumId, priceCents))) throw refuse('NOT_FOUND');
      await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId });
      return {};
    });
  }),
  markShared: answer.markShared.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    return context.work(async (tx) => {
      const marked = await markLinkShared(tx, input.linkId, context.now);
      if (marked === undefined) throw refuse('NOT_FOUND');
      if (marked === 'first') await note(tx, [input.linkId], 'link.shared', doing);
      return {};
    });
  }),
  revoke: answer.revoke.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    const undoUntil = await undoUntilOf(context.engines, context.now);
    return context.work(async (tx) => {
      await lockLinks(tx, input.linkIds);
      const changed = await revoke(doing, tx, input.linkIds, { undoUntil, reason: 'manual' });
      await note(tx, changed, 'link.revoked', doing);
      if (input.brokeRules !== undefined && changed.length > 0)
        await withhold(context, tx, changed, input.brokeRules.reason);
      return { links: await shown(tx, input.linkIds, doing) };
    });
  }),
  revokeCost: answer.revokeCost.use(requireCreator).handler(async ({ context, input: { linkIds } }) => {
    const { engines, work, now, asSystem } = context;
    const known = await work((tx) => listLinkIds(tx, linkIds));
    if (known.length < new Set(linkIds).size) throw refuse('NOT_FOUND');
    const about = { linkIds, now, withinMs: refundOnRevokeMs };
    const cost = await asSystem((tx) => findRevokeCost(tx, engines.payments.realm, about));
    return { ...cost, currency: 'usd' };
  }),
  undoRevoke: answer.undoRevoke.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    const max = (await settingsOf(context.engines))['limits.links'];
    return context.work(async (tx) => {
      await bringBack(context, tx, input.linkIds, { doing, max });
      return { links: await shown(tx, input.linkIds, doing) };
    });
  }),
  revokeAll: answer.revokeAll.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    const undoUntil = await undoUntilOf(context.engines, context.now);
    return context.work(async (tx) => {
      if (input.albumId !== undefined && (await listAlbumsToShare(tx, [input.albumId])).length === 0)
        throw refuse('NOT_FOUND');
      await lockLinksOf(tx, doing.creatorId);
      const linkIds = await lockUnrevoked(tx, doing.creatorId, input.albumId);
      if (linkIds.length === 0) return { revoked: 0 };
      const changed = await revoke(doing, tx, linkIds, { undoUntil, reason: 'manual' });
      await note(tx, changed, 'link.revoked', doing);
      return { revoked: changed.length };
    });
  }),
  lockEverything: answer.lockEverything.use(requireCreator).handler(async ({ context }) => {
    const doing = await doingOf(context);
    const { creator, now, requestId } = context;
    const undoUntil = await undoUntilOf(context.engines, now);
    return context.work(async (tx) => {
      await lockLinksOf(tx, doing.creatorId);
      const linkIds = await lockUnrevoked(tx, doing.creatorId, undefined);
      const changed = await revoke(doing, tx, linkIds, { undoUntil, reason: 'panic' });
      await note(tx, changed, 'link.revoked', doing);
      await deleteSessionsOf(tx, creator.userId, creator.sessionId);
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'account.locked', details: { links: changed.length }, requestId });
      return { revoked: changed.length };
    });
  }),
  extend: answer.extend.use(requireCreator).handler(async ({ context, input }) => {
    const doing = await doingOf(context);
    const max = (await settingsOf(context.engines))['limits.links'];
    const expiresAt = expiresAtOf(input.expiry, context.now);
    return context.work(async (tx) => {
      await lockForNew(tx, context.creator);
      const links = await lockForRules(tx, input.linkIds);
      for (const link of links)
        await applyWithRoom(tx, link, { rules: undefined, expiresAt, passwordHash: undefined }, doing, max);
      await note(tx, input.linkIds, 'link.extended', doing);
      return { links: await shown(tx, input.linkIds, doing) };
    });
  }),
});
