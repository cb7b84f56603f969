import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Runner } from '#engines/database/work.ts';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { hashKey, insertAudit, insertErrorLog, type RateAnswer, sweepRateLimits, takeRate } from './store.ts';

const system: Runner = { kind: 'system' };
const userId = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
const creator: Runner = { kind: 'user', userId };
const now = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
const rows = (text: string) => database.work(system, async (tx) => (await tx.client.query(text)).rows);

describe('the log of deeds', () => {
  it('is written in the transaction that does the deed, also by a creator', async () => {
    const target = { type: 'link', id: randomUUID() };
    await database.work(creator, (tx) =>
      insertAudit(tx, {
        actor: { type: 'creator', id: userId },
        action: 'link.revoked',
        target,
        details: { undo: true },
        requestId: 'r1',
      }),
    );
    const failing = database.work(creator, async (tx) => {
      await insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'never' });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(
      await rows('select actor_type, actor_id, action, target_type, target_id, details, request_id from audit_log'),
    ).toEqual([
      {
        actor_type: 'creator',
        actor_id: userId,
        action: 'link.revoked',
        target_type: 'link',
        target_id: target.id,
        details: { undo: true },
        request_id: 'r1',
      },
    ]);
  });

  it('leaves out what is no id', async () => {
    await database.work(system, (tx) =>
      insertAudit(tx, {
        actor: { type: 'visitor', id: 'bob@example.org' },
        action: 'odd',
        target: { type: 'slug', id: 'AbC' },
      }),
    );
    expect(await rows(`select actor_id, target_id from audit_log where action = 'odd'`)).toEqual([
      { actor_id: null, target_id: null },
    ]);
  });

  it('is never changed, not even by the system', async () => {
    await expect(rows(`update audit_log set action = 'x'`)).rejects.toMatchObject({ code: '42501' });
    // What is younger than 24 months is not deleted either: the table refuses it by itself.
    await expect(rows('delete from audit_log')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the log of errors', () => {
  it('keeps what it is told, cut to a size', async () => {
    const long = 'x'.repeat(100_000);
    const entry = {
      component: long,
      message: long,
      stack: long,
      url: long,
      userAgent: long,
      userId,
      sessionId: 'no id',
    };
    await database.work(creator, (tx) => insertErrorLog(tx, entry, now));
    const [row] = await rows('select *, octet_length(error_logs::text) as size_bytes from error_logs');
    expect(row).toMatchObject({ severity: 'error', user_id: userId, session_id: null, created_at: now });
    expect(row.size_bytes).toBeLessThan(12_000);
  });
});

describe('rate limits', () => {
  const take = (key: string, at = now, cost: 0 | 1 = 1, limit = 3): Promise<RateAnswer> =>
    database.work(creator, (tx) => takeRate(tx, { key, limit, windowSeconds: 60, now: at, cost }));

  it('let a number through in a window, and again in the next', async () => {
    for (const count of [1, 2, 3]) expect(await take('a')).toEqual({ isOver: false, retryAfterSeconds: 60, count });
    expect(await take('a', later(20))).toEqual({ isOver: true, retryAfterSeconds: 40, count: 4 });
    expect((await take('b', later(20))).isOver).toBe(false);
    expect(await take('a', later(60))).toEqual({ isOver: false, retryAfterSeconds: 60, count: 1 });
  });

  it('let no more through when many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => take('c')));
    expect(all.filter(({ isOver }) => !isOver)).toHaveLength(3);
  });

  it('do not ask the database again for one that is over', async () => {
    for (let n = 0; n < 4; n++) await take('d');
    const before = database.statementCount();
    expect((await take('d')).isOver).toBe(true);
    expect(database.statementCount() - before).toBe(2); // begin and commit of the test's own transaction
    expect((await take('d', now, 1, 10)).isOver).toBe(false); // another limit is another question
  });

  it('can be looked at without counting', async () => {
    for (let n = 0; n < 3; n++) {
      expect((await take('e', now, 0)).isOver).toBe(false);
      await take('e');
    }
    expect(await take('e', now, 0)).toEqual({ isOver: true, retryAfterSeconds: 60, count: 3 });
    expect((await take('e', now, 0)).count).toBe(3);
  });

  it('are forgotten two days later', async () => {
    await take('old', later(-3 * 86_400));
    await take('fresh', later(-60));
    expect(await database.work(system, (tx) => sweepRateLimits(tx, now))).toBe(1);
    expect((await rows(`select key from rate_limits where key in ('old', 'fresh')`)).map(({ key }) => key)).toEqual([
      'fresh',
    ]);
  });

  it('have keys that tell nobody whom they count', () => {
    const [ring, other] = [1, 2].map(() => keyRingOf([{ id: 'k', key: randomBytes(32) }])) as [
      ReturnType<typeof keyRingOf>,
      ReturnType<typeof keyRingOf>,
    ];
    const key = hashKey(ring, 'sign_in', 'bob@example.org');
    expect(key).toMatch(/^sign_in:[\w-]{22}$/);
    expect(hashKey(ring, 'sign_in', 'bob@example.org')).toBe(key);
    for (const different of [
      hashKey(ring, 'sign_up', 'bob@example.org'),
      hashKey(ring, 'sign_in', 'eve@example.org'),
      hashKey(other, 'sign_in', 'bob@example.org'),
    ])
      expect(different.split(':')[1]).not.toBe(key.split(':')[1]);
  });
});
