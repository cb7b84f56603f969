import { statement, type Tx } from '#engines/database/work.ts';

const held = statement<{ id: string }>('admission_held', 'select id from link_viewers where id = $1 for no key update');

/** Holds an admission until the transaction ends: reports of one viewer come one after the other. */
export async function holdAdmission(tx: Tx, grantId: string): Promise<void> {
  await tx.ask(held, [grantId]);
}
