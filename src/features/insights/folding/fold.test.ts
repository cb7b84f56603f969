import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Tx } from '#engines/database/work.ts';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { foldViews, forgetOldVisits } from '../jobs.ts';
import { deleteOldEvents, takeFold } from './fold-store.ts';

let database: Database;
const system = { kind: 'system' } as const;
const noon = Date.parse('2026-11-21T12:00:00Z');
const asSystem = <T>(run: (tx: Tx) => Promise<T>) => database.work(system, run);
const fold = (of = database) => foldAllViews({ database: of, clock: () => noon });

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function addCreator(timeZone = 'UTC'): Promise<string> {
  const id = randomUUID();
  const row = { id, email: `${id}@example.com`, time_zone: timeZone, created_at: new Date(noon) };
  await asSystem(({ db }) => db.insertInto('users').values(row).execute());
  return id;
}

interface Event {
  creatorId: string;
  kind?: 'open' | 'view' | 'look';
  linkId?: string;
  mediaId?: string | null;
  albumId?: string | null;
  at?: Date;
  ms?: number;
}
const writeEvent = ({ db }: Tx, { creatorId, kind = 'look', ms = 0, at = new Date(noon), ...about }: Event) =>
  db
    .insertInto('view_events')
    .values({
      kind,
      creator_id: creatorId,
      link_id: about.linkId ?? randomUUID(),
      visit_id: randomUUID(),
      viewer_id: randomUUID(),
      media_id: about.mediaId ?? null,
      album_id: about.albumId ?? null,
      at,
      ms_visible: ms,
    })
    .execute();

const daysOf = (creatorId: string) =>
  asSystem(({ db }) =>
    db
      .selectFrom('creator_days')
      .select(['day', 'opens', 'views', 'watch_ms'])
      .where('creator_id', '=', creatorId)
      .orderBy('day')
      .execute(),
  );
const sumOf = async (creatorId: string) => {
  const days = await daysOf(creatorId);
  return days.reduce(({ looks, watchMs }, day) => ({ looks: looks + day.opens, watchMs: watchMs + day.watch_ms }), {
    looks: 0,
    watchMs: 0,
  });
};
const watermark = () =>
  asSystem(({ db }) =>
    db.selectFrom('fold_watermarks').select('xid').where('name', '=', 'views').executeTakeFirstOrThrow(),
  );

describe('the sums', () => {
  let creatorId: string;
  beforeEach(async () => {
    creatorId = await addCreator();
  });

  it('hold exactly what was acknowledged: 20 writers at once, one in ten rolls back, two folders that never wait', async () => {
    const [albumId, mediaId] = [randomUUID(), randomUUID()];
    let acknowledged = 0;
    let watchMs = 0;
    let isWriting = true;
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    const write = async (turn: number) => {
      const count = 1 + (turn % 3);
      const ms = 1000 + turn;
      await asSystem(async (tx) => {
        for (let n = 0; n < count; n++) {
          await writeEvent(tx, { creatorId, kind: 'open', ms, albumId, mediaId });
          await pause();
        }
        if (turn % 10 === 9) throw new Error('rolled back');
      });
      acknowledged += count;
      watchMs += count * ms;
    };
    const writer = async (who: number) => {
      for (let turn = 0; turn < 30; turn++)
        await write(who + turn).catch((error: Error) => expect(error.message).toBe('rolled back'));
    };
    const folder = async () => {
      while (isWriting) {
        await foldViews({ database, clock: () => noon });
        await pause();
      }
    };
    const folders = Promise.all([folder(), folder()]);
    await Promise.all(Array.from({ length: 20 }, (_, who) => writer(who)));
    isWriting = false;
    await folders;
    await fold();
    expect(acknowledged).toBeGreaterThan(1000);
    expect(await sumOf(creatorId)).toEqual({ looks: acknowledged, watchMs });
  });

  it('wait for a transaction that began earlier and ends later, and lose nothing of it', async () => {
    const { promise: isLate, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasWritten, resolve: tell } = Promise.withResolvers<void>();
    const slow = asSystem(async (tx) => {
      await writeEvent(tx, { creatorId, kind: 'open', ms: 7 });
      tell();
      await isLate;
    });
    await hasWritten;
    await asSystem((tx) => writeEvent(tx, { creatorId, kind: 'open', ms: 10 }));
    await foldViews({ database, clock: () => noon });
    expect(await sumOf(creatorId)).toEqual({ looks: 0, watchMs: 0 });
    end();
    await slow;
    await fold();
    await fold();
    expect(await sumOf(creatorId)).toEqual({ looks: 2, watchMs: 17 });
  });

  it('put an event into the day that it was where the creator lives', async () => {
    const auckland = await addCreator('Pacific/Auckland');
    await asSystem((tx) => writeEvent(tx, { creatorId: auckland, kind: 'view', at: new Date('2026-11-21T11:30:00Z') }));
    await fold();
    expect(await daysOf(auckland)).toEqual([{ day: '2026-11-22', opens: 0, views: 1, watch_ms: 0 }]);
  });

  it('take UTC for a zone that only the browser knows, instead of stopping for everybody', async () => {
    const nowhere = await addCreator('Mars/Olympus_Mons');
    await asSystem((tx) => writeEvent(tx, { creatorId: nowhere, kind: 'view' }));
    await fold();
    expect(await daysOf(nowhere)).toMatchObject([{ day: '2026-11-21', views: 1 }]);
  });

  it('pass over the events of somebody whose account is gone', async () => {
    await asSystem((tx) => writeEvent(tx, { creatorId: randomUUID(), kind: 'view' }));
    await asSystem((tx) => writeEvent(tx, { creatorId, kind: 'view' }));
    await fold();
    expect(await daysOf(creatorId)).toMatchObject([{ views: 1 }]);
  });

  it('never go back: a fold without news leaves the watermark where it is or moves it on', async () => {
    const before = await watermark();
    await fold();
    await asSystem((tx) => writeEvent(tx, { creatorId }));
    await fold();
    expect(BigInt((await watermark()).xid)).toBeGreaterThanOrEqual(BigInt(before.xid));
  });
});

