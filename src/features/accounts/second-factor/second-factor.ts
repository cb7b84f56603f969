import type { Tx } from '#engines/database/work.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import { hashKey, insertAudit } from '#features/audit/store.ts';
import type { EmailText } from '#features/notices/emails.ts';
import { backupCodesEmail, secondFactorOffEmail, secondFactorOnEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { confirmPassword, requireFreshCode } from '../confirm-password.ts';
import { takeTry } from '../limits.ts';
import { type Account, holdAccount } from '../store.ts';
import { hashBackupCode, newBackupCodes } from './backup-codes.ts';
import { codeFreshMs, isCodeFresh } from './code-rules.ts';
import { linksOf, notifyCodeUse } from './notify-codes.ts';
import {
  countBackupCodes,
  deleteAuthenticator,
  findCodeAt,
  hasAuthenticator,
  hasPasskey,
  hasSecondFactor,
  holdSecret,
  noteCode,
  replaceBackupCodes,
  setSecondFactor,
  writeSecret,
} from './second-factor-store.ts';
import { refuseCode, spendCode } from './spending-codes.ts';
import { describeSecret, newTotpSecret } from './totp.ts';

/** Returns how it stands with the second factor of whoever asks. */
export async function showSecondFactor({ asSystem, creator, engines }: CreatorContext) {
  const { isOn, isKeyed, isAsked, left, codeAt } = await asSystem(async (tx) => ({
    isOn: await hasAuthenticator(tx, creator.userId),
    isKeyed: await hasPasskey(tx, creator.userId),
    isAsked: await hasSecondFactor(tx, creator.userId),
    left: await countBackupCodes(tx, creator.userId),
    codeAt: await findCodeAt(tx, creator.sessionId),
  }));
  const isFresh = isAsked && isCodeFresh(codeAt, new Date(engines.clock()));
  const freshUntil = isFresh && codeAt !== null ? new Date(codeAt.getTime() + codeFreshMs) : null;
  return { isOn, hasPasskey: isKeyed, backupCodesLeft: isAsked ? left : 0, codeFreshUntil: freshUntil };
}

/**
 * Makes a secret for the authenticator app; nothing is asked for by it until its first code has come.
 * @throws CONFLICT when there is a second factor already
 */
export async function beginSecondFactor(context: CreatorContext, password: string) {
  const { engines, asSystem, creator } = context;
  const { userId } = creator;
  const forget = await confirmPassword(context, password, 'second_factor');
  const secret = newTotpSecret();
  const email = await asSystem(async (tx) => {
    await forget(tx);
    const account = await holdAccount(tx, userId);
    if (account === undefined || (await hasAuthenticator(tx, userId))) return undefined;
    const wrapped = wrapKey(engines.keys, userId, Buffer.from(secret));
    await writeSecret(tx, userId, wrapped, new Date(engines.clock()));
    return account.email;
  });
  if (email === undefined) throw refuse('CONFLICT', { message: alreadyOn });
  return describeSecret(secret, email);
}

const alreadyOn = 'Two-step sign-in is on already.';

/** The first code proves that the app has the secret: from now on codes are asked for. @returns the backup codes, once */
export async function turnOnSecondFactor(context: CreatorContext, code: string): Promise<{ backupCodes: string[] }> {
  const codes = newBackupCodes();
  await withCode(context, code, async (tx, account) => {
    if (await hasAuthenticator(tx, account.id)) throw refuse('CONFLICT', { message: alreadyOn });
    await setSecondFactor(tx, account.id, 'totp');
    await keepBackupCodes(context, tx, codes);
    await notify(context, tx, account, {
      action: 'second_factor.set_up',
      email: secondFactorOnEmail(linksOf(context)),
    });
  });
  return { backupCodes: codes };
}

/** Makes new backup codes; those of before work no more. */
export async function renewBackupCodes(
  context: CreatorContext,
  { password, code }: { password: string; code?: string | undefined },
): Promise<{ backupCodes: string[] }> {
  const codes = newBackupCodes();
  const forget = await confirmPassword(context, password, 'second_factor');
  const renew = async (tx: Tx, account: Account) => {
    await forget(tx);
    await requireOn(tx, account);
    await keepBackupCodes(context, tx, codes);
    await notify(context, tx, account, { action: 'backup_codes.made', email: backupCodesEmail(linksOf(context)) });
  };
  if (code !== undefined) await withCode(context, code, renew);
  else await withFreshCode(context, renew);
  return { backupCodes: codes };
}

/** Switches the second factor off. */
export async function removeSecondFactor(
  context: CreatorContext,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const forget = await confirmPassword(context, password, 'second_factor');
  await withCode(context, code, async (tx, account) => {
    await forget(tx);
    if (!(await hasAuthenticator(tx, account.id))) throw refuseOff();
    await deleteAuthenticator(tx, account.id);
    await notify(context, tx, account, {
      action: 'second_factor.removed',
      email: secondFactorOffEmail(linksOf(context)),
    });
  });
}

/** Takes a code for what asks for a fresh one. */
export const enterCode = (context: CreatorContext, code: string): Promise<void> => withCode(context, code, requireOn);

async function requireOn(tx: Tx, { id }: Account): Promise<void> {
  if (!(await hasSecondFactor(tx, id))) throw refuseOff();
}

const refuseOff = () => refuse('CONFLICT', { message: 'Two-step sign-in is off.' });

/** Keeps new backup codes of whoever is signed in; those before work no more. */
export const keepBackupCodes = (
  { engines, creator }: CreatorContext,
  tx: Tx,
  codes: readonly string[],
): Promise<void> => {
  const hashes = codes.map((code) => hashBackupCode(engines.keys, creator.userId, code)[0]);
  return replaceBackupCodes(tx, creator.userId, hashes, new Date(engines.clock()));
};

/**
 * Takes a code of whoever is signed in, and does in the same transaction what it is asked for; the session has a fresh code then.
 * @throws VALIDATION for a wrong one, RATE_LIMITED after several
 */
async function withCode(
  context: CreatorContext,
  code: string,
  run: (tx: Tx, account: Account) => Promise<void>,
): Promise<void> {
  const { engines, asSystem, creator } = context;
  const { userId, sessionId } = creator;
  const { forget } = await takeTry(context, hashKey(engines.keys, 'enter_code', userId));
  const isRight = await asSystem(async (tx) => {
    const account = await holdAccount(tx, userId);
    if (account === undefined) return false;
    const kind = await spendCode(engines, tx, userId, code);
    if (kind === undefined) return false;
    await forget(tx);
    await noteCode(tx, sessionId, new Date(engines.clock()));
    if (kind === 'backup') await notifyCodeUse(context, tx, account);
    await run(tx, account);
    return true;
  });
  if (!isRight) throw await nothingToProve(context);
}

/** The same for whoever has proven themselves lately, by a passkey. @throws CODE_REQUIRED */
async function withFreshCode(context: CreatorContext, run: (tx: Tx, account: Account) => Promise<void>): Promise<void> {
  await requireFreshCode(context);
  await context.asSystem(async (tx) => {
    const account = await holdAccount(tx, context.creator.userId);
    if (account !== undefined) await run(tx, account);
  });
}

/** A code that proves nothing: wrong, or nothing was begun that it could prove. */
async function nothingToProve({ asSystem, creator }: CreatorContext) {
  const isBegun = await asSystem(
    async (tx) => (await hasSecondFactor(tx, creator.userId)) || (await holdSecret(tx, creator.userId)) !== undefined,
  );
  return isBegun ? refuseCode() : refuse('CONFLICT', { message: 'Begin again with your password.' });
}

async function notify(
  { engines, creator, now, requestId }: CreatorContext,
  tx: Tx,
  { id, email: to }: Account,
  { action, email }: { action: string; email: EmailText },
): Promise<void> {
  await insertAudit(tx, { actor: { type: creator.kind, id }, action, requestId });
  await queueEmail(tx, engines.jobs, { userId: id, to, now, ...email });
}
