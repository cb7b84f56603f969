import { statement, type Tx } from '#engines/database/work.ts';

const freeAccessSet = statement('free_granted', 'update users set is_free_user = $2, free_until = $3 where id = $1');

/** Gives an account free access until a date (null: with no end date), or takes it away. */
export async function setFreeAccess(tx: Tx, userId: string, isFree: boolean, until: Date | null): Promise<void> {
  await tx.query(freeAccessSet, [userId, isFree, until]);
}

const suiteSet = statement(
  'suite_granted',
  `insert into user_entitlements (user_id, suite_user) values ($1, $2) on conflict (user_id) do update set suite_user = excluded.suite_user`,
);
const betaSet = statement(
  'beta_granted',
  `insert into user_entitlements (user_id, is_beta) values ($1, $2) on conflict (user_id) do update set is_beta = excluded.is_beta`,
);

/** Gives an account an entitlement beyond its plan, or takes it away. */
export async function setEntitlement(tx: Tx, userId: string, what: 'suite' | 'beta', isOn: boolean): Promise<void> {
  await tx.query(what === 'suite' ? suiteSet : betaSet, [userId, isOn]);
}
