import { statement, type Tx } from '#engines/database/work.ts';

const waitingVideos = (tx: Tx, creatorId: string) =>
  tx.db
    .selectFrom('media')
    .where('creator_id', '=', creatorId)
    .where('kind', '=', 'video')
    .where('state', '=', 'uploaded')
    .where('deleted_at', 'is', null);

/** Returns whether nothing has begun to make this video of a creator; held until the transaction ends. */
export const isWaitingVideo = async (
  tx: Tx,
  { mediaId, creatorId }: { mediaId: string; creatorId: string },
): Promise<boolean> =>
  (await waitingVideos(tx, creatorId).where('id', '=', mediaId).select('id').forUpdate().executeTakeFirst()) !==
  undefined;

/** Only a failure after it was moved gives back what was paid for that. */
export async function forgetFailure(tx: Tx, mediaId: string): Promise<void> {
  await tx.db.updateTable('media').set({ has_failed: false }).where('id', '=', mediaId).execute();
}

/** A creator's videos that nothing has begun to make, oldest first. */
export const listWaitingVideos = (tx: Tx, creatorId: string, most: number): Promise<{ id: string; name: string }[]> =>
  waitingVideos(tx, creatorId)
    .select(['id', 'original_name as name'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();

/** Returns whether whoever asks has this medium. */
export const isMediumThere = async (tx: Tx, mediaId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('media')
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()) !== undefined;

const withoutTime = statement<{ count: number }>(
  'media_without_time',
  `select count(*)::int as count from media where creator_id = $1 and fail_code = 'NO_VIDEO_TIME' and state = 'failed' and deleted_at is null`,
);
const backFromNoTime = statement<{ id: string }>(
  'media_back_from_no_time',
  `with back as (
  update media set state = 'uploaded', fail_code = null
  where creator_id = $1 and fail_code = 'NO_VIDEO_TIME' and state = 'failed' and deleted_at is null returning id, created_at)
select id from back order by created_at, id`,
);

/** Returns how many videos of a creator could not be made for want of time. */
export const countWithoutTime = async (tx: Tx, creatorId: string): Promise<number> =>
  (await tx.query(withoutTime, [creatorId]))[0]?.count ?? 0;
/** Puts them back to their beginning. @returns which, oldest first */
export const putBackWithoutTime = async (tx: Tx, creatorId: string): Promise<string[]> =>
  (await tx.query(backFromNoTime, [creatorId])).map(({ id }) => id);
