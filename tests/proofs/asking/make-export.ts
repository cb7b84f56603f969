import { Readable } from 'node:stream';
import { beginAttempt, insertExport, markReady, openExport } from '#features/privacy/exports/exports-store.ts';
import { folderOf, storeVolumes } from '#features/privacy/exports/volumes.ts';
import { newId } from '#kit/ids.ts';
import { readRow } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { canaries, type Owner } from './owners.ts';

/** A finished export, opened by the oldest session of its creator. */
export async function makeExport(
  app: TestApp,
  { person: { userId }, whose }: Owner,
  known: { export: string } | undefined,
): Promise<string> {
  if (known !== undefined) return known.export;
  const { database, keys, storage, clock } = app.engines;
  const now = new Date(clock());
  const until = new Date(now.getTime() + 86_400_000);
  const id = newId<'export'>(now.getTime());
  const key = Buffer.alloc(32, 7);
  const bytes = Buffer.from(`Export ${canaries[whose]}`);
  await storeVolumes({ storage, key, folder: folderOf(id, 1) }, Readable.from([bytes], { objectMode: false }));
  const session = await readRow<{ id: string }>(
    app,
    'select id from auth_sessions where user_id = $1 order by created_at, id',
    [userId],
  );
  await database.work({ kind: 'system' }, async (tx) => {
    await insertExport(tx, { id, userId, hasOriginals: false, now, totalBytes: 0 });
    await beginAttempt(tx, keys, id, key);
    await markReady(tx, { id, attempt: 1 }, { sizeBytes: bytes.length, now, expiresAt: until });
    await openExport(tx, { id, userId, sessionId: session.id, until, now });
  });
  return id;
}
