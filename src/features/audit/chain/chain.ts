import { createHash } from 'node:crypto';

/** A seal over some entries of the audit log. */
export interface AuditSeal {
  /** From 1 on, without a gap. */
  n: number;
  /** First day of the month that all its entries are of. */
  month: string;
  /** Which entries, as PostgreSQL writes ranges. */
  ids: string;
  rowsHash: Buffer;
  hash: Buffer;
}

/** What the chain begins with. */
export const firstHash: Buffer = Buffer.alloc(32);

/** Returns the hash of a seal, which holds the one before it. */
export function hashSeal({ n, month, ids, rowsHash }: Omit<AuditSeal, 'hash'>, previous: Buffer): Buffer {
  return createHash('sha256')
    .update('pf1:audit\0')
    .update(`${n}\0${month}\0${ids}\0`)
    .update(rowsHash)
    .update(previous)
    .digest();
}

/** A seal beside what is found of its entries now. */
export interface SealedEntries extends AuditSeal {
  /** How many entries it is over. */
  entries: number;
  foundEntries: number;
  foundHash: Buffer;
  /** Its month may be forgotten by now. */
  isOld: boolean;
}

/** Returns what is wrong with a seal or its entries, in words; undefined when nothing is. */
export function findFault(seal: SealedEntries, previous: { n: number; hash: Buffer }): string | undefined {
  const { n, month, entries, foundEntries, rowsHash, foundHash, isOld } = seal;
  if (n !== previous.n + 1) return `Seal ${previous.n + 1} is missing.`;
  if (!hashSeal(seal, previous.hash).equals(seal.hash))
    return `Seal ${n} was changed, or does not follow the one before it.`;
  if (isOld && foundEntries === 0) return undefined;
  if (foundEntries < entries)
    return `Of the ${entries} entries under seal ${n} (${month.slice(0, 7)}), ${entries - foundEntries} are missing.`;
  if (foundEntries > entries || !foundHash.equals(rowsHash))
    return `An entry under seal ${n} (${month.slice(0, 7)}, ids ${seal.ids.slice(0, 60)}) was changed.`;
  return undefined;
}
