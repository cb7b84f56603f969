import { createHmac, randomInt } from 'node:crypto';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';
import { backupCodeCount } from '../rules.ts';
import { backupCodeLength } from './code-rules.ts';

/** Without what is mistaken for something else: 0 and o, 1, i and l. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

const newBackupCode = (): string =>
  Array.from({ length: backupCodeLength }, () => letters[randomInt(letters.length)]).join('');

/** Ten new codes, each of 49 random bits. */
export const newBackupCodes = (): string[] => Array.from({ length: backupCodeCount }, newBackupCode);

/**
 * Hashes a code under each master key, the newest first: what was stored before a rotation is still found. Without our key the
 * stored hashes could be tried out.
 */
export const hashBackupCode = (keys: KeyRing, userId: string, code: string): [newest: Buffer, ...older: Buffer[]] =>
  serverKeys(keys, 'pf1:backup-code').map((key) => createHmac('sha256', key).update(`${userId}:${code}`).digest()) as [
    Buffer,
    ...Buffer[],
  ];
