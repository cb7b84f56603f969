import { networkOf } from '#features/audit/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { wrongCodesEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { giveSession, type NewSession, prepareSession } from '../browser-session.ts';
import { noteArrival } from '../joining/arrivals.ts';
import { slowNetwork, takeTry } from '../limits.ts';
import { kindOfCode, strangersCodes } from '../second-factor/code-rules.ts';
import { linksOf, notifyCodeUse } from '../second-factor/notify-codes.ts';
import { hasSecondFactor, noteCode } from '../second-factor/second-factor-store.ts';
import { refuseCode, spendCode } from '../second-factor/spending-codes.ts';
import { type Account, findAccount } from '../store.ts';
import { isChallenge, ownerOf } from './challenge.ts';
import { knownBrowserOf } from './known-browser.ts';
import { notifyNewDevice } from './notify-devices.ts';

/**
 * The second step of signing in.
 * @throws GONE when the first one has to be made again, VALIDATION for a wrong code, RATE_LIMITED after several
 */
export async function signInByCode(
  context: Context,
  { challenge, code }: { challenge: string; code: string },
): Promise<{ token?: string; isAccountKept?: boolean }> {
  await slowNetwork(context, 'sign_in_code');
  const account = await findChallenged(context, challenge);
  const { key, isKnown } = await whoTries(context, account);
  if (!isKnown && kindOfCode(code) === 'totp') await refuseGuessing(context, account);
  const { wrong, free, forget } = await takeTry(context, key);
  const open = await prepareSession(context);
  const { engines, asSystem, requestId } = context;
  const session = await asSystem(async (tx) => {
    // It may have been switched off meanwhile: then the first step is made again, and needs no second.
    const kind = await spendCode(engines, tx, account.id, code);
    if (kind === undefined || !(await hasSecondFactor(tx, account.id))) return undefined;
    await forget(tx);
    const opened = await open(tx, account.id);
    await noteCode(tx, opened.sessionId, new Date(engines.clock()));
    await insertAudit(tx, { actor: { type: 'creator', id: account.id }, action: 'session.began', requestId });
    if (kind === 'backup') await notifyCodeUse(context, tx, account);
    if (opened.isNewDevice) await notifyNewDevice(context, tx, account, opened);
    return opened;
  });
  if (session === undefined) {
    await noteWrongCode(context, account, { wrong, isLast: wrong === free });
    throw refuseCode();
  }
  await noteSignedIn(context, session);
  return giveSession(context, session);
}

const noteSignedIn = (context: Context, session: NewSession): Promise<void> =>
  noteArrival(context, session, { type: 'signin', page: '/auth' });

/** @throws GONE, whatever is wrong with it */
async function findChallenged({ engines, asSystem }: Context, challenge: string): Promise<Account> {
  const id = ownerOf(challenge);
  const account = id === undefined ? undefined : await asSystem((tx) => findAccount(tx, id));
  if (
    account === undefined ||
    account.status === 'deleted' ||
    !isChallenge(engines.keys, account, challenge, new Date(engines.clock()))
  )
    throw refuse('GONE', { message: 'That took too long. Please enter your password again.' });
  return account;
}

/** Whose wrong codes are counted together: those of each browser that is known there, and of strangers those of each network. */
async function whoTries(context: Context, { id, email }: Account): Promise<{ key: string; isKnown: boolean }> {
  const { engines, caller } = context;
  const browser = await knownBrowserOf(context, email);
  return browser === undefined
    ? { isKnown: false, key: hashKey(engines.keys, 'code', `${id} ${networkOf(caller.address)}`) }
    : { isKnown: true, key: hashKey(engines.keys, 'code_known', `${id} ${browser}`) };
}

/**
 * Six digits can be guessed by whoever has the password and very many networks, so strangers have so many tries an hour, all together.
 * The owner is closed out by none of it: their own browsers are no strangers, a backup code is not counted, and a new password
 * ends what strangers know and begins the count again.
 */
async function refuseGuessing({ engines, asSystem, now }: Context, { id, passwordHash }: Account): Promise<void> {
  const key = hashKey(engines.keys, 'code_strangers', `${id} ${passwordHash}`);
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, { key, now, ...strangersCodes }));
  if (isOver) throw refuse('RATE_LIMITED', { retryAfter: Math.ceil(retryAfterSeconds), message: guessedAt });
}

const guessedAt =
  'Too many codes were tried for this account. Use a backup code, sign in from a browser you have used before, or set a new password.';

/** A wrong code stands in the log of its account; after several its owner is told, once a day, because somebody has the password. */
async function noteWrongCode(
  context: Context,
  { id, email }: Account,
  { wrong, isLast }: { wrong: number; isLast: boolean },
): Promise<void> {
  const { engines, asSystem, now, requestId } = context;
  await asSystem(async (tx) => {
    const target = { type: 'user', id };
    await insertAudit(tx, {
      actor: { type: 'visitor' },
      action: 'session.code_refused',
      target,
      details: { wrong },
      requestId,
    });
    if (!isLast) return;
    const notified = hashKey(engines.keys, 'wrong_codes_told', id);
    if ((await takeRate(tx, { key: notified, limit: 1, windowSeconds: 86_400, now })).isOver) return;
    const message = wrongCodesEmail({ ...linksOf(context), tries: wrong });
    await queueEmail(tx, engines.jobs, { userId: id, to: email, now, ...message });
  });
}
