import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { type Catalogue, readCatalogue } from '../scripts/schema/catalogue.ts';
import { drawPicture } from '../scripts/schema/picture.ts';
import { writeTypes } from '../scripts/schema/types.ts';

const parrots = `
  create table parrots (
    id bigint generated always as identity primary key,
    owner_id uuid not null,
    mood text not null default 'it''s fine' check (mood in ('it''s fine', 'loud')),
    words text[] not null default '{}' check (cardinality(words) between 0 and 9),
    learnt jsonb not null,
    notes jsonb,
    hatched date,
    weight_grams numeric(6,2) not null,
    wings smallint not null generated always as (2) stored,
    seen_at timestamptz not null default now(),
    feather bytea,
    unique (owner_id, mood),
    constraint no_heavy_babies check (hatched is null or weight_grams < 900)
  );
  create unique index parrots_loud on parrots (owner_id) where mood = 'loud';
  create trigger touch before update on parrots for each row when (new.words <> old.words) execute function touch_updated_at();`;
const wallParrots = `
  select wall('parrots', 'owner_id', 'true', 'select');
  grant update (mood, words) on parrots to app_user;`;
const perches = 'create table perches (id uuid primary key, parrot_id bigint references parrots on delete cascade);';

const opened: Database[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'pf-drift-'));
afterAll(async () => {
  for (const database of opened) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await catalogueAfter('schema_one', parrots + perches + wallParrots);
});

test('the picture reads like the migration that made it', () => {
  expect(pictureOf('parrots')).toBe(
    `create table parrots (
  id bigint not null generated always as identity,
  owner_id uuid not null,
  mood text not null default 'it''s fine',
  words text[] not null default '{}',
  learnt jsonb not null,
  notes jsonb,
  hatched date,
  weight_grams numeric(6,2) not null,
  wings smallint not null generated always as (2) stored,
  seen_at timestamptz not null default now(),
  feather bytea,
  constraint parrots_pkey primary key (id),
  constraint parrots_owner_id_mood_key unique (owner_id, mood),
  constraint no_heavy_babies check ((hatched is null) or (weight_grams < (900)::numeric)),
  constraint parrots_mood_check check (mood in ('it''s fine', 'loud')),
  constraint parrots_words_check check ((cardinality(words) >= 0) and (cardinality(words) <= 9))
);
create unique index parrots_loud on parrots (owner_id) where (mood = 'loud');
create trigger touch before update on parrots for each row when ((new.words <> old.words)) execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on parrots for all to app_user using (owner_id = (select app_uid())) with check ((owner_id = (select app_uid())) and true);
create policy system on parrots for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on parrots to app_system;
grant select on parrots to app_user;
grant update (mood, words) on parrots to app_user;`,
  );
});

test('a table that nobody walled cannot be overlooked', () => {
  expect(pictureOf('perches')).toContain('-- row-level security: OFF, NOT FORCED');
});

test('types say what the driver hands out and what a query may write', () => {
  const written = writeTypes(catalogue);
  expect(written).toContain(`export interface ParrotsTable {
  id: GeneratedAlways<number>;
  owner_id: string;
  mood: Generated<'it\\'s fine' | 'loud'>;
  words: Generated<string[]>;
  learnt: ColumnType<unknown, object | string, object | string>;
  notes: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  hatched: string | null;
  weight_grams: string;
  wings: GeneratedAlways<number>;
  seen_at: Generated<Date>;
  feather: Buffer | null;
}`);
  expect(written).toContain('  parrots: ParrotsTable;\n');
});

test('the same migrations in another order of making give the same picture', async () => {
  const other = await catalogueAfter(
    'schema_two',
    `create table perches (id uuid primary key, parrot_id bigint); ${parrots} ${wallParrots}
     alter table perches add foreign key (parrot_id) references parrots on delete cascade;`,
  );
  expect(drawPicture(other)).toBe(drawPicture(catalogue));
  expect(writeTypes(other)).toBe(writeTypes(catalogue));
});

test.each([
  ['an enumeration', "create type colours as enum ('red')", 'colours'],
  ['a view', 'create view loud as select 1 as one', 'loud'],
])('%s, which the picture cannot show, is refused by its name', async (_, sql, name) => {
  await expect(catalogueAfter(`schema_${name}`, sql)).rejects.toThrow(`cannot show ${name}`);
});

test('a type nobody thought of is refused by the name of its column', async () => {
  const strange = await catalogueAfter('schema_strange', 'create table nests (place point)');
  expect(() => writeTypes(strange)).toThrow('nests.place is point');
});

test('--check is silent when all is the same, and names the first line that differs', async () => {
  cpSync('db', path.join(folder, 'db'), { recursive: true });
  mkdirSync(path.join(folder, 'src/engines/database'), { recursive: true });
  const write = () => writeSchema('--data', inject('cluster'));
  const check = () => writeSchema('--data', inject('cluster'), '--check');
  expect((await write()).code).toBe(0);
  expect(await check()).toEqual({ code: 0, said: '' });
  const picture = path.join(folder, 'db/schema.sql');
  writeFileSync(picture, readFileSync(picture, 'utf8').replace('email text not null', 'email text'));
  const { code, said } = await check();
  expect(code).toBe(1);
  expect(said).toMatch(
    /^db\/schema\.sql is not what the migrations make.*\nline \d+\n- {3}email text,\n\+ {3}email text not null,\n$/,
  );
});

async function catalogueAfter(name: string, sql: string): Promise<Catalogue> {
  const database = await openDatabase({
    dataDir: inject('cluster'),
    name,
    template: inject('template'),
    migrations: null,
    log: () => undefined,
  });
  opened.push(database);
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  try {
    await client.query(sql);
    return await readCatalogue(client);
  } finally {
    await client.end();
  }
}

function pictureOf(table: string): string | undefined {
  return drawPicture(catalogue)
    .split('\n\n')
    .find((part) => part.startsWith(`create table ${table} (`))
    ?.trimEnd();
}

function writeSchema(...words: string[]) {
  const script = path.resolve('scripts/write-schema.ts');
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, [script, ...words], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: words.includes('--check') ? stdout + stderr : '' }),
    );
  });
}
