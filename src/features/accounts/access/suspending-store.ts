import { statement, type Tx } from '#engines/database/work.ts';

const suspended = statement<{ id: string }>(
  'account_suspended',
  `update users set status = 'suspended' where id = $1 and status in ('pending', 'active', 'limited') returning id`,
);
const unsuspended = statement<{ id: string }>(
  'account_unsuspended',
  `update users set status = case when setup_step = 'done' then 'active' else 'pending' end where id = $1 and status = 'suspended' returning id`,
);

/** @returns false when there is nothing to suspend, or to take back */
export const setSuspended = async (tx: Tx, userId: string, isSuspended: boolean): Promise<boolean> =>
  (await tx.query(isSuspended ? suspended : unsuspended, [userId])).length === 1;
