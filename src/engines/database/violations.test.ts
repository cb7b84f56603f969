import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import type { Database } from './database.ts';
import { isConflictOn, isReferenceGone } from './violations.ts';

describe('a refused statement', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const insertUser = (email: string) =>
    database.work({ kind: 'system' }, ({ db }) =>
      sql`insert into users (id, email, created_at) values (${randomUUID()}, ${email}, now())`.execute(db),
    );
  const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

  it('is a conflict on the constraint that it names, and on no other', async () => {
    await insertUser('twice@example.com');
    const error = await failureOf(insertUser('twice@example.com'));
    expect(isConflictOn(error, 'users_email_key')).toBe(true);
    expect(isConflictOn(error, 'users_handle_key', 'users_email_key')).toBe(true);
    expect(isConflictOn(error, 'users_handle_key', 'users_pkey')).toBe(false);
    expect([isConflictOn(error), isReferenceGone(error)]).toEqual([false, false]);
  });

  it('refers to a row that is gone, which is no conflict', async () => {
    const error = await failureOf(
      database.work({ kind: 'system' }, ({ db }) =>
        sql`insert into user_roles (user_id, role) values (${randomUUID()}, 'admin')`.execute(db),
      ),
    );
    expect([isReferenceGone(error), isConflictOn(error, 'user_roles_pkey')]).toEqual([true, false]);
  });

  it.each([undefined, null, 'text', new Error('23505'), { code: '23505' }])('is none of it: %s', (error) => {
    expect([isConflictOn(error, 'users_email_key'), isReferenceGone(error)]).toEqual([false, false]);
  });
});

describe('conflicts in the product', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join('src', file), 'utf8') }));

  it('name constraints that exist', () => {
    const schema = readFileSync('db/schema.sql', 'utf8');
    const calls = sources.flatMap(({ text }) => [...text.matchAll(/isConflictOn\(\s*error,([^)]*)\)/g)]);
    const names = calls.flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(5);
    const isThere = (name: string) =>
      new RegExp(`(constraint ${name} (unique|primary key)|unique index ${name}) `).test(schema);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it('are told by nothing but the constraint', () => {
    const bare = sources.filter(({ file, text }) => file.startsWith('features') && /['"\s]2350\d/.test(text));
    expect(bare.map(({ file }) => file)).toEqual([]);
  });
});
