import { implement } from '@orpc/server';
import { requireSetUp } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import {
  addPasskey,
  beginEnter,
  beginPasskey,
  enterPasskey,
  nameOwnPasskey,
  removePasskey,
  showPasskeys,
} from '../passkeys/passkeys.ts';
import { passkeysContract } from '../passkeys/passkeys-contract.ts';
import { nameDevice } from './session-device.ts';
import { askForPasskey, signInByPasskey } from './signing-in-by-passkey.ts';

const answer = implement(passkeysContract).$context<Context>();

export const passkeysApi = answer.router({
  list: answer.list.use(requireSetUp).handler(({ context }) => showPasskeys(context)),
  begin: answer.begin.use(requireSetUp).handler(({ context, input }) => beginPasskey(context, input.password)),
  add: answer.add
    .use(requireSetUp)
    .handler(({ context, input }) => addPasskey(context, input.credential, nameDevice(context.caller.userAgent))),
  rename: answer.rename.use(requireSetUp).handler(async ({ context, input }) => {
    await nameOwnPasskey(context, input);
    return {};
  }),
  remove: answer.remove.use(requireSetUp).handler(async ({ context, input }) => {
    await removePasskey(context, input);
    return {};
  }),
  beginEnter: answer.beginEnter.use(requireSetUp).handler(({ context }) => beginEnter(context)),
  enter: answer.enter.use(requireSetUp).handler(async ({ context, input }) => {
    await enterPasskey(context, input.credential);
    return {};
  }),
  beginSignIn: answer.beginSignIn.handler(({ context }) => askForPasskey(context)),
  signIn: answer.signIn.handler(({ context, input }) => signInByPasskey(context, input.credential)),
});
