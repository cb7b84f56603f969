import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kit/ids.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { DatabaseAway } from './away.ts';
import { type Database, openDatabase } from './database.ts';
import { type Runner, runWork, type Statement, statement, type Tx } from './work.ts';

const now = new Date('2026-11-21T12:00:00Z');
const id = () => newId(now.getTime()) as string;
const [anna, berta] = [id(), id()];
const [annasAlbum, bertasAlbum, annasPhoto] = [id(), id(), id()];
const system: Runner = { kind: 'system' };
const as = (userId: string): Runner => ({ kind: 'user', userId });

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.work(system, async ({ db }) => {
    for (const user of [anna, berta])
      await db
        .insertInto('users')
        .values({ id: user, email: `${user}@example.org`, created_at: now })
        .execute();
    await db
      .insertInto('media')
      .values({
        id: annasPhoto,
        creator_id: anna,
        kind: 'photo',
        state: 'uploaded',
        original_name: 'a.jpg',
        bytes: 1,
        sha256: Buffer.alloc(32),
        created_at: now,
      })
      .execute();
  });
  await database.work(as(anna), (tx) => insertAlbum(tx, annasAlbum, anna));
  await database.work(as(berta), (tx) => insertAlbum(tx, bertasAlbum, berta));
});
afterAll(() => database.close());

const insertAlbum = (tx: Tx, albumId: string, userId: string) =>
  tx.db.insertInto('albums').values({ id: albumId, user_id: userId, name: 'Private', created_at: now }).execute();
const albumsOf = (tx: Tx): Promise<string[]> =>
  tx.db
    .selectFrom('albums')
    .select('id')
    .execute()
    .then((rows) => rows.map((row) => row.id));
const insertItem = ({ db }: Tx, row: { album_id: string; media_id: string; user_id: string }) =>
  db
    .insertInto('album_items')
    .values({ ...row, position: 1, added_at: now })
    .execute();
const who = async ({ client }: Tx) =>
  (await client.query(`select current_user as role, current_setting('app.uid', true) as uid`)).rows[0];

/** Runs a statement as the owner of the tables, without a role. */
async function asOwner(text: string) {
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('walls between creators', () => {
  it('shows a creator her own rows only', async () => {
    expect(await database.work(as(anna), albumsOf)).toEqual([annasAlbum]);
    expect(await database.work(as(berta), albumsOf)).toEqual([bertasAlbum]);
    expect(await database.work(as(id()), albumsOf)).toEqual([]);
  });

  it('lets her neither change nor delete a row of another', async () => {
    const changed = await database.work(as(berta), ({ db }) =>
      db.updateTable('albums').set({ name: 'stolen' }).where('id', '=', annasAlbum).executeTakeFirstOrThrow(),
    );
    const deleted = await database.work(as(berta), ({ db }) =>
      db.deleteFrom('albums').where('id', '=', annasAlbum).executeTakeFirstOrThrow(),
    );
    expect([changed.numUpdatedRows, deleted.numDeletedRows]).toEqual([0n, 0n]);
  });

  it('lets her neither forge a row in the name of another nor point to the rows of another', async () => {
    const refused = { code: '42501' };
    await expect(database.work(as(berta), (tx) => insertAlbum(tx, id(), anna))).rejects.toMatchObject(refused);
    const [own, theft] = [
      { album_id: bertasAlbum, media_id: annasPhoto, user_id: berta },
      { album_id: annasAlbum, media_id: annasPhoto, user_id: berta },
    ];
    await expect(database.work(as(berta), (tx) => insertItem(tx, own))).rejects.toMatchObject(refused);
    await expect(database.work(as(berta), (tx) => insertItem(tx, theft))).rejects.toMatchObject(refused);
    await database.work(as(anna), (tx) =>
      insertItem(tx, { album_id: annasAlbum, media_id: annasPhoto, user_id: anna }),
    );
  });

  it("shows nothing to the owner of the tables without a role, nor to a creator what is the system's", async () => {
    expect(await asOwner('select count(*) from albums')).toEqual([{ count: 0 }]);
    await expect(
      database.work(as(anna), ({ db }) => db.selectFrom('mail_outbox').selectAll().execute()),
    ).rejects.toMatchObject({ code: '42501' });
    expect((await database.work(system, albumsOf)).sort()).toEqual([annasAlbum, bertasAlbum].sort());
  });

  it('takes no id that is not an id', async () => {
    for (const evil of [`${anna}'; drop table albums; --`, '', anna.toUpperCase()])
      await expect(database.work(as(evil), albumsOf)).rejects.toThrow('needs a well-formed id');
    expect(await database.work(as(anna), albumsOf)).toEqual([annasAlbum]);
  });

  it('ends the role with the transaction', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => database.work(as(n % 2 === 0 ? anna : berta), albumsOf)));
    expect(await database.work(as(berta), who)).toEqual({ role: 'app_user', uid: berta });
    expect(await database.work(system, who)).toEqual({ role: 'app_system', uid: '' });
  });
});

