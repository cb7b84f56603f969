import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '#engines/database/work.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { passwordChangedEmail, wrongPasswordsEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { minuteMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { writePassword } from '../auth-store.ts';
import { giveSession, type NewSession, prepareSession } from '../browser-session.ts';
import { noteArrival } from '../joining/arrivals.ts';
import { noteWhoInvited } from '../joining/invited-by.ts';
import { bindBrowser, lookAtProof, type Proof, refuseProof } from '../joining/proof.ts';
import { saveSetupStep } from '../joining/setup-store.ts';
import { countNetworkTry, settle, slowNetwork, takeMail, takeTry } from '../limits.ts';
import { findPasswordRefusal, hashPassword, isPassword } from '../password.ts';
import { wrongForgottenMs } from '../rules.ts';
import { hasAuthenticator, hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { deleteSessionsOf, forgetTries, spendProof } from '../security-store.ts';
import { type Account, findAccount, findAccountByEmail, holdAccount, markEmailVerified } from '../store.ts';
import { makeChallenge } from './challenge.ts';
import { knownBrowserOf } from './known-browser.ts';
import { notifyNewDevice, securityLink } from './notify-devices.ts';
import { mailPasswordProof } from './password-proof.ts';
import { inTurn, isGuessedAt, type Trying, tryKeyOf } from './sign-in-tries.ts';

/** Signed in, or to be signed in by a code of the second factor (`signInByCode`). */
export type SignedIn = { token?: string; isAccountKept?: boolean } | Challenged;

interface Challenged {
  challenge: string;
  /** A passkey is asked for, or a backup code: there is no app. */
  isPasskeyOnly?: boolean | undefined;
}

/** E-mail and password. An unknown address and a wrong password get the same answer after the same work and time. */
export async function signIn(context: Context, email: string, password: string): Promise<SignedIn> {
  const beganMs = performance.now();
  const trying = { email, browser: await knownBrowserOf(context, email) };
  const { done, waitMs } = await inTurn(context, trying, async () => ({
    waitMs: trying.browser === undefined ? await countNetworkTry(context, 'sign_in') : 0,
    done: await trySignIn(context, trying, password),
  }));
  await pause(waitMs);
  if (done !== undefined) {
    if ('challenge' in done) return done;
    await noteArrival(context, done, { type: 'signin', page: '/auth' });
    return giveSession(context, done);
  }
  await settle(beganMs);
  throw refuse('UNAUTHENTICATED', { message: 'Invalid email or password' });
}

/** @returns undefined for a wrong password and for an address that nobody has */
async function trySignIn(
  context: Context,
  trying: Trying,
  password: string,
): Promise<NewSession | Challenged | undefined> {
  const { asSystem, requestId } = context;
  const most = (await isGuessedAt(context, trying)) ? 1 : undefined;
  const { wrong, free, forget } = await takeTry(context, tryKeyOf(context, trying), most);
  const account = await asSystem((tx) => findAccountByEmail(tx, trying.email));
  const isRight = await isPassword(password, account?.passwordHash ?? undefined);
  if (account === undefined || !isRight || account.status === 'deleted') {
    await noteWrongTry(context, account, wrong);
    if (account !== undefined && wrong === free) await warnOfTries(context, account, wrong);
    return undefined;
  }
  const open = await prepareSession(context);
  return asSystem(async (tx) => {
    await forget(tx);
    if (await hasSecondFactor(tx, account.id)) return challengeOf(context, tx, account);
    const opened = await open(tx, account.id);
    await insertAudit(tx, { actor: { type: 'creator', id: account.id }, action: 'session.began', requestId });
    if (opened.isNewDevice) await notifyNewDevice(context, tx, account, opened);
    return opened;
  });
}

const challengeOf = async ({ engines }: Context, tx: Tx, account: Pick<Account, 'id' | 'passwordHash'>) => ({
  challenge: makeChallenge(engines.keys, account, new Date(engines.clock())),
  ...(!(await hasAuthenticator(tx, account.id)) && { isPasskeyOnly: true }),
});

/**
 * A wrong password stands in the log of its account. Of an unknown address nothing is kept, because the log can never be
 * shortened; as much is asked of the database all the same.
 */
const noteWrongTry = ({ asSystem, requestId }: Context, account: Account | undefined, wrong: number): Promise<void> =>
  asSystem(async (tx) => {
    if (account === undefined) return void (await findAccountByEmail(tx, ''));
    const target = { type: 'user', id: account.id };
    await insertAudit(tx, {
      actor: { type: 'visitor' },
      action: 'session.refused',
      target,
      details: { wrong },
      requestId,
    });
  });

async function warnOfTries(context: Context, { id, email, status }: Account, tries: number): Promise<void> {
  if (status === 'deleted' || !(await isFirstToday(context, id))) return;
  const message = wrongPasswordsEmail({
    tries,
    minutes: wrongForgottenMs / minuteMs,
    securityLink: securityLink(context),
  });
  const { engines, now, asSystem } = context;
  await asSystem((tx) => queueEmail(tx, engines.jobs, { userId: id, to: email, now, ...message }));
}

/** Tries from a hundred networks are no hundred emails. */
async function isFirstToday({ engines, now, asSystem }: Context, userId: string): Promise<boolean> {
  const key = hashKey(engines.keys, 'wrong_passwords_told', userId);
  return !(await asSystem((tx) => takeRate(tx, { key, limit: 1, windowSeconds: 86_400, now }))).isOver;
}

/** Mails a link and a code for a new password; for an unknown address as much is done, and nobody is mailed. */
export async function askForPassword(context: Context, email: string): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  const { engines, asSystem } = context;
  const browser = await knownBrowserOf(context, email);
  await slowNetwork(context, 'ask_for_password');
  // What strangers have asked for leaves those their own who can be told from strangers.
  await takeMail(context, browser === undefined ? 'mail_password' : 'mail_password_known', email);
  const settings = await settingsOf(engines);
  const asking = bindBrowser(context, settings);
  await asSystem(async (tx) => {
    const account = await findAccountByEmail(tx, email);
    await mailPasswordProof(context, tx, { email, account, browser: asking, settings });
  });
  await settle(beganMs);
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/**
 * Sets a password by a mailed link or code, never by the address alone; every session of before ends. A second factor is asked for
 * after it as after a password: one that a mailed link walks around is none.
 */
export async function setPassword(context: Context, proof: Proof, password: string): Promise<SignedIn> {
  const { engines, now, requestId, asSystem } = context;
  await slowNetwork(context, 'set_password');
  const triesMax = (await settingsOf(engines))['accounts.codeTries'];
  const found = await asSystem(async (tx) => {
    const looked = await lookAtProof(context, tx, 'password', proof, triesMax);
    return looked.is === 'good' ? { ...looked, account: await findAccount(tx, looked.userId) } : looked;
  });
  if (found.is !== 'good') throw refuseProof(found);
  const { account, proofId } = found;
  if (account === undefined) throw refuseProof({ is: 'ended' });
  const refusal = await findPasswordRefusal(password, account.email, 'password');
  if (refusal !== undefined) throw refusal;
  const [hash, open] = await Promise.all([hashPassword(password), prepareSession(context)]);
  const done = await asSystem(async (tx) => {
    if (!(await spendProof(tx, proofId, now))) return undefined;
    const held = (await holdAccount(tx, account.id)) ?? account;
    if (await markEmailVerified(tx, account.id, now)) await noteWhoInvited(context, tx, account.id);
    await storePassword(context, tx, held, hash);
    if (held.setupStep === 'password') await saveSetupStep(tx, account.id, 'profile');
    await deleteSessionsOf(tx, account.id);
    await forgetTries(tx, tryKeyOf(context, { email: account.email, browser: undefined }));
    await insertAudit(tx, { actor: { type: 'creator', id: account.id }, action: 'password.set', requestId });
    const isAsked = await hasSecondFactor(tx, account.id);
    return isAsked ? challengeOf(context, tx, { id: account.id, passwordHash: hash }) : open(tx, account.id);
  });
  if (done === undefined) throw refuseProof({ is: 'ended' });
  if ('challenge' in done) return done;
  await noteArrival(context, done, { page: '/auth' });
  return giveSession(context, done);
}

/** Stores a password of a held account; a person who had another one before is told by mail. Which sessions end is the caller's matter. */
export async function storePassword(context: Context, tx: Tx, account: Account, hash: string): Promise<void> {
  const { engines, now } = context;
  await writePassword(engines, tx, account.id, hash);
  if (account.passwordHash === null) return;
  const message = passwordChangedEmail({ passwordLink: `${engines.installation.publicUrl}/auth?action=forgot` });
  await queueEmail(tx, engines.jobs, { userId: account.id, to: account.email, now, ...message });
}
