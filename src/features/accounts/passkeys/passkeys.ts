import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { passkeyAddedEmail, passkeyRemovedEmail } from '#features/notices/sign-in-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { confirmPassword, requireFreshCode, requireFreshCodeIfOn } from '../confirm-password.ts';
import { newBackupCodes } from '../second-factor/backup-codes.ts';
import { linksOf } from '../second-factor/notify-codes.ts';
import { keepBackupCodes } from '../second-factor/second-factor.ts';
import {
  hasSecondFactor,
  noteCode,
  setSecondFactor,
  settleWithoutPasskey,
} from '../second-factor/second-factor-store.ts';
import { holdAccount } from '../store.ts';
import { makePasskeyChallenge, readPasskeyChallenge } from './passkey-challenge.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  type StoredPasskey,
  takeAnswer,
} from './passkey-store.ts';
import type { NewCredential, Passkey, UsedCredential } from './passkeys-contract.ts';
import { readCounter, readNewKey, rpIdOf } from './webauthn.ts';

/** So many passkeys an account may have. */
const passkeysMax = 20;

/** Answers to these challenges are good for one thing, in one session. */
const addingBy = ({ userId, sessionId }: CreatorContext['creator']) => `add ${userId} ${sessionId}`;
const enteringBy = ({ sessionId }: CreatorContext['creator']) => `enter ${sessionId}`;

/** Returns a person's passkeys. */
export async function showPasskeys({ asSystem, creator }: CreatorContext): Promise<{ passkeys: Passkey[] }> {
  const found = await asSystem((tx) => listPasskeys(tx, creator.userId, passkeysMax));
  return { passkeys: found.map(({ credentialId: _, ...passkey }) => passkey) };
}

/**
 * Asks for a new passkey, by the password and, where there is a second factor, a fresh code of it.
 * @throws CONFLICT when there are very many
 */
export async function beginPasskey(context: CreatorContext, password: string) {
  const { engines, asSystem, creator } = context;
  const forget = await confirmPassword(context, password, 'second_factor');
  await requireFreshCodeIfOn(context);
  const { known, email } = await asSystem(async (tx) => {
    await forget(tx);
    const account = await holdAccount(tx, creator.userId);
    return { known: await listPasskeys(tx, creator.userId, passkeysMax), email: account?.email ?? '' };
  });
  if (known.length >= passkeysMax)
    throw refuse('CONFLICT', { message: `There are ${passkeysMax} passkeys already. Remove one first.` });
  return {
    challenge: makePasskeyChallenge(engines.keys, addingBy(creator), new Date(engines.clock())),
    rpId: rpIdOf(engines),
    credentialIds: known.map(({ credentialId }) => credentialId),
    userHandle: Buffer.from(creator.userId.replaceAll('-', ''), 'hex').toString('base64url'),
    email,
  };
}

/**
 * Keeps a new passkey.
 * @param name until its owner gives it another one
 * @returns backup codes where it is the first second factor of the account
 */
export async function addPasskey(
  context: CreatorContext,
  credential: NewCredential,
  name: string,
): Promise<{ backupCodes: string[] }> {
  const { engines, asSystem, creator } = context;
  const now = new Date(engines.clock());
  let challengeAt: Date | undefined;
  const key = await readNewKey(engines, credential, (challenge) => {
    challengeAt = readPasskeyChallenge(engines.keys, addingBy(creator), challenge, now);
    return challengeAt !== undefined;
  });
  if (key === undefined || challengeAt === undefined) throw refuseAnswer();
  const passkey = { id: newId<'passkey'>(now.getTime()), userId: creator.userId, ...key };
  const row = { name, challengeAt, now };
  const codes = newBackupCodes();
  return asSystem(async (tx) => {
    await holdAccount(tx, creator.userId);
    if ((await listPasskeys(tx, creator.userId, passkeysMax)).length >= passkeysMax) throw refuse('CONFLICT');
    if (!(await insertPasskey(tx, passkey, row)))
      throw refuse('CONFLICT', { message: 'This passkey is known already.' });
    await notifyOwner(context, tx, 'passkey.added', name);
    if (await hasSecondFactor(tx, creator.userId)) return { backupCodes: [] };
    await setSecondFactor(tx, creator.userId, 'passkey');
    await keepBackupCodes(context, tx, codes);
    // Whoever added it has just proven who they are.
    await noteCode(tx, creator.sessionId, now);
    return { backupCodes: codes };
  });
}

