import type { Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';

export type LinkAct = 'revoked' | 'revived' | 'shared';

/** Writes down what a creator did to links, for their timelines. */
export async function insertActs(
  tx: Tx,
  { linkIds, creatorId, act, now }: { linkIds: readonly string[]; creatorId: string; act: LinkAct; now: Date },
): Promise<void> {
  const rows = linkIds.map((link_id) => ({ id: newId(now.getTime()), link_id, user_id: creatorId, act, at: now }));
  await tx.db.insertInto('link_acts').values(rows).execute();
}
