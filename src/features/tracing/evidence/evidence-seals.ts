import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { type CommitmentRow, firstHash } from '../log/seals.ts';
import { listCommitments, listNewestSeals, listRowsOfSeals, listSealsFrom } from '../log/seals-store.ts';
import type { UnsignedEvidence } from './evidence-file.ts';

const writeRow = ({ seq, at, kind, id, commitment }: CommitmentRow) => ({
  seq,
  at: at.toISOString(),
  kind,
  id,
  commitment: commitment.toString('hex'),
});

/** The log rows of those that are named, the seals that hold them, and the chain from there on. */
export async function gatherSeals(
  tx: Tx,
  { keys }: Engines,
  creatorId: string,
  { ids, opened }: { ids: readonly string[]; opened: readonly string[] },
): Promise<Pick<UnsignedEvidence, 'commitments' | 'seals'> & { cut: number }> {
  const traceKey = opened.length > 0 ? await ensureTraceKey(tx, keys, creatorId) : undefined;
  const seedOf = ({ kind, id }: CommitmentRow) =>
    traceKey === undefined || !opened.includes(id)
      ? null
      : (kind === 'link' ? linkSeed : grantSeed)(traceKey, id).toString('hex');
  const commitments = await listCommitments(tx, creatorId, ids);
  const ns = [...new Set(commitments.flatMap(({ sealN }) => sealN ?? []))];
  const chain = ns.length > 0 ? await listSealsFrom(tx, creatorId, ns) : [];
  const rows = ns.length > 0 ? await listRowsOfSeals(tx, creatorId, ns) : [];
  const newest = (await listNewestSeals(tx, [creatorId]))[0]?.n ?? 0;
  return {
    cut: newest - (chain.at(-1)?.n ?? newest),
    commitments: commitments.map((commitment) => ({
      ...writeRow(commitment),
      sealN: commitment.sealN,
      sealedAt: commitment.sealedAt?.toISOString() ?? null,
      seed: seedOf(commitment),
    })),
    seals: chain.map(({ n, at, previous, rowsHash, hash }) => ({
      n,
      at: at.toISOString(),
      previous: (previous ?? firstHash).toString('hex'),
      rowsHash: rowsHash.toString('hex'),
      hash: hash.toString('hex'),
      rows: ns.includes(n) ? rows.filter(({ sealN }) => sealN === n).map(writeRow) : null,
    })),
  };
}
