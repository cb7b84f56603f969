import { implement } from '@orpc/server';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { endSales } from '#features/sales/ending.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { leaveApp, removeAppLock, resetPin, setAppLock, stayInApp, unlock } from './app-lock/app-lock.ts';
import { setPublicPage } from './avatars/avatar-store.ts';
import { endOwnSession } from './browser-session.ts';
import { accountsContract } from './contract.ts';
import { noteHomeScreen } from './home-screen/home-screen-store.ts';
import { lookAtInvitation } from './joining/invitations.ts';
import { captureLead, confirmEmail, signUp } from './joining/joining.ts';
import { finishSetup, setUpConsent, setUpPassword, setUpProfile, withFreeHandle } from './joining/setup.ts';
import { findHandleFault } from './rules.ts';
import { describeMe } from './sessions/me.ts';
import { changePassword, endSession, showSessions, signOutEverywhere } from './sessions/security.ts';
import { askForPassword, setPassword, signIn } from './sessions/signing-in.ts';
import { isHandleTaken, updateProfile } from './store.ts';

export { emailChangeApi } from './email-change/email-change-api.ts';
export { passkeysApi } from './sessions/passkeys-api.ts';
export { secondFactorApi } from './sessions/second-factor-api.ts';

const answer = implement(accountsContract).$context<Context>();
/** The empty answer of a call that has nothing to tell. */
const done = {};

export const accountsApi = {
  me: answer.me.handler(({ context }) => describeMe(context)),
  captureLead: answer.captureLead.handler(async ({ context, input }) => {
    await captureLead(context, input);
    return done;
  }),
  invitation: answer.invitation.handler(async ({ context, input }) => {
    const { days } = await lookAtInvitation(context, input.token);
    return { days };
  }),
  signUp: answer.signUp.handler(({ context, input }) => signUp(context, input.email, { token: input.invitation })),
  confirm: answer.confirm.handler(({ context, input }) => confirmEmail(context, input)),
  signIn: answer.signIn.handler(({ context, input }) => signIn(context, input.email, input.password)),
  signOut: answer.signOut.handler(async ({ context }) => {
    await endOwnSession(context);
    return done;
  }),
  askForPassword: answer.askForPassword.handler(({ context, input }) => askForPassword(context, input.email)),
  setPassword: answer.setPassword.handler(({ context, input }) => setPassword(context, input.proof, input.password)),

  checkHandle: answer.checkHandle.use(requireSignIn).handler(async ({ context, input }) => {
    const { engines, creator, now } = context;
    const handle = input.handle.trim().toLowerCase();
    const fault = findHandleFault(handle);
    if (fault !== undefined) return { isFree: false, fault };
    const key = hashKey(engines.keys, 'check_handle', creator.userId);
    const { rate, isTaken } = await context.asSystem(async (tx) => ({
      rate: await takeRate(tx, { key, limit: 60, windowSeconds: 60, now }),
      isTaken: await isHandleTaken(tx, handle, creator.userId),
    }));
    if (rate.isOver) throw refuseForNow(rate.retryAfterSeconds);
    return isTaken ? { isFree: false, fault: 'This handle is taken' } : { isFree: true };
  }),
  setUpPassword: answer.setUpPassword.use(requireSignIn).handler(async ({ context, input }) => {
    await setUpPassword(context, input.password);
    return done;
  }),
  setUpProfile: answer.setUpProfile.use(requireSignIn).handler(async ({ context, input }) => {
    await setUpProfile(context, input);
    return done;
  }),
  setUpConsent: answer.setUpConsent.use(requireSignIn).handler(async ({ context, input }) => {
    await setUpConsent(context, input);
    return done;
  }),
  finishSetup: answer.finishSetup.use(requireSignIn).handler(async ({ context }) => {
    await finishSetup(context);
    return done;
  }),

  updateProfile: answer.updateProfile.use(requireSignIn).handler(async ({ context, input }) => {
    if (!context.creator.access.isSetUp) throw refuse('SETUP_REQUIRED');
    await withFreeHandle(context, input.handle, (tx) => updateProfile(tx, context.creator.userId, input));
    return done;
  }),
  setPublicPage: answer.setPublicPage.use(requireSignIn).handler(async ({ context, input }) => {
    const { creator, engines, requestId } = context;
    if (!creator.access.isSetUp) throw refuse('SETUP_REQUIRED');
    await context.work(async (tx) => {
      await setPublicPage(tx, creator.userId, input.isOn);
      if (!input.isOn) await endSales(engines, tx, { sellerId: creator.userId });
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'account.public_page', details: { isOn: input.isOn }, requestId });
    });
    return done;
  }),
  changePassword: answer.changePassword.use(requireSignIn).handler(async ({ context, input }) => {
    await changePassword(context, input.currentPassword, input.newPassword);
    return done;
  }),
  setAppLock: answer.setAppLock.use(requireSignIn).handler(async ({ context, input }) => {
    await setAppLock(context, input.pin, input.password);
    return done;
  }),
  removeAppLock: answer.removeAppLock.use(requireSignIn).handler(async ({ context, input }) => {
    await removeAppLock(context, input.password);
    return done;
  }),
  leaveApp: answer.leaveApp.use(requireSignIn).handler(async ({ context, input }) => {
    await leaveApp(context, input);
    return done;
  }),
  stayInApp: answer.stayInApp.use(requireSignIn).handler(async ({ context, input }) => {
    await stayInApp(context, input.isAtWork);
    return done;
  }),
  unlock: answer.unlock.handler(async ({ context, input }) => {
    await unlock(context, input.pin);
    return done;
  }),
  resetPin: answer.resetPin.handler(async ({ context, input }) => {
    await resetPin(context, input);
    return done;
  }),
  noteHomeScreen: answer.noteHomeScreen.use(requireSignIn).handler(async ({ context, input }) => {
    const { creator, now } = context;
    await context.work((tx) => noteHomeScreen(tx, creator.userId, { isDone: input.isDone, now }));
    return done;
  }),
  listSessions: answer.listSessions
    .use(requireSignIn)
    .handler(async ({ context }) => ({ sessions: await showSessions(context) })),
  endSession: answer.endSession.use(requireSignIn).handler(async ({ context, input }) => {
    await endSession(context, input.sessionId);
    return done;
  }),
  signOutEverywhere: answer.signOutEverywhere.use(requireSignIn).handler(async ({ context }) => {
    await signOutEverywhere(context);
    return done;
  }),
};
