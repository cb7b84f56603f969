import { implement } from '@orpc/server';
import { letBackIn, shutOut } from '#features/access/blocking.ts';
import { findViewer } from '#features/access/pseudonyms-store.ts';
import { readCursor } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { tracingContract } from './contract.ts';
import { removeTraceFiles } from './progress/trace-files.ts';
import { deleteTrace, findTrace, listTraces } from './store.ts';
import { resultOf, showCoded, showDetail, showPage } from './to-api.ts';
import { listCoded, listLinkNames, listNames } from './verdict/people-store.ts';
import { namedIdsOf } from './verdict/result.ts';
import { findKnown } from './work/load-trace-details.ts';

const answer = implement(tracingContract).$context<Context>();

/** What a creator learns from copies that leaked. */
export const tracingApi = {
  list: answer.list.use(requireCreator).handler(({ context: { work, creator }, input }) =>
    work(async (tx) => {
      const { albumId, limit } = input;
      const params = { creatorId: creator.userId, albumId, after: readCursor(input.cursor), limit: limit + 1 };
      const rows = await listTraces(tx, params);
      const named = rows.map((row) => namedIdsOf(resultOf(row)));
      const grantIds = named.flatMap((ids) => ids.grantIds);
      const linkIds = named.flatMap((ids) => ids.linkIds);
      const people = grantIds.length > 0 ? await listNames(tx, creator.userId, grantIds) : [];
      const links = linkIds.length > 0 ? await listLinkNames(tx, creator.userId, linkIds) : [];
      return showPage(rows, limit, { people, links });
    }),
  ),
  one: answer.one.use(requireCreator).handler(({ context: { work }, input }) =>
    work(async (tx) => {
      const row = await findTrace(tx, input.traceId);
      if (row === undefined) throw refuse('NOT_FOUND');
      return showDetail(row, await findKnown(tx, row));
    }),
  ),
  byCode: answer.byCode
    .use(requireCreator)
    .handler(({ context: { work, creator }, input: { code } }) =>
      work(async (tx) => ({ views: (await listCoded(tx, creator.userId, code)).map(showCoded) })),
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
      await tx.publish({ kind: 'trace.ended', creatorId: creator.userId });
    });
    // Without their key they are noise already; what stays of them the sweeper takes.
    await removeTraceFiles(engines.storage, traceId).catch(() => 0);
    return {};
  }),
  blockViewer: answer.blockViewer.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const viewerId = await findViewer(tx, context.creator.userId, input.viewerId);
      if (viewerId === undefined || !(await shutOut(context, tx, { viewerId, reason: 'leak' })))
        throw refuse('NOT_FOUND');
      return {};
    }),
  ),
  unblockViewer: answer.unblockViewer.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const viewerId = await findViewer(tx, context.creator.userId, input.viewerId);
      if (viewerId === undefined || !(await letBackIn(context, tx, viewerId))) throw refuse('NOT_FOUND');
      return {};
    }),
  ),
};
