import type { Tx } from '#engines/database/work.ts';
import type { Confirmation } from './claims.ts';

/** What the operator has confirmed, ended ones too. */
export async function listConfirmations(tx: Tx): Promise<Confirmation[]> {
  return tx.asSystem(({ db }) =>
    db
      .selectFrom('claims')
      .select(['key', 'source', 'checked_at as checkedAt', 'expires_at as expiresAt'])
      .limit(1000)
      .execute(),
  );
}

/** Lists who of the desk stands up for which claim, by address; those of the command line are left out. */
export const listCheckers = (tx: Tx): Promise<{ key: string; email: string }[]> =>
  tx.db
    .selectFrom('claims as c')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'c.checked_by').on('u.status', '<>', 'deleted'))
    .select(['c.key', 'u.email'])
    .limit(1000)
    .execute();

/** Writes down that somebody stands up for a claim; the pages show it from the next request on. */
export async function confirmClaim(
  tx: Tx,
  { key, source, checkedAt, checkedBy, expiresAt }: Confirmation & { checkedBy: string | null },
): Promise<void> {
  const row = { source, checked_at: checkedAt, checked_by: checkedBy, expires_at: expiresAt };
  await tx.asSystem(async ({ db, publish }) => {
    await db
      .insertInto('claims')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    await publish({ kind: 'settings' });
  });
}

/** @returns whether it had been confirmed */
export async function withdrawClaim(tx: Tx, key: string): Promise<boolean> {
  return tx.asSystem(async ({ db, publish }) => {
    const { numDeletedRows } = await db.deleteFrom('claims').where('key', '=', key).executeTakeFirst();
    await publish({ kind: 'settings' });
    return numDeletedRows > 0n;
  });
}
