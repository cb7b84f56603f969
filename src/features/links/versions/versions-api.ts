import { implement } from '@orpc/server';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { linksContract } from '../contract.ts';
import { listLinkIds } from '../store.ts';
import { showVersion } from '../to-api.ts';
import { listVersions } from '../versions-store.ts';

const answer = implement(linksContract).$context<Context>();

/** How a link's rules came to be what they are. */
export const linkHistory = answer.history.use(requireCreator).handler(({ context: { work, creator }, input }) =>
  work(async (tx) => {
    const { linkId, beforeVersion, limit } = input;
    if ((await listLinkIds(tx, [linkId])).length === 0) throw refuse('NOT_FOUND');
    const rows = await listVersions(tx, { linkId, creatorId: creator.userId, beforeVersion, limit: limit + 1 });
    return { versions: rows.slice(0, limit).map(showVersion), hasMore: rows.length > limit };
  }),
);
