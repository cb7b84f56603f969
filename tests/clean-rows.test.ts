import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanLine, cleanText } from '#kit/clean-text.ts';
import { openSession, readRow, signUpCreator } from './support/people.ts';
import { openTestApp, type TestApp } from './support/test-app.ts';

const migration = readFileSync('db/migrations/0190_clean_texts.sql', 'utf8');
const dirty = 'Mia\u0001 \r\n Pay\u2028to\u0085b\u000bc\u001b\ufffe\uffff';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
}, 120_000);
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
