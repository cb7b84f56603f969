import type { Tx } from '#engines/database/work.ts';
import type { OrderRow } from './orders-store.ts';

/** Open screens of this viewer ask again whether they may go on; the creator's pages read again. */
export async function notifyScreens(
  tx: Tx,
  { creatorId, viewerId, linkId }: Pick<OrderRow, 'creatorId' | 'viewerId' | 'linkId'>,
): Promise<void> {
  const about = {
    ...(creatorId !== null && { creatorId }),
    ...(viewerId !== null && { viewerId }),
    ...(linkId !== null && { linkId }),
  };
  await tx.publish({ kind: 'viewer.paid', ...about });
}
