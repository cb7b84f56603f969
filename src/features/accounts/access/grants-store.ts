import { statement, type Tx } from '#engines/database/work.ts';

const free = statement('free_granted', 'update users set is_free_user = $2, free_until = $3 where id = $1');

/** Makes an account free, for ever with null, or not any more. */
export async function setFree(tx: Tx, userId: string, isFree: boolean, until: Date | null): Promise<void> {
  await tx.query(free, [userId, isFree, until]);
}

const suite = statement(
  'suite_granted',
  `insert into user_entitlements (user_id, suite_user) values ($1, $2) on conflict (user_id) do update set suite_user = excluded.suite_user`,
);
const beta = statement(
  'beta_granted',
  `insert into user_entitlements (user_id, is_beta) values ($1, $2) on conflict (user_id) do update set is_beta = excluded.is_beta`,
);

/** What an account may use beyond its plan. */
export async function setEntitlement(tx: Tx, userId: string, what: 'suite' | 'beta', isOn: boolean): Promise<void> {
  await tx.query(what === 'suite' ? suite : beta, [userId, isOn]);
}
