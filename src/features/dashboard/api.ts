import { implement } from '@orpc/server';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { dashboardContract } from './contract.ts';
import { findProgress } from './store.ts';

const answer = implement(dashboardContract).$context<Context>();

/** What only the dashboard asks; the rest it asks of the rooms below. */
export const dashboardApi = {
  progress: answer.progress
    .use(requireCreator)
    .handler(({ context: { work, creator } }) => work((tx) => findProgress(tx, creator.userId))),
};
