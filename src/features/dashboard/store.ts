import { statement, type Tx } from '#engines/database/work.ts';
import type { Progress } from './contract.ts';

const progress = statement<Progress>(
  'dashboard_progress',
  `select exists (select from album_items i join media m on m.id = i.media_id and m.deleted_at is null where i.user_id = $1) as "hasPhoto",
  exists (select from magic_links l where l.user_id = $1) as "hasLink",
  exists (select from magic_links l where l.user_id = $1 and (l.shared_at is not null or l.first_opened_at is not null)) as "isShared"`,
);

/** Returns how far a creator has come. */
export async function findProgress(tx: Tx, creatorId: string): Promise<Progress> {
  const [row] = await tx.query(progress, [creatorId]);
  return row ?? { hasPhoto: false, hasLink: false, isShared: false };
}
