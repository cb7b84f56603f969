import { createHash } from 'node:crypto';
import { dayMs } from '#kit/time.ts';

/** A key that was destroyed, by what cannot open anything. */
export interface DestroyedKey {
  kind: 'creator' | 'medium' | 'trace' | 'export' | 'second_factor';
  /** What it was the key of. */
  id: string;
  /** Which master key had wrapped it. */
  masterKey: string;
  /** SHA-256 of the wrapped key. */
  sha256: string;
}

/** What is kept of an erasure, without a name. */
export interface Certificate {
  version: 1;
  askedAt: string;
  keysDestroyedAt: string;
  keys: readonly DestroyedKey[];
  /** SHA-256 over one line for each key: kind, id, master key and hash, parted by a space. */
  keyHash: string;
  /** The day on which the last backup that holds the wrapped keys expires. */
  backupsExpireOn: string;
  /** How many files were removed; added when they are. */
  files?: number;
}

const lineOf = ({ kind, id, masterKey, sha256 }: DestroyedKey) => `${kind} ${id} ${masterKey} ${sha256}\n`;

/** Writes the certificate of keys that were just destroyed. @param keptDays how long a backup is kept at most */
export const certify = (
  keys: readonly DestroyedKey[],
  { askedAt, now, keptDays }: { askedAt: Date; now: Date; keptDays: number },
): Certificate => ({
  version: 1,
  askedAt: askedAt.toISOString(),
  keysDestroyedAt: now.toISOString(),
  keys,
  keyHash: createHash('sha256').update(keys.map(lineOf).join('')).digest('hex'),
  backupsExpireOn: new Date(now.getTime() + keptDays * dayMs).toISOString().slice(0, 10),
});
