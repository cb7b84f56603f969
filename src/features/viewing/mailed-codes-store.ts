import { statement, type Tx } from '#engines/database/work.ts';

/** A code as it is kept, for one browser and one subject. */
export interface NewCode {
  id: string;
  /** What it is for: a row of the table that the codes of this kind refer to, or a word. */
  subjectId: string;
  browserHash: Buffer;
  email: string;
  codeHash: Buffer;
  now: Date;
  expiresAt: Date;
}

export interface TriedCode {
  id: string;
  email: string;
  codeHash: Buffer;
  tries: number;
}

/** Where the mailed codes of one kind are kept. */
export interface MailedCodes {
  /** Begins what is hashed with a code, so that a hash of one kind fits no other. */
  kind: string;
  /** Keeps the hash of a mailed code; of one browser and subject the newest counts. */
  keep(tx: Tx, code: NewCode): Promise<void>;
  /** Counts a try of this browser's code. @returns nothing when there is none, it is over, or it was tried too often */
  try(
    tx: Tx,
    tried: { subjectId: string; browserHash: Buffer; now: Date; most: number },
  ): Promise<TriedCode | undefined>;
  /** Returns whether this browser has a code that can still be tried. */
  isWaiting(
    source: Pick<Tx, 'query'>,
    waiting: { subjectId: string; browserHash: Buffer; now: Date; most: number },
  ): Promise<boolean>;
  /** Uses up a code, which works once. @returns false when another call was quicker with it */
  spend(tx: Tx, id: string): Promise<boolean>;
  /** Deletes codes that are over. */
  sweep(source: Pick<Tx, 'query'>, now: Date): Promise<void>;
}

interface Kind {
  kind: string;
  table: 'pass_codes' | 'request_codes' | 'gate_codes' | 'data_codes';
  /** The column that says what a code is for. */
  subject: 'token_id' | 'creator_id' | 'link_id' | 'act';
}

const textsOf = ({ table, subject }: Kind) => ({
  keep: `insert into ${table} (id, ${subject}, browser_hash, email, code_hash, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (${subject}, browser_hash) do update set id = excluded.id, email = excluded.email, code_hash = excluded.code_hash, tries = 0,
  created_at = excluded.created_at, expires_at = excluded.expires_at`,
  try: `update ${table} set tries = tries + 1 where ${subject} = $1 and browser_hash = $2 and expires_at > $3 and tries < $4
returning id, email, code_hash as "codeHash", tries`,
  waiting: `select from ${table} where ${subject} = $1 and browser_hash = $2 and expires_at > $3 and tries < $4`,
  spend: `delete from ${table} where id = $1 returning id`,
  sweep: `delete from ${table} where expires_at < $1`,
});

/** The store of one kind of codes. Call it once for each kind, while the app starts. */
export function openMailedCodes(of: Kind): MailedCodes {
  const texts = textsOf(of);
  const kept = statement(`${of.kind}_code_kept`, texts.keep);
  const tried = statement<TriedCode>(`${of.kind}_code_tried`, texts.try);
  const waiting = statement(`${of.kind}_code_waiting`, texts.waiting);
  const spent = statement<{ id: string }>(`${of.kind}_code_spent`, texts.spend);
  const swept = statement(`${of.kind}_codes_swept`, texts.sweep);
  return {
    kind: of.kind,
    async keep(tx, { id, subjectId, browserHash, email, codeHash, now, expiresAt }) {
      await tx.query(kept, [id, subjectId, browserHash, email, codeHash, now, expiresAt]);
    },
    async try(tx, { subjectId, browserHash, now, most }) {
      return (await tx.query(tried, [subjectId, browserHash, now, most]))[0];
    },
    async isWaiting(source, { subjectId, browserHash, now, most }) {
      return (await source.query(waiting, [subjectId, browserHash, now, most])).length === 1;
    },
    async spend(tx, id) {
      return (await tx.query(spent, [id])).length === 1;
    },
    async sweep(source, now) {
      await source.query(swept, [now]);
    },
  };
}
