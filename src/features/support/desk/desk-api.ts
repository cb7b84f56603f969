import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminSupportContract } from '../desk-contract.ts';
import { answerCase, closeCase, showCase, showWaitingCases } from './desk.ts';

const answer = implement(adminSupportContract).$context<Context>();
const support = requireScope('support');

/** What administrators see of what people wrote, and what they answer. */
export const adminSupportApi = answer.router({
  waiting: answer.waiting.use(support).handler(async ({ context }) => ({ cases: await showWaitingCases(context) })),
  show: answer.show.use(support).handler(({ context, input }) => showCase(context, input.number)),
  answer: answer.answer.use(support).handler(({ context, input }) => answerCase(context, input.number, input)),
  close: answer.close.use(support).handler(({ context, input }) => closeCase(context, input.number, input.repliesSeen)),
});