describe('after a move to another server, whose transactions count from a lower number', () => {
  it('what was folded is not folded again, and what was not is', async () => {
    const creatorId = await addCreator();
    const far = '8000000000000';
    await asSystem((tx) => writeEvent(tx, { creatorId, ms: 1 }));
    await fold();
    await asSystem(async ({ db, client }) => {
      await client.query(`update view_events set xid = '7999999999999'`);
      await client.query(`update creator_folds set xid = '${far}'`);
      await db.updateTable('fold_watermarks').set({ xid: far }).execute();
      // Written on the old server after its last fold, and moved along.
      await writeEvent({ db } as Tx, { creatorId, ms: 20 });
      await client.query(`update view_events set xid = '8000000000001' where ms_visible = 20`);
    });
    await asSystem((tx) => writeEvent(tx, { creatorId, ms: 300 }));
    await fold();
    expect((await sumOf(creatorId)).watchMs).toBe(321);
    await asSystem((tx) => writeEvent(tx, { creatorId, ms: 4000 }));
    await fold();
    await fold();
    expect((await sumOf(creatorId)).watchMs).toBe(4321);
    expect(BigInt((await watermark()).xid)).toBeLessThan(BigInt(far));
  });
});

describe('single looks', () => {
  it('are forgotten after 13 months, the oldest first; their sums stay', async () => {
    const own = await openTestDatabase();
    const write = (creatorId: string, ms: number, at: string) =>
      own.work(system, (tx) => writeEvent(tx, { creatorId, ms, at: new Date(at) }));
    const creatorId = randomUUID();
    const creator = { id: creatorId, email: 'one@example.com', created_at: new Date(noon) };
    await own.work(system, ({ db }) => db.insertInto('users').values(creator).execute());
    await write(creatorId, 1, '2025-10-01T00:00:00Z');
    await write(creatorId, 2, '2025-10-20T11:59:59Z');
    await write(creatorId, 4, '2025-10-20T12:00:00Z');
    await fold(own);
    await write(creatorId, 8, '2025-10-02T00:00:00Z');
    await forgetOldVisits({ database: own, clock: () => noon, linkClock: () => noon });
    const read = <T>(run: (tx: Tx) => Promise<T>) => own.work(system, run);
    const kept = await read(({ db }) => db.selectFrom('view_events').select('ms_visible').execute());
    // The one that no sum holds yet waits for it.
    expect(kept.map(({ ms_visible }) => ms_visible).sort()).toEqual([4, 8]);
    const days = await read(({ db }) => db.selectFrom('creator_days').select('watch_ms').execute());
    expect(days.reduce((sum, { watch_ms }) => sum + watch_ms, 0)).toBe(7);
    await own.close();
  });

  it('that were moved in from another server go as well, a bounded number at a time', async () => {
    const own = await openTestDatabase();
    const before = new Date('2025-10-20T00:00:00Z');
    await own.work(system, async ({ client }) => {
      const write = `insert into view_events (xid, kind, creator_id, link_id, visit_id, viewer_id, at, ms_visible)
        select '0', 'look', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, $2 from generate_series(1, $3)`;
      // Rows of a move have one number, and lie in no order.
      await client.query(write, ['2026-11-20T00:00:00Z', 1, 1]);
      await client.query(write, ['2025-09-20T00:00:00Z', 2, 12_000]);
    });
    const sizes: number[] = [];
    const forget = () => own.work(system, async (tx) => ((await takeFold(tx)) ? deleteOldEvents(tx, before) : 0));
    for (let size = await forget(); size > 0; size = await forget()) sizes.push(size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5000);
    const kept = await own.work(system, ({ db }) => db.selectFrom('view_events').select('ms_visible').execute());
    expect(kept).toEqual([{ ms_visible: 1 }]);
    await own.close();
  });
});
