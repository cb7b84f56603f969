import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminUsersContract } from './contract.ts';
import { changeEmail, mailCode, recomputePlanOf, removeSecondFactor, signOut, suspend } from './users/acting.ts';
import { grantAccess, grantCreditsTo } from './users/granting.ts';
import { findPeople, showAccount } from './users/looking.ts';
import { addNote } from './users/notes.ts';

export { adminButtonsApi } from './buttons/buttons-api.ts';
export { adminDebugApi } from './debug/debug-api.ts';
export { adminFunctionsApi } from './functions/functions-api.ts';
export { adminJunkApi } from './junk/junk-api.ts';
export { adminOperationsApi } from './operations/operations-api.ts';
export { adminPaymentsApi } from './payments/payments-api.ts';
export { adminInvitationsApi } from './settings/invitations-api.ts';
export { adminSettingsApi } from './settings/settings-api.ts';

const answer = implement(adminUsersContract).$context<Context>();
const support = requireScope('support');
const moderation = requireScope('moderation');
/** The empty answer of a call that has nothing to tell. */
const done = {};

/** What administrators see of accounts and do to them. */
export const adminUsersApi = answer.router({
  find: answer.find.use(support).handler(({ context, input }) => findPeople(context, input.query)),
  show: answer.show
    .use(requireScope('support', 'moderation'))
    .handler(({ context, input }) => showAccount(context, input.userId)),
  addNote: answer.addNote.use(requireScope('support', 'moderation')).handler(async ({ context, input }) => {
    await addNote(context, input);
    return done;
  }),
  recomputePlan: answer.recomputePlan
    .use(requireScope('support', 'finance'))
    .handler(({ context, input }) => recomputePlanOf(context, input.userId)),
  mailCode: answer.mailCode.use(support).handler(async ({ context, input }) => {
    await mailCode(context, input.userId);
    return done;
  }),
  signOut: answer.signOut.use(support).handler(async ({ context, input }) => {
    await signOut(context, input.userId);
    return done;
  }),
  changeEmail: answer.changeEmail.use(requireScope('owner')).handler(async ({ context, input }) => {
    await changeEmail(context, input.userId, input);
    return done;
  }),
  grantAccess: answer.grantAccess.use(requireScope('owner')).handler(async ({ context, input }) => {
    await grantAccess(context, input);
    return done;
  }),
  grantCredits: answer.grantCredits.use(requireScope('owner')).handler(async ({ context, input }) => {
    await grantCreditsTo(context, input);
    return done;
  }),
  suspend: answer.suspend.use(moderation).handler(async ({ context, input }) => {
    await suspend(context, input.userId, { isEnd: false, reason: input.reason });
    return done;
  }),
  unsuspend: answer.unsuspend.use(moderation).handler(async ({ context, input }) => {
    await suspend(context, input.userId, { isEnd: true });
    return done;
  }),
  removeSecondFactor: answer.removeSecondFactor.use(requireScope('owner')).handler(async ({ context, input }) => {
    await removeSecondFactor(context, input.userId);
    return done;
  }),
});
