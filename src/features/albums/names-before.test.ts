import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { migrate } from '#engines/database/migrate.ts';
import { foldText, foldTexts } from '#kit/search.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-names-before-'));
let database: Database;
let client: pg.Client;

beforeAll(async () => {
  const name = `names_before_${randomUUID().slice(0, 8)}`;
  database = await openDatabase({ dataDir: inject('cluster'), name, migrations: null, log: () => undefined });
  client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  for (const file of readdirSync('db/migrations'))
    if (file < '0048') cpSync(path.join('db/migrations', file), path.join(folder, file));
  await migrate(client, folder);
});
afterAll(async () => {
  await client.end();
  await database.close();
  rmSync(folder, { recursive: true });
});

const names = [
  'Café',
  'Cafe\u0301',
  'STRAẞE 9',
  'Łódź – Øresund',
  'ΟΔΥΣΣΕΥΣ',
  'ЁЛКА',
  'Bob’s “Œuvre”',
  'İstanbul',
  'ｆｕｌｌ　ｗｉｄｔｈ',
  'so\u00adft \u202ehyphen',
  'が कि ملفّ',
  '50 %_\\',
  '❤️',
];

test('names that were there before are folded as the app folds new ones', async () => {
  const [userId, albumIds] = [randomUUID(), names.map(() => randomUUID())];
  await client.query('set role app_system');
  await client.query(`insert into users (id, email, created_at) values ($1, 'mia@example.com', now())`, [userId]);
  for (const [n, id] of albumIds.entries())
    await client.query('insert into albums (id, user_id, name, created_at) values ($1, $2, $3, now())', [
      id,
      userId,
      names[n],
    ]);
  await client.query(
    `insert into magic_links (id, user_id, slug, link_name, note, policy, created_at) values ($1, $2, 'abcdefghijklmnop', 'Zoë', 'Straße', '{}', now())`,
    [randomUUID(), userId],
  );
  await client.query('reset role');
  await migrate(client, 'db/migrations');
  await client.query('set role app_system');
  const { rows } = await client.query<{ search_text: string }>(
    'select search_text from albums order by array_position($1::uuid[], id)',
    [albumIds],
  );
  const links = await client.query('select search_text from magic_links');
  await client.query('reset role');
  expect(rows.map(({ search_text }) => search_text)).toEqual(names.map(foldText));
  expect(links.rows).toEqual([{ search_text: foldTexts('Zoë', null, 'Straße') }]);
});
