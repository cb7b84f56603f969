import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const schema = read('db/schema.sql');

/** The values that a column's check constraint allows. */
const allowed = (table: string, column: string): string[] => {
  const [, list = ''] =
    new RegExp(`constraint ${table}_${column}_check check \\(${column} in \\(([^)]*)\\)`).exec(schema) ?? [];
  return [...list.matchAll(/'([a-z_]+)'/g)].map(([, value = '']) => value).toSorted();
};

describe('docs/state-machines.md', () => {
  const sections = read('docs/state-machines.md').split(/^## /m).slice(1);
  const machines = sections.map((section) => {
    const [, table = '', column = ''] = /`([a-z_]+)\.([a-z_]+)`/.exec(section) ?? [];
    const drawn = [...section.matchAll(/^ {2}(\S+) --> ([^\s:]+)/gm)].flatMap(([, from = '', to = '']) => [from, to]);
    return { table, column, drawn: [...new Set(drawn)].filter((state) => state !== '[*]').toSorted() };
  });

  test('draws the machines of requests, orders, disputes, payouts, media, traces, access requests, deletions and exports', () => {
    const tables = machines.map(({ table }) => table);
    expect(tables).toEqual([
      'custom_requests',
      'checkout_orders',
      'disputes',
      'payouts',
      'media',
      'traces',
      'album_access_requests',
      'co_performers',
      'people_erasures',
      'account_deletions',
      'data_exports',
    ]);
  });

  test.each(machines)('draws exactly the states that a row of $table may have', ({ table, column, drawn }) => {
    expect(drawn.length).toBeGreaterThan(3);
    expect(drawn).toEqual(allowed(table, column));
  });
});

describe('docs/tables.md', () => {
  const rows = [...read('docs/tables.md').matchAll(/^\| (\S+) +\| `([a-z_]+)` +\|/gm)];

  test('has one row for each table of the schema', () => {
    const tables = [...schema.matchAll(/^create table ([a-z_]+)/gm)].map(([, table = '']) => table);
    expect(tables.length).toBeGreaterThan(100);
    expect(rows.map(([, , table = '']) => table).toSorted()).toEqual(tables.toSorted());
  });

  test('names rooms that are there', () => {
    const rooms = new Set([...readdirSync(path.join(root, 'src/features')), 'engines']);
    expect(rows.map(([, room = '']) => room).filter((room) => !rooms.has(room))).toEqual([]);
  });
});

describe('docs/decisions/README.md', () => {
  const lines = [...read('docs/decisions/README.md').matchAll(/^- (\d{4}) \[(.+)\]\((\S+)\)$/gm)];

  test('names each decision once, by its own title', () => {
    const decisions = readdirSync(path.join(root, 'docs/decisions')).filter((file) => file !== 'README.md');
    const titles = decisions.map((file) => {
      const [, number = '', title = ''] = /^# (\d{4})(?: –)? (.+)$/m.exec(read(`docs/decisions/${file}`)) ?? [];
      return `${number} ${title} ${file}`;
    });
    expect(decisions.length).toBeGreaterThan(50);
    expect(lines.map(([, number, title, file]) => `${number} ${title} ${file}`).toSorted()).toEqual(titles.toSorted());
  });
});

test.each(['state-machines', 'tables', 'debugging'])('every file that docs/%s.md names is there', (document) => {
  const named = [...read(`docs/${document}.md`).matchAll(/`([a-z\d./-]+\/[a-z\d._-]+\.(?:tsx?|mjs|sql|md))`/g)];
  const isThere = (file: string) =>
    ['', 'src', 'src/features'].some((place) => existsSync(path.join(root, place, file)));
  expect(named.length).toBeGreaterThan(2);
  expect(named.map(([, file = '']) => file).filter((file) => !isThere(file))).toEqual([]);
});
