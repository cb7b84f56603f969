import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminReportsContract } from '../desk-contract.ts';
import {
  decideAppealOf,
  decideReported,
  eraseMatch,
  hideReported,
  releaseMatch,
  showReport,
  showWaiting,
} from './desk.ts';

const answer = implement(adminReportsContract).$context<Context>();
const moderation = requireScope('moderation');

/** What moderators see of reports, and what they decide. */
export const adminReportsApi = answer.router({
  waiting: answer.waiting.use(moderation).handler(({ context }) => showWaiting(context)),
  show: answer.show.use(moderation).handler(({ context, input }) => showReport(context, input.number)),
  hide: answer.hide.use(moderation).handler(({ context, input }) => hideReported(context, input.number)),
  decide: answer.decide.use(moderation).handler(({ context, input }) => decideReported(context, input.number, input)),
  decideAppeal: answer.decideAppeal
    .use(moderation)
    .handler(({ context, input }) => decideAppealOf(context, input.number, input)),
  release: answer.release.use(moderation).handler(async ({ context, input }) => {
    await releaseMatch(context, input.mediaId, input.reason);
    return {};
  }),
  erase: answer.erase.use(moderation).handler(async ({ context, input }) => {
    await eraseMatch(context, input.mediaId, input.reason);
    return {};
  }),
});
