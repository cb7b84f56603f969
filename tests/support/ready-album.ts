import { newId } from '#kit/ids.ts';
import { foldText } from '#kit/search.ts';
import type { TestApp } from './test-app.ts';

/** An album with one ready photo, as rows: for tests that need something to share and never open its bytes. */
export async function addReadyAlbum(
  app: TestApp,
  userId: string,
  { name = 'Golden hour', isEmpty = false, isProtected = false } = {},
): Promise<string> {
  const now = new Date(app.engines.clock());
  const albumId = newId<'album'>(now.getTime());
  const mediaId = newId<'media'>(now.getTime());
  await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    await db
      .insertInto('albums')
      .values({
        id: albumId,
        user_id: userId,
        name,
        search_text: foldText(name),
        state: isEmpty ? 'draft' : 'ready',
        is_protected: isProtected,
        people_consent: 'only_me',
        people_said_at: now,
        created_at: now,
      })
      .execute();
    if (isEmpty) return;
    await db
      .insertInto('media')
      .values({
        id: mediaId,
        creator_id: userId,
        kind: 'photo',
        state: 'ready',
        original_name: 'one.jpg',
        bytes: 1000,
        sha256: Buffer.alloc(32, 1),
        created_at: now,
        ready_at: now,
      })
      .execute();
    await db
      .insertInto('album_items')
      .values({ album_id: albumId, media_id: mediaId, user_id: userId, position: 1, added_at: now })
      .execute();
  });
  return albumId;
}
