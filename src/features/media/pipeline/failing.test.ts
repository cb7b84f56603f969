import { expect, it } from 'vitest';
import { readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp } from '#tests/support/test-app.ts';
import { failMedium } from '../store.ts';

it('what cannot be processed is told to whose it is, once', async () => {
  const app = await openTestApp({ workJobs: false });
  const { userId } = await signUpCreator(app);
  await addReadyAlbum(app, userId);
  const { id } = await readRow<{ id: string }>(
    app,
    `update media set state = 'processing', kind = 'video' where creator_id = $1 returning id`,
    [userId],
  );
  const now = new Date(app.engines.clock());
  for (let n = 0; n < 2; n++)
    await app.engines.database.work({ kind: 'system' }, (tx) => failMedium(tx, id, { code: 'CORRUPT', now }));
  expect(await readRows(app, 'select user_id, event, about from notices')).toEqual([
    { user_id: userId, event: 'processing_failed', about: { noun: 'video' } },
  ]);
  await app.close();
});
