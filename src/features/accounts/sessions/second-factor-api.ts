import { implement } from '@orpc/server';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { secondFactorContract } from '../contract.ts';
import {
  beginSecondFactor,
  enterCode,
  removeSecondFactor,
  renewBackupCodes,
  showSecondFactor,
  turnOnSecondFactor,
} from '../second-factor/second-factor.ts';
import { signInByCode } from './signing-in-by-code.ts';

const answer = implement(secondFactorContract).$context<Context>();

export const secondFactorApi = answer.router({
  show: answer.show.use(requireSignIn).handler(({ context }) => showSecondFactor(context)),
  begin: answer.begin.use(requireSignIn).handler(({ context, input }) => beginSecondFactor(context, input.password)),
  turnOn: answer.turnOn.use(requireSignIn).handler(({ context, input }) => turnOnSecondFactor(context, input.code)),
  renewBackupCodes: answer.renewBackupCodes
    .use(requireSignIn)
    .handler(({ context, input }) => renewBackupCodes(context, input)),
  remove: answer.remove.use(requireSignIn).handler(async ({ context, input }) => {
    await removeSecondFactor(context, input);
    return {};
  }),
  enter: answer.enter.use(requireSignIn).handler(async ({ context, input }) => {
    await enterCode(context, input.code);
    return {};
  }),
  signIn: answer.signIn.handler(({ context, input }) => signInByCode(context, input)),
});
