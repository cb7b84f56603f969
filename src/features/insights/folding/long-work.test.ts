import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { deleteOldEvents, foldBatch, foldMovedIn, takeFold } from './fold-store.ts';
import { findAstray, findDifferences, rebuildSums } from './recount-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

/** Does a piece of work as the system. @returns its statements that are given no more time than people have, and the server's limit behind it */
async function hurriedIn(run: (tx: Tx) => Promise<unknown>) {
  return app.engines.database.work({ kind: 'system' }, async (tx) => {
    const hurried: string[] = [];
    const noted: Tx = {
      ...tx,
      query: (asked, values) => {
        if (asked.timeoutMs === undefined) hurried.push(asked.name);
        return tx.query(asked, values);
      },
    };
    await run(noted);
    const { rows } = await tx.client.query<{ limit: string }>('select current_setting($1) as limit', [
      'statement_timeout',
    ]);
    return { hurried, limit: rows[0]?.limit };
  });
}

// A creator with a million events needs longer than the 12 s after which a line is taken for dead.
it('whatever adds up or compares the events of a creator may take minutes, at the server and on the line', async () => {
  const [creatorId, now] = [crypto.randomUUID(), new Date('2026-11-21T12:00:00Z')];
  expect(await hurriedIn((tx) => findDifferences(tx, creatorId, now))).toEqual({
    hurried: ['recount_patience'],
    limit: '5min',
  });
  expect(await hurriedIn((tx) => findAstray(tx, creatorId, now))).toEqual({
    hurried: ['recount_patience'],
    limit: '5min',
  });
  const inFold = async (tx: Tx) => {
    await takeFold(tx);
    await foldBatch(tx, now);
    await foldMovedIn(tx, now);
    await rebuildSums(tx, creatorId, now);
    await deleteOldEvents(tx, now);
  };
  expect(await hurriedIn(inFold)).toEqual({ hurried: ['fold_tried'], limit: '5min' });
});
