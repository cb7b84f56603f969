import { implement } from '@orpc/server';
import { requireSetUp } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { confirmChangeByLink } from './change-by-operator.ts';
import { confirmEmailChange, undoEmailChange } from './confirming-change.ts';
import { beginEmailChange, resendEmailChange, showEmailChange } from './email-change.ts';
import { emailChangeContract } from './email-change-contract.ts';

const answer = implement(emailChangeContract).$context<Context>();

export const emailChangeApi = answer.router({
  show: answer.show.use(requireSetUp).handler(({ context }) => showEmailChange(context)),
  begin: answer.begin.use(requireSetUp).handler(({ context, input }) => beginEmailChange(context, input)),
  resend: answer.resend.use(requireSetUp).handler(({ context }) => resendEmailChange(context)),
  confirm: answer.confirm.use(requireSetUp).handler(async ({ context, input }) => {
    await confirmEmailChange(context, input.code);
    return {};
  }),
  confirmByLink: answer.confirmByLink.handler(async ({ context, input }) => {
    await confirmChangeByLink(context, input.token);
    return {};
  }),
  undo: answer.undo.handler(async ({ context, input }) => {
    await undoEmailChange(context, input.token);
    return {};
  }),
});
