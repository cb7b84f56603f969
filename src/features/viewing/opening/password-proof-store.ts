import { statement, type Tx } from '#engines/database/work.ts';
import type { NetworkTries } from './password-store.ts';

type Source = Pick<Tx, 'query'>;

/** One browser at the password of one link. */
export interface ProofOf {
  linkId: string;
  secretHash: Buffer;
}

/** Where a browser stands that has to prove an address. */
export interface ProofState {
  /** Its network has guessed. */
  isNeeded: boolean;
  /** An emailed code still counts. */
  isSent: boolean;
  /** An address was proven, and the proof is worth another try. */
  isProven: boolean;
}

const state = statement<ProofState>(
  'password_proof_state',
  `select exists (select from password_tries q where q.link_id = $1 and q.network = $3 and q.password_version = $4
    and q.free_at > $5 and q.wrong >= $6) as "isNeeded",
  coalesce((select p.proven_at is null and p.sent_at > $7 and p.code_tries > 0
    from password_proofs p where p.link_id = $1 and p.secret_hash = $2), false) as "isSent",
  coalesce((select p.proven_at > $5 and p.tries_left > 0
    from password_proofs p where p.link_id = $1 and p.secret_hash = $2), false) as "isProven"`,
);

/** @param since when wrong passwords and proofs begin to count, and when a code must have been sent at the earliest */
export async function findProofState(
  source: Source,
  { linkId, secretHash }: ProofOf,
  { network, version, freeTries }: Pick<NetworkTries, 'network' | 'version'> & { freeTries: number },
  since: { day: Date; code: Date },
): Promise<ProofState> {
  const [row] = await source.query(state, [linkId, secretHash, network, version, since.day, freeTries, since.code]);
  return row ?? { isNeeded: false, isSent: false, isProven: false };
}

const sent = statement(
  'password_proof_sent',
  `insert into password_proofs (link_id, secret_hash, code_hash, code_tries, sent_at, tries_left) values ($1, $2, $3, $4, $5, 0)
on conflict (link_id, secret_hash) do update
  set code_hash = excluded.code_hash, code_tries = excluded.code_tries, sent_at = excluded.sent_at, proven_at = null, tries_left = 0`,
);

/** An emailed code takes the place of the one before. */
export async function keepProofCode(
  source: Source,
  { linkId, secretHash }: ProofOf,
  { codeHash, tries, now }: { codeHash: string; tries: number; now: Date },
): Promise<void> {
  await source.query(sent, [linkId, secretHash, codeHash, tries, now]);
}

// One statement takes the try and looks at the code, so that many at once are no more tries than one after the other.
const tried = statement<{ isRight: boolean; triesLeft: number }>(
  'password_proof_tried',
  `update password_proofs set code_tries = code_tries - 1,
  proven_at = case when code_hash = $3 then $5::timestamptz end, tries_left = case when code_hash = $3 then $6::integer else 0 end
where link_id = $1 and secret_hash = $2 and proven_at is null and sent_at > $4 and code_tries > 0
returning proven_at is not null as "isRight", code_tries as "triesLeft"`,
);

/** Tries a code. @returns undefined when there is none that still counts */
export async function tryProofCode(
  source: Source,
  { linkId, secretHash }: ProofOf,
  { codeHash, since, now, worth }: { codeHash: string; since: Date; now: Date; worth: number },
): Promise<{ isRight: boolean; triesLeft: number } | undefined> {
  return (await source.query(tried, [linkId, secretHash, codeHash, since, now, worth]))[0];
}

const used = statement(
  'password_proof_used',
  'update password_proofs set tries_left = tries_left - 1 where link_id = $1 and secret_hash = $2 and tries_left > 0',
);

/** A password was tried with a proof. */
export async function spendProof(source: Source, { linkId, secretHash }: ProofOf): Promise<void> {
  await source.query(used, [linkId, secretHash]);
}

const old = statement('password_proofs_forgotten', 'delete from password_proofs where sent_at < $1');

/** Forgets what was sent before a moment. */
export async function sweepPasswordProofs(source: Source, before: Date): Promise<void> {
  await source.query(old, [before]);
}
