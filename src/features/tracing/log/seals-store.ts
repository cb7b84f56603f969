import { createHash } from 'node:crypto';
import { statement, type Tx } from '#engines/database/work.ts';
import type { CommitmentRow, Seal } from './seals.ts';

type OwnedRow = CommitmentRow & { creatorId: string };

/** So many rows later every transaction that took a number before has ended. */
const lateRows = 10_000;
const atOnce = 20_000;

const rowColumns = `l.creator_id as "creatorId", l.seq::float8 as seq, l.at, case when l.grant_id is null then 'link' else 'grant' end as kind,
  coalesce(l.grant_id, l.link_id) as id, l.commitment`;

// Numbers are given out before their transactions end, so a row may come into sight after later ones were sealed.
const unsealed = statement<OwnedRow>(
  'codewords_unsealed',
  `with floor as (select coalesce(max(last_seq), 0) - ${lateRows} as seq from codeword_seals),
sealed as (select unnest(seqs) as seq from codeword_seals where last_seq > (select seq from floor))
select ${rowColumns} from codeword_log l
where l.seq > (select seq from floor) and not exists (select from sealed s where s.seq = l.seq)
order by l.seq limit ${atOnce}`,
);

/** Codewords that no seal names yet, of every creator, first fixed first. */
export const listUnsealed = (tx: Tx): Promise<OwnedRow[]> => tx.query(unsealed, []);

const sealTurn = statement<{ isMine: boolean }>(
  'codeword_seal_turn',
  `select pg_try_advisory_xact_lock(hashtext('codeword_seals')) as "isMine"`,
);

/** Takes the turn to seal; false while another process has it. */
export async function takeSealTurn(tx: Tx): Promise<boolean> {
  return (await tx.query(sealTurn, []))[0]?.isMine === true;
}

const newestSeals = statement<{ creatorId: string; n: number; hash: Buffer }>(
  'codeword_seals_newest',
  `select distinct on (creator_id) creator_id as "creatorId", n, hash from codeword_seals
where $1::uuid[] is null or creator_id = any($1) order by creator_id, n desc`,
);

/** The newest seal of each of these creators; of all of them without a list. */
export const listNewestSeals = (tx: Tx, creatorIds: readonly string[] | null) => tx.query(newestSeals, [creatorIds]);

const sealAdded = statement(
  'codeword_seal_added',
  `insert into codeword_seals (creator_id, n, last_seq, hash, at, seqs, rows_hash) values ($1, $2, $3, $4, $5, $6::bigint[], $7)`,
);

/** Adds the next seal of a creator. */
export async function insertSeal(
  tx: Tx,
  { creatorId, seal, rows, now }: { creatorId: string; seal: Seal; rows: readonly CommitmentRow[]; now: Date },
): Promise<void> {
  const seqs = rows.map(({ seq }) => seq).toSorted((a, b) => a - b);
  await tx.query(sealAdded, [creatorId, seal.n, seqs.at(-1), seal.hash, now, seqs, seal.rowsHash]);
}

const commitmentsOf = statement<CommitmentRow & { sealN: number | null; sealedAt: Date | null }>(
  'codeword_commitments',
  `select ${rowColumns}, s.n as "sealN", s.at as "sealedAt" from codeword_log l
left join codeword_seals s on s.creator_id = l.creator_id and l.seq = any(s.seqs)
where l.creator_id = $1 and (l.grant_id = any($2::uuid[]) or l.link_id = any($2::uuid[])) order by l.seq`,
);

/** Rows of the codeword log of some links and grants, each with the seal that names it. */
export const listCommitments = (tx: Tx, creatorId: string, ids: readonly string[]) =>
  tx.query(commitmentsOf, [creatorId, ids]);

const sealsFrom = statement<Seal & { at: Date; previous: Buffer | null }>(
  'codeword_seals_from',
  `select * from (select n, at, rows_hash as "rowsHash", hash, lag(hash) over (order by n) as previous from codeword_seals
  where creator_id = $1 and n between $2::int - 1 and greatest($3::int, $2::int + 9999)) s where n >= $2 order by n`,
);

/** The chain of a creator over some seals and on, as far as 10,000 reach. */
export const listSealsFrom = (tx: Tx, creatorId: string, ns: readonly number[]) =>
  tx.query(sealsFrom, [creatorId, Math.min(...ns), Math.max(...ns)]);

const rowsOfSeals = statement<CommitmentRow & { sealN: number }>(
  'codeword_rows_of_seals',
  `select ${rowColumns}, s.n as "sealN" from codeword_seals s join codeword_log l on l.seq = any(s.seqs)
where s.creator_id = $1 and s.n = any($2::int[]) order by l.seq`,
);

/** All rows that some seals of a creator name. */
export const listRowsOfSeals = (tx: Tx, creatorId: string, ns: readonly number[]) =>
  tx.query(rowsOfSeals, [creatorId, ns]);

/** The newest seals of everybody as one hash, which the audit log keeps. */
export async function hashAllSeals(tx: Tx): Promise<{ creators: number; hash: string }> {
  const seals = await listNewestSeals(tx, null);
  const hash = createHash('sha256').update('pf1:anchor');
  for (const { creatorId, n, hash: newest } of seals) hash.update(`${creatorId} ${n} `).update(newest);
  return { creators: seals.length, hash: hash.digest('hex') };
}
