import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { refuse } from '#wire/refusals.ts';
import { hashBackupCode } from './backup-codes.ts';
import { kindOfCode } from './code-rules.ts';
import { holdSecret, spendBackupCode, takeStep } from './second-factor-store.ts';
import { findStep } from './totp.ts';

/**
 * Takes a code, of the app or a backup code; each counts once.
 * @param code cleaned
 * @returns of which kind it was; undefined when it is wrong
 */
export async function spendCode(
  { keys, clock }: Pick<Engines, 'keys' | 'clock'>,
  tx: Tx,
  userId: string,
  code: string,
): Promise<'totp' | 'backup' | undefined> {
  const now = new Date(clock());
  // Held for a backup code too, so that nothing is switched off meanwhile.
  const stored = await holdSecret(tx, userId);
  const kind = kindOfCode(code);
  if (kind === 'backup')
    return (await spendBackupCode(tx, userId, hashBackupCode(keys, userId, code), now)) ? 'backup' : undefined;
  if (stored === undefined || kind === undefined) return undefined;
  const secret = unwrapKey(keys, userId, stored).toString();
  const step = await findStep(secret, code, now, stored.lastStep);
  if (step === undefined) return undefined;
  await takeStep(tx, userId, step);
  return 'totp';
}

/** The refusal of a wrong code, for its field. */
export const refuseCode = () =>
  refuse('VALIDATION', { field: 'code', message: "That code isn't right, or has been used. Try the next one." });