/** @throws NOT_FOUND, also for somebody else's */
export async function nameOwnPasskey(
  { asSystem, creator }: CreatorContext,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<void> {
  if (!(await asSystem((tx) => renamePasskey(tx, creator.userId, passkeyId, name)))) throw refuse('NOT_FOUND');
}

/** Removes a passkey, by the password and a fresh code. @throws NOT_FOUND, also for somebody else's */
export async function removePasskey(
  context: CreatorContext,
  { passkeyId, password }: { passkeyId: string; password: string },
): Promise<void> {
  const { asSystem, creator } = context;
  const isOwn = await asSystem(async (tx) =>
    (await listPasskeys(tx, creator.userId, passkeysMax)).some(({ id }) => id === passkeyId),
  );
  if (!isOwn) throw refuse('NOT_FOUND');
  const forget = await confirmPassword(context, password, 'second_factor');
  await requireFreshCode(context);
  await asSystem(async (tx) => {
    await forget(tx);
    await holdAccount(tx, creator.userId);
    const name = await deletePasskey(tx, creator.userId, passkeyId);
    if (name === undefined) return;
    await settleWithoutPasskey(tx, creator.userId);
    await notifyOwner(context, tx, 'passkey.removed', name);
  });
}

async function notifyOwner(
  context: CreatorContext,
  tx: Tx,
  action: 'passkey.added' | 'passkey.removed',
  name: string,
): Promise<void> {
  const { engines, creator, now, requestId } = context;
  const { userId } = creator;
  await insertAudit(tx, { actor: { type: creator.kind, id: userId }, action, requestId });
  const { email: to } = (await holdAccount(tx, userId)) ?? {};
  if (to === undefined) return;
  const about = { ...linksOf(context), name };
  const message = action === 'passkey.added' ? passkeyAddedEmail(about) : passkeyRemovedEmail(about);
  await queueEmail(tx, engines.jobs, { userId, to, now, ...message });
}

/** Asks for one of the own passkeys. @throws CONFLICT when there is none */
export async function beginEnter({ engines, asSystem, creator }: CreatorContext) {
  const known = await asSystem((tx) => listPasskeys(tx, creator.userId, passkeysMax));
  if (known.length === 0) throw refuse('CONFLICT', { message: 'There is no passkey on your account.' });
  return {
    challenge: makePasskeyChallenge(engines.keys, enteringBy(creator), new Date(engines.clock())),
    rpId: rpIdOf(engines),
    credentialIds: known.map(({ credentialId }) => credentialId),
  };
}

/** Takes a passkey for what asks for a fresh code. @throws GONE, whatever is wrong with it */
export async function enterPasskey(context: CreatorContext, credential: UsedCredential): Promise<void> {
  const { engines, asSystem, creator } = context;
  const answer = await readAnswer(context, enteringBy(creator), credential);
  const isTaken = await asSystem(async (tx) => {
    if (answer.passkey.userId !== creator.userId) return false;
    if (!(await takeAnswer(tx, answer.passkey.id, answer))) return false;
    await noteCode(tx, creator.sessionId, new Date(engines.clock()));
    return true;
  });
  if (!isTaken) throw refuseAnswer();
}

export interface Answer {
  passkey: StoredPasskey;
  counter: number;
  challengeAt: Date;
  now: Date;
}

/**
 * Returns what a passkey has answered; it is taken in the transaction that follows from it (`takeAnswer`).
 * @throws GONE, whatever is wrong with it
 */
export async function readAnswer(
  { engines, asSystem }: Context,
  purpose: string,
  credential: UsedCredential,
): Promise<Answer> {
  const now = new Date(engines.clock());
  const passkey = await asSystem((tx) => findPasskey(tx, credential.id));
  if (passkey === undefined)
    throw refuse('GONE', { message: 'This passkey isn’t on any account here. Use another way to sign in.' });
  let challengeAt: Date | undefined;
  const counter = await readCounter(engines, credential, passkey, (challenge) => {
    challengeAt = readPasskeyChallenge(engines.keys, purpose, challenge, now);
    return challengeAt !== undefined;
  });
  if (counter === undefined || challengeAt === undefined) throw refuseAnswer();
  return { passkey, counter, challengeAt, now };
}

/** The refusal of an answer that counts for nothing. */
export const refuseAnswer = () => refuse('GONE', { message: 'That took too long, or didn’t work. Please try again.' });
