import { statement, type Tx } from '#engines/database/work.ts';

const named = statement<{ id: string; email: string }>(
  'pausers',
  'select id, email from users where id = any($1::uuid[])',
);

/** Finds the addresses of administrators. */
export async function findEmails(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await tx.query(named, [ids])).map(({ id, email }) => [id, email]));
}
