import { stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';

/** Returns where the bytes of unfinished uploads lie. */
export const stagingOf = (dataDir: string): string => path.join(dataDir, 'staging');

/** One upload as its row knows it. */
export interface UploadRow {
  id: string;
  creator_id: string;
  album_id: string | null;
  media_id: string | null;
  original_name: string;
  bytes: number;
  state: string;
  fail_code: string | null;
  expires_at: Date;
}

/** Notes that an upload has begun. */
export async function insertUpload(
  tx: Tx,
  upload: {
    id: string;
    creatorId: string;
    albumId: string;
    originalName: string;
    sizeBytes: number;
    expiresAt: Date;
    now: Date;
  },
): Promise<void> {
  await tx.db
    .insertInto('uploads')
    .values(({ selectFrom, fn, lit }) => ({
      id: upload.id,
      creator_id: upload.creatorId,
      album_id: upload.albumId,
      original_name: upload.originalName,
      bytes: upload.sizeBytes,
      expires_at: upload.expiresAt,
      created_at: upload.now,
      // Its place among those of the album: a clock and an id may tell the same of two.
      number: selectFrom('uploads')
        .select(({ eb }) => eb(fn.coalesce(fn.max('number'), lit(0)), '+', lit(1)).as('next'))
        .where('album_id', '=', upload.albumId),
    }))
    .execute();
}

/** One upload of the asking creator. */
export async function findUpload(tx: Tx, uploadId: string): Promise<UploadRow | undefined> {
  return tx.db
    .selectFrom('uploads')
    .select(['id', 'creator_id', 'album_id', 'media_id', 'original_name', 'bytes', 'state', 'fail_code', 'expires_at'])
    .where('id', '=', uploadId)
    .executeTakeFirst();
}

/** Another part came: the upload lives on. */
export async function prolongUpload(tx: Tx, uploadId: string, expiresAt: Date): Promise<void> {
  await tx.db
    .updateTable('uploads')
    .set({ expires_at: expiresAt })
    .where('id', '=', uploadId)
    .where('state', '=', 'open')
    .execute();
}

const nothing = {
  used: 0,
  coming: 0,
  today: 0,
  in_album: 0,
  storageExtraBytes: 0,
  subscriptionStatus: 'trialing',
  trialEndsAt: null,
};

/** What the creator's account holds and has been sent: stored, still coming, and begun since `since`. */
export async function sumUploads(tx: Tx, { since, now }: { since: Date; now: Date }, albumId: string) {
  const { rows } = await sql<{
    used: number;
    storageExtraBytes: number;
    coming: number;
    today: number;
    subscriptionStatus: string | null;
    trialEndsAt: Date | null;
    in_album: number;
  }>`
    select u.storage_used_bytes as used, u.subscription_status as "subscriptionStatus", u.trial_ends_at as "trialEndsAt",
      coalesce((select sum(bytes) from storage_extras where created_at <= ${now} and ends_at > ${now}), 0)::bigint as "storageExtraBytes",
      coalesce((select sum(bytes) from uploads where state = 'open'), 0)::bigint as coming,
      coalesce((select sum(bytes) from uploads where created_at > ${since} and state <> 'expired'), 0)::bigint as today,
      (select count(*)::int from album_items i join media m on m.id = i.media_id and m.deleted_at is null where i.album_id = ${albumId})
        + (select count(*)::int from uploads where album_id = ${albumId} and state = 'open') as in_album
    from users u where u.id = (select app_uid())`.execute(tx.db);
  return rows[0] ?? nothing;
}

/** Ends an upload; undefined when it was ended before. */
export async function endUpload(
  tx: Tx,
  uploadId: string,
  end: { state: 'complete' | 'aborted' | 'expired'; failCode?: string },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('uploads')
    .set({ state: end.state, fail_code: end.failCode ?? null })
    .where('id', '=', uploadId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Names the medium that an upload has become. */
export async function nameMedium(tx: Tx, uploadId: string, mediaId: string): Promise<void> {
  await tx.db.updateTable('uploads').set({ media_id: mediaId }).where('id', '=', uploadId).execute();
}

/** Which of these uploads are still open. */
export async function findOpen(tx: Tx, uploadIds: readonly string[]): Promise<Set<string>> {
  if (uploadIds.length === 0) return new Set();
  const rows = await tx.db
    .selectFrom('uploads')
    .select('id')
    .where('id', 'in', uploadIds)
    .where('state', '=', 'open')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Open uploads of everybody: those past their time, or all of them when a process starts. */
export async function listUnended(tx: Tx, before?: Date): Promise<UploadRow[]> {
  let query = tx.db
    .selectFrom('uploads')
    .select(['id', 'creator_id', 'album_id', 'media_id', 'original_name', 'bytes', 'state', 'fail_code', 'expires_at'])
    .where('state', '=', 'open')
    .orderBy('created_at')
    .limit(1000);
  if (before !== undefined) query = query.where('expires_at', '<=', before);
  return query.execute();
}

/** Uploads of an album that can go on, with the bytes that are here. */
export async function listOpenUploads(tx: Tx, dataDir: string, albumId: string, now: Date) {
  const rows = await tx.db
    .selectFrom('uploads')
    .select(['id', 'original_name', 'bytes', 'expires_at'])
    .where('album_id', '=', albumId)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .limit(200)
    .execute();
  return Promise.all(
    rows.map(async ({ id, original_name, bytes, expires_at }) => ({
      uploadId: id,
      originalName: original_name,
      sizeBytes: bytes,
      receivedBytes: await stat(path.join(stagingOf(dataDir), id)).then(
        ({ size }) => size,
        () => 0,
      ),
      expiresAt: expires_at,
    })),
  );
}
