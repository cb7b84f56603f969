import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { anchorSeals, sealCodewords } from '../jobs.ts';
import { firstHash, hashRows, hashSeal, sealRows } from './seals.ts';

let app: TestApp;
let creatorId: string;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  creatorId = (await signUpCreator(app)).userId;
});
afterAll(() => app.close());

const insert = `insert into codeword_log (at, creator_id, grant_id, commitment) values ($1, $2, $3, $4) returning seq::int as seq`;
const valuesOf = (owner: string) => [new Date(app.engines.clock()), owner, randomUUID(), Buffer.alloc(32, 7)];
const commit = async (owner = creatorId) => (await readRows(app, insert, valuesOf(owner)))[0]?.seq;
const sealsOf = (owner = creatorId) =>
  readRows(
    app,
    'select n, last_seq::int as last, seqs::int[] as seqs, hash, rows_hash, at from codeword_seals where creator_id = $1 order by n',
    [owner],
  );

describe('seals', () => {
  it('hold every codeword once, creator by creator, and each the seal before it', async () => {
    const other = (await signUpCreator(app)).userId;
    const [one, two, theirs] = [await commit(), await commit(), await commit(other)];
    expect(await sealCodewords(app.engines)).toBe(2);
    expect(await sealCodewords(app.engines)).toBe(0);
    advance(app, 60_000);
    const three = await commit();
    expect(await sealCodewords(app.engines)).toBe(1);
    expect((await sealsOf()).map(({ n, seqs, last }) => [n, seqs, last])).toEqual([
      [1, [one, two], two],
      [2, [three], three],
    ]);
    expect((await sealsOf(other)).map(({ n, seqs }) => [n, seqs])).toEqual([[1, [theirs]]]);
    const [first, second] = await sealsOf();
    expect(first?.hash).toEqual(hashSeal(creatorId, 1, firstHash, first?.rows_hash as Buffer));
    expect(second?.hash).toEqual(hashSeal(creatorId, 2, first?.hash as Buffer, second?.rows_hash as Buffer));
  });

  it('take in a row whose transaction ended after later ones were sealed', async () => {
    let late: unknown;
    await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      late = (await client.query(insert, valuesOf(creatorId))).rows[0].seq;
      const early = await commit();
      expect(early).toBeGreaterThan(Number(late));
      await sealCodewords(app.engines);
      expect((await sealsOf()).at(-1)?.seqs).toEqual([early]);
    });
    await sealCodewords(app.engines);
    expect((await sealsOf()).at(-1)?.seqs).toEqual([late]);
  });

  it('leave the turn to another process that seals', async () => {
    await commit();
    const count = (await sealsOf()).length;
    await Promise.all([1, 2, 3].map(() => sealCodewords(app.engines)));
    expect(await sealsOf()).toHaveLength(count + 1);
  });

  it('stand in the audit log as one hash', async () => {
    const anchors = () =>
      readRows(app, `select details from audit_log where action = 'codewords.anchored' order by id`);
    await anchorSeals(app.engines);
    await anchorSeals(app.engines);
    await commit();
    await sealCodewords(app.engines);
    await anchorSeals(app.engines);
    const [one, same, next] = (await anchors()).map(({ details }) => details);
    expect(one).toEqual({ creators: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect([same, next === one]).toEqual([one, false]);
    expect(next).not.toEqual(one);
  });

  it('change with every part of a row', () => {
    const row = { seq: 1, at: new Date(5), kind: 'grant', id: randomUUID(), commitment: Buffer.alloc(32, 1) } as const;
    const hashes = [
      row,
      { ...row, seq: 2 },
      { ...row, at: new Date(6) },
      { ...row, kind: 'link' as const },
      { ...row, id: randomUUID() },
      { ...row, commitment: Buffer.alloc(32, 2) },
    ].map((changed) => hashRows([changed]).toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(sealRows('a', undefined, [row]).hash).not.toEqual(sealRows('b', undefined, [row]).hash);
    expect(sealRows('a', { n: 1, hash: firstHash }, [row]).n).toBe(2);
  });
});

describe('the scheduler', () => {
  it('seals every minute by itself, and writes down all seals once a day', async () => {
    const working = await openTestApp();
    try {
      const kept = `select name, cron, timezone from pgboss.schedule where name like 'tracing.%' order by name`;
      const schedules = await readRows(working, kept);
      expect(schedules).toContainEqual({ name: 'tracing.seal', cron: '* * * * *', timezone: 'UTC' });
      expect(schedules).toContainEqual({ name: 'tracing.anchor', cron: '3 0 * * *', timezone: 'UTC' });
      const { userId } = await signUpCreator(working);
      const now = new Date(working.engines.clock());
      await readRows(working, insert, [now, userId, randomUUID(), Buffer.alloc(32, 7)]);
      const sealed = () => readRows(working, 'select creator_id, n from codeword_seals');
      // What the minute does: it puts one job into that queue.
      const { database, jobs } = working.engines;
      await database.work({ kind: 'system' }, (tx) => jobs.send(tx, 'tracing.seal', {}));
      await expect.poll(sealed, { interval: 50 }).toEqual([{ creator_id: userId, n: 1 }]);
    } finally {
      await working.close();
    }
  });
});
