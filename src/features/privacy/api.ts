import { implement } from '@orpc/server';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { privacyContract } from './contract.ts';
import { deleteOwnAccount, showDeletion } from './deletion/deleting.ts';

const answer = implement(privacyContract).$context<Context>();

/** What people may know of what is kept of them, and end. */
export const privacyApi = answer.router({
  showDeletion: answer.showDeletion.use(requireSignIn).handler(({ context }) => showDeletion(context)),
  deleteAccount: answer.deleteAccount
    .use(requireSignIn)
    .handler(async ({ context, input }) => ({ eraseAt: await deleteOwnAccount(context, input.password) })),
});