describe('statements as the system', () => {
  const [asks, tells]: [Statement<{ role: string }>, string] = [
    statement('who_asks', 'select current_user as role'),
    'app_user',
  ];

  it('opens for some statements and closes again, also after an error of ours', async () => {
    await database.work(as(anna), async (tx) => {
      expect(await tx.asSystem((higher) => higher.query(asks, []))).toEqual([{ role: 'app_system' }]);
      expect(await tx.query(asks, [])).toEqual([{ role: tells }]);
      await expect(tx.asSystem(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
      expect(await who(tx)).toEqual({ role: 'app_user', uid: anna });
      await tx.asSystem((higher) => higher.asSystem((still) => still.query(asks, [])));
      expect(await who(tx)).toEqual({ role: 'app_user', uid: anna });
    });
  });

  it('lets no statement of the creator slip through beside it', async () => {
    const both = database.work(as(anna), (tx) =>
      Promise.all([tx.asSystem((higher) => higher.query(asks, [])), albumsOf(tx)]),
    );
    await expect(both).rejects.toThrow('asSystem was in progress');
  });

  it('closes after the last of several that overlap', async () => {
    await database.work(as(anna), async (tx) => {
      const seen = await Promise.all([1, 2, 3].map(() => tx.asSystem((higher) => higher.query(asks, []))));
      expect(seen.flat().map(({ role }) => role)).toEqual(['app_system', 'app_system', 'app_system']);
      expect(await tx.query(asks, [])).toEqual([{ role: 'app_user' }]);
    });
  });
});

describe('a unit of work', () => {
  it('leaves nothing of what failed', async () => {
    const lost = id();
    const failing = database.work(as(anna), async (tx) => {
      await insertAlbum(tx, lost, anna);
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await database.work(as(anna), albumsOf)).not.toContain(lost);
  });

  it('does not pass off a rollback as a commit', async () => {
    const swallowed = database.work(as(anna), async (tx) => {
      await insertAlbum(tx, annasAlbum, anna).catch(() => undefined);
      return 'done';
    });
    await expect(swallowed).rejects.toThrow('was rolled back');
  });

  it('refuses a statement that comes after its end', async () => {
    let leaked: Tx | undefined;
    await database.work(as(anna), async (tx) => {
      leaked = tx;
    });
    await expect(albumsOf(leaked as Tx)).rejects.toThrow('after the end');
    await expect((leaked as Tx).asSystem(albumsOf)).rejects.toThrow('after the end');
    await expect((leaked as Tx).publish({ kind: 'x' })).rejects.toThrow('after the end');
  });

  it('throws why it could not begin, not what followed from it', async () => {
    const stranger = `stranger_${randomUUID().slice(0, 8)}`;
    await asOwner(`create role ${stranger} login`);
    const pool = new pg.Pool({ ...database.connection, user: stranger, pipeline: true } as pg.PoolConfig);
    const failing = runWork(await pool.connect(), as(anna), albumsOf);
    await expect(failing).rejects.toThrow('permission denied to set role "app_user"');
    await pool.end();
    await asOwner(`drop role ${stranger}`);
  });

  it('is tried again for a deadlock when it may be, twice', async () => {
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    let tries = 0;
    const failing = async () => {
      tries++;
      throw deadlock;
    };
    await expect(database.work(system, failing)).rejects.toBe(deadlock);
    expect(tries).toBe(1);
    await expect(database.work(system, failing, { repeatable: true })).rejects.toBe(deadlock);
    expect(tries).toBe(4);
  });

  it('counts two statements more than it was given', async () => {
    const before = database.statementCount();
    await database.work(as(anna), albumsOf);
    expect(database.statementCount() - before).toBe(3);
  });

  it('says "away" when no connection is free, and not when a file of the handler is missing', async () => {
    await expect(database.work(system, () => readFile('/nowhere/at/all'))).rejects.toMatchObject({ code: 'ENOENT' });
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = Array.from({ length: 10 }, () => database.work(system, () => gate));
    await expect(database.work(system, albumsOf)).rejects.toBeInstanceOf(DatabaseAway);
    release();
    await Promise.all(holding);
    expect(await database.work(as(anna), albumsOf)).toEqual([annasAlbum]);
  });

  it('reads whole numbers as numbers and refuses what would lose digits', async () => {
    const read = (value: string) =>
      database.work(system, async ({ client }) => (await client.query(`select ${value}::int8 as n`)).rows[0].n);
    expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    await expect(read('9007199254740993')).rejects.toThrow('too large to be exact');
  });
});

describe('live events', () => {
  const events: string[] = [];
  let gaps = 0;
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query in ('listen live', 'select 1')`;
  beforeAll(async () => {
    await database.listen(
      ({ kind }) => events.push(kind),
      () => gaps++,
    );
  });
  const tell = (kind: string) => database.work(as(anna), (tx) => tx.publish({ kind }));

  it('arrive when the transaction commits, and not without', async () => {
    await database
      .work(as(anna), (tx) => tx.publish({ kind: 'lost' }).then(() => Promise.reject(new Error('no'))))
      .catch(() => undefined);
    await tell('one');
    await expect.poll(() => events).toEqual(['one']);
  });

  it('of others on the same channel are passed over', async () => {
    for (const strange of ['no json', '{}', 'null', '']) await asOwner(`select pg_notify('live', '${strange}')`);
    await tell('two');
    await expect.poll(() => events).toEqual(['one', 'two']);
  });

  it('are heard again after the line was cut, and the gap is said to everybody', async () => {
    let others = 0;
    const other = await database.listen(
      () => undefined,
      () => others++,
    );
    await asOwner(cut);
    await tell('in between');
    await expect.poll(() => [gaps, others]).toEqual([1, 1]);
    await other.close();
    await tell('three');
    await expect.poll(() => events.at(-1)).toBe('three');
    await asOwner(cut);
    await expect.poll(() => [gaps, others]).toEqual([2, 1]);
  });
});

describe('a server of the operator', () => {
  const open = (url: string) => openDatabase({ url, dataDir: '/nowhere', migrations: null, log: () => undefined });

  it('is used as it is, and never taken for ours alone', async () => {
    const { host, database: name } = database.connection;
    const outer = await open(`postgres://pf@/${name}?host=${encodeURIComponent(String(host))}`);
    expect([outer.isAlone, outer.place]).toEqual([false, 'PostgreSQL at DATABASE_URL']);
    expect(await outer.work(as(anna), albumsOf)).toEqual([annasAlbum]);
    expect(await outer.query(statement<{ role: string }>('who_is_it', 'select current_user as role'), [])).toEqual([
      { role: 'app_system' },
    ]);
    await outer.close();
  });

  it('that does not answer is said in one sentence, without its password', async () => {
    const failure = await open('postgres://pf:secret@127.0.0.1:1/pf').catch((error: Error) => error.message);
    expect(failure).toBe('PostgreSQL at DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1.');
  });
});
