import { statement, type Tx } from '#engines/database/work.ts';

const unconfirmed = statement<{ id: string }>(
  'junk_accounts_unconfirmed',
  'select id from users where not email_verified and created_at < $1 order by id limit $2',
);

/** Lists accounts that were made before a moment and never confirmed. */
export const listUnconfirmed = async (tx: Tx, before: Date, limit: number): Promise<string[]> =>
  (await tx.query(unconfirmed, [before, limit])).map(({ id }) => id);

const left = statement<{ id: string }>(
  'junk_checks_left',
  'select id from full_checks where cleaned_at is null and ended_at is not null order by started_at limit 1000',
);

/** Lists full checks that have ended and of which something may be left. */
export const listLeftChecks = async (tx: Tx): Promise<string[]> => (await tx.query(left, [])).map(({ id }) => id);
