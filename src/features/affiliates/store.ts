import type { Tx } from '#engines/database/work.ts';

export interface NewApplication {
  id: string;
  email: string;
  name: string;
  audience: string;
  now: Date;
}

/** Keeps an application, beside those that came under the same address: who of them is its owner, nobody knows. */
export async function insertApplication(tx: Tx, application: NewApplication): Promise<void> {
  const { id, email, name, audience, now } = application;
  await tx.db.insertInto('affiliates').values({ id, email, name, audience, created_at: now }).execute();
}

export interface ListedApplication {
  email: string;
  name: string;
  audience: string;
  state: string;
  createdAt: Date;
}

/** The newest applications. */
export const listApplications = (tx: Tx, limit: number): Promise<ListedApplication[]> =>
  tx.db
    .selectFrom('affiliates')
    .select(['email', 'name', 'audience', 'state', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Forgets applications that nothing has come of. */
export async function forgetApplications(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('affiliates')
    .where('created_at', '<', before)
    .where('state', 'in', ['applied', 'rejected'])
    .execute();
}
