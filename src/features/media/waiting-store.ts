import type { Tx } from '#engines/database/work.ts';

const waitingVideos = (tx: Tx, creatorId: string) =>
  tx.db
    .selectFrom('media')
    .where('creator_id', '=', creatorId)
    .where('kind', '=', 'video')
    .where('state', '=', 'uploaded')
    .where('deleted_at', 'is', null);

/** Whether nothing has begun to make this video of a creator; held until the transaction ends. */
export const isWaitingVideo = async (
  tx: Tx,
  { mediaId, creatorId }: { mediaId: string; creatorId: string },
): Promise<boolean> =>
  (await waitingVideos(tx, creatorId).where('id', '=', mediaId).select('id').forUpdate().executeTakeFirst()) !==
  undefined;

/** A creator's videos that nothing has begun to make, oldest first. */
export const listWaitingVideos = (tx: Tx, creatorId: string, most: number): Promise<{ id: string; name: string }[]> =>
  waitingVideos(tx, creatorId)
    .select(['id', 'original_name as name'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();

/** Whether whoever asks has this medium. */
export const isMediumThere = async (tx: Tx, mediaId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('media')
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()) !== undefined;
