import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { cleanLine, cleanText } from '#kit/clean-text.ts';
import { openSession, readRow, signUpCreator } from './support/people.ts';
import { openTestApp, type TestApp } from './support/test-app.ts';

const migration = readFileSync('db/migrations/0190_clean_texts.sql', 'utf8');
const dirty = 'Mia\u0001 \r\n Pay\u2028to\u0085b\u000bc\u001b\ufffe\uffff';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

it('texts that were stored before are cleaned as new ones are', async () => {
  const { userId } = await signUpCreator(app);
  await openSession(app, userId);
  const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await owner.connect();
  await owner.query('set role app_system');
  await owner.query('update users set display_name = $2, bio = $2 where id = $1', [userId, dirty]);
  const items = [
    { title: dirty, cents: 1000 },
    { title: '\ufffe', cents: 2000 },
    { title: 'Fine', cents: 3000 },
  ];
  await owner.query('insert into request_settings (user_id, price_list) values ($1, $2)', [
    userId,
    JSON.stringify(items),
  ]);
  await owner.query(
    `insert into albums (id, user_id, name, description, search_text, created_at) values (gen_random_uuid(), $1, $2, $3, '', now())`,
    [userId, '\ufffe', 'left\nalone'],
  );
  await owner.query('reset role');
  for (let times = 0; times < 2; times++) await owner.query(migration);
  await owner.end();
  expect(await readRow(app, 'select display_name, bio from users where id = $1', [userId])).toEqual({
    display_name: cleanLine(dirty),
    bio: cleanText(dirty),
  });
  expect(await readRow(app, 'select name, description from albums where user_id = $1', [userId])).toEqual({
    name: 'Untitled',
    description: 'left\nalone',
  });
  expect(await readRow(app, 'select price_list from request_settings where user_id = $1', [userId])).toEqual({
    price_list: [
      { title: cleanLine(dirty), cents: 1000 },
      { title: 'Untitled', cents: 2000 },
      { title: 'Fine', cents: 3000 },
    ],
  });
});

/** The columns that the migration cleans, `table.column`. */
const places = [...new Set([...migration.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, place = '']) => place))];

it('a text of forbidden characters only stops no upgrade, whatever the column asks of its length', async () => {
  expect(places.length).toBeGreaterThan(45);
  const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await owner.connect();
  onTestFinished(() => owner.end());
  // A copy of each table comes before it by name. It has the check of each column by itself, so that one column makes a row.
  for (const table of new Set(places.map((place) => place.split('.')[0]))) {
    await owner.query(`create temp table ${table} (like public.${table} including constraints)`);
    const { rows } = await owner.query<{ change: string }>(
      `select 'drop constraint ' || quote_ident(conname) as change from pg_constraint
         where conrelid = 'pg_temp.${table}'::regclass and contype = 'c' and array_length(conkey, 1) > 1
       union all select 'alter column ' || quote_ident(attname) || ' drop not null' from pg_attribute
         where attrelid = 'pg_temp.${table}'::regclass and attnum > 0 and not attisdropped`,
    );
    await owner.query(`alter table pg_temp.${table} ${rows.map(({ change }) => change).join(', ')}`);
    await owner.query(`grant all on pg_temp.${table} to app_system`);
  }
  const read = async (place: string) => {
    const [table, column] = place.split('.');
    const { rows } = await owner.query(`select ${column} as text from pg_temp.${table} where ${column} is not null`);
    return rows.map(({ text }) => text);
  };
  for (const place of places) {
    const [table, column] = place.split('.');
    await owner.query(`insert into pg_temp.${table} (${column}) values ($1)`, ['\ufffe'.repeat(12)]);
  }
  await owner.query(migration);
  for (const place of places)
    expect([place, await read(place)]).toEqual([place, [expect.stringMatching(/^(|Untitled\.*)$/)]]);
});
