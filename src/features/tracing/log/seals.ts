import { createHash } from 'node:crypto';

/** A row of the codeword log: one codeword that was fixed before anybody was shown anything. */
export interface CommitmentRow {
  seq: number;
  at: Date;
  kind: 'grant' | 'link';
  id: string;
  commitment: Buffer;
}

/** A seal over some rows of one creator; each holds the one before it, so that no row can be changed or put between. */
export interface Seal {
  n: number;
  rowsHash: Buffer;
  hash: Buffer;
}

/** What the chain of a creator begins with. */
export const firstHash: Buffer = Buffer.alloc(32);

/** The rows of one seal, in the order of their numbers, as one hash. */
export function hashRows(rows: readonly CommitmentRow[]): Buffer {
  const hash = createHash('sha256').update('pf1:rows');
  for (const { seq, at, kind, id, commitment } of rows.toSorted((a, b) => a.seq - b.seq)) {
    const numbers = Buffer.alloc(16);
    numbers.writeBigUInt64BE(BigInt(seq));
    numbers.writeBigUInt64BE(BigInt(at.getTime()), 8);
    hash.update(numbers).update(kind).update(id).update(commitment);
  }
  return hash.digest();
}

/** The hash of the seal `n` of a creator over rows that come to `rowsHash`. */
export function hashSeal(creatorId: string, n: number, previous: Buffer, rowsHash: Buffer): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(n);
  return createHash('sha256')
    .update('pf1:seal')
    .update(creatorId)
    .update(number)
    .update(previous)
    .update(rowsHash)
    .digest();
}

/** Seals rows behind a creator's newest seal. */
export function sealRows(
  creatorId: string,
  newest: Pick<Seal, 'n' | 'hash'> | undefined,
  rows: readonly CommitmentRow[],
): Seal {
  const n = (newest?.n ?? 0) + 1;
  const rowsHash = hashRows(rows);
  return { n, rowsHash, hash: hashSeal(creatorId, n, newest?.hash ?? firstHash, rowsHash) };
}
