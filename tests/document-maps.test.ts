import { existsSync, readFileSync } from 'node:fs';
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

  test('draws the machines of requests, orders, disputes, payouts, media and traces', () => {
    const tables = machines.map(({ table }) => table);
    expect(tables).toEqual(['custom_requests', 'checkout_orders', 'disputes', 'payouts', 'media', 'traces']);
  });

  test.each(machines)('draws exactly the states that $table.$column may have', ({ table, column, drawn }) => {
    expect(drawn.length).toBeGreaterThan(3);
    expect(drawn).toEqual(allowed(table, column));
  });
});

test.each(['state-machines.md'])('every file that docs/%s names is there', (document) => {
  const named = [...read(`docs/${document}`).matchAll(/`((?:src|tests|db|scripts)\/[^`\s]+\.[a-z]+)`/g)];
  expect(named.length).toBeGreaterThan(2);
  expect(named.map(([, file = '']) => file).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
