import { implement } from '@orpc/server';
import { readCursor, writeCursor } from '#features/albums/rules.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { securityContract } from './contract.ts';
import { countEvents, listEvents } from './store.ts';
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
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        events: rows.slice(0, limit).map((row) => showEvent(row, now)),
        total: await countEvents(tx, about),
        nextCursor: last === undefined ? null : writeCursor({ at: last.timestamp.toISOString(), id: last.id }),
      };
    }),
  ),
};
