import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { readCursor } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { tracingContract } from './contract.ts';
import { blockViewer, listItems, listPeople, type PersonRow, unblockViewer } from './people-store.ts';
import { mediaIdsOf } from './result.ts';
import { resultOf, showDetail, showPage } from './show.ts';
import { deleteTrace, findTrace, listTraces, type TraceRow } from './store.ts';
import { removeTraceFiles } from './trace-files.ts';

const answer = implement(tracingContract).$context<Context>();

/** What an answer found, and the links that it names. */
function partsOf(row: TraceRow) {
  const result = resultOf(row);
  return {
    mediaIds: result ? mediaIdsOf(result) : [],
    linkIds: result?.named?.links.map(({ linkId }) => linkId) ?? [],
  };
}

/** Those who were shown what was found: through the named links, or, where nobody is named, all of them. */
async function findPeople(tx: Tx, row: TraceRow): Promise<PersonRow[]> {
  const { mediaIds, linkIds } = partsOf(row);
  if (mediaIds.length === 0) return [];
  return listPeople(tx, row.creatorId, mediaIds, row.outcome === 'inconclusive' ? null : linkIds);
}

/** What a creator learns from copies that leaked. */
export const tracingApi = {
  list: answer.list.use(requireCreator).handler(({ context: { work, creator }, input }) =>
    work(async (tx) => {
      const { albumId, limit } = input;
      const wish = { creatorId: creator.userId, albumId, after: readCursor(input.cursor), limit: limit + 1 };
      const rows = await listTraces(tx, wish);
      const parts = rows.map(partsOf).filter(({ linkIds }) => linkIds.length > 0);
      const [mediaIds, linkIds] = [parts.flatMap((part) => part.mediaIds), parts.flatMap((part) => part.linkIds)];
      const people = linkIds.length > 0 ? await listPeople(tx, creator.userId, mediaIds, linkIds) : [];
      return showPage(rows, limit, people);
    }),
  ),
  one: answer.one.use(requireCreator).handler(({ context: { work, creator }, input }) =>
    work(async (tx) => {
      const row = await findTrace(tx, input.traceId);
      if (row === undefined) throw refuse('NOT_FOUND');
      const { mediaIds } = partsOf(row);
      const items = mediaIds.length > 0 ? await listItems(tx, creator.userId, mediaIds) : [];
      return showDetail(row, { items, people: await findPeople(tx, row) });
    }),
  ),
  remove: answer.remove.use(requireCreator).handler(async ({ context, input: { traceId } }) => {
    const { work, creator, engines, requestId } = context;
    await work(async (tx) => {
      if ((await findTrace(tx, traceId)) === undefined) throw refuse('NOT_FOUND');
      await deleteTrace(tx, traceId);
      await insertAudit(tx, {
        actor: { type: 'creator', id: creator.userId },
        action: 'leak.removed',
        target: { type: 'trace', id: traceId },
        requestId,
      });
      await tx.tell({ kind: 'trace.ended', creatorId: creator.userId });
    });
    // Without their key they are noise already; what stays of them the sweeper takes.
    await removeTraceFiles(engines.storage, traceId).catch(() => 0);
    return {};
  }),
  blockViewer: answer.blockViewer.use(requireCreator).handler(({ context, input: { viewerId } }) =>
    context.work(async (tx) => {
      const { creator, now, requestId } = context;
      const creatorId = creator.userId;
      if (!(await blockViewer(tx, { creatorId, viewerId, reason: 'leak', now }))) throw refuse('NOT_FOUND');
      await insertAudit(tx, {
        actor: { type: 'creator', id: creatorId },
        action: 'viewer.blocked',
        target: { type: 'viewer', id: viewerId },
        requestId,
      });
      // Open screens hear of it and close.
      await tx.tell({ kind: 'viewer.blocked', creatorId, viewerId });
      return {};
    }),
  ),
  unblockViewer: answer.unblockViewer.use(requireCreator).handler(({ context, input: { viewerId } }) =>
    context.work(async (tx) => {
      const { creator, requestId } = context;
      if (!(await unblockViewer(tx, creator.userId, viewerId))) throw refuse('NOT_FOUND');
      await insertAudit(tx, {
        actor: { type: 'creator', id: creator.userId },
        action: 'viewer.unblocked',
        target: { type: 'viewer', id: viewerId },
        requestId,
      });
      await tx.tell({ kind: 'viewer.unblocked', creatorId: creator.userId, viewerId });
      return {};
    }),
  ),
};
