import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminMailsContract } from '../contract.ts';
import { liftSuppression, markEmailsSeen, sendEmailsAgain, showEmailsTo, showFailedEmails } from './desk.ts';

const answer = implement(adminMailsContract).$context<Context>();
const support = requireScope('support');

/** What administrators see and do about emails. */
export const adminMailsApi = answer.router({
  to: answer.to.use(support).handler(({ context, input }) => showEmailsTo(context, input.address)),
  failed: answer.failed.use(support).handler(({ context }) => showFailedEmails(context)),
  sendAgain: answer.sendAgain
    .use(support)
    .handler(async ({ context, input }) => ({ count: await sendEmailsAgain(context, input.emailId) })),
  markSeen: answer.markSeen
    .use(support)
    .handler(async ({ context, input }) => ({ count: await markEmailsSeen(context, input.emailId) })),
  liftSuppression: answer.liftSuppression.use(support).handler(async ({ context, input }) => {
    await liftSuppression(context, input.address);
    return {};
  }),
});
