import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chapters, requirements } from '../scripts/asvs/requirements.ts';
import { settingsTable, withTable } from '../scripts/settings-table.ts';
import { eventTypes } from '../src/engines/payments/stripe-events.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pathsIn = (text: string) => [...text.matchAll(/`((?:src|tests)\/[^`\s]+\.ts)`/g)].map(([, file = '']) => file);

test('every proof that the threats name exists', () => {
  const paths = pathsIn(read('docs/threats.md'));
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every setting stands in the table of docs/operations.md, as it is', () => {
  // The formatter pads the columns of a table.
  const plain = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
  const document = read('docs/operations.md');
  expect(plain(withTable(document, settingsTable()))).toBe(plain(document));
});

test('the events that are acted upon are those to choose at the provider, by their hook', () => {
  const rows = read('docs/operations.md').matchAll(/^\| `\/api\/hooks\/([a-z\d-]+)` .* \| ([^|]+) \|$/gm);
  const chosen = Object.fromEntries(
    [...rows].map(([, hook = '', cell = '']) => [hook, cell.trim().slice(1, -1).split('` · `')]),
  );
  expect(chosen).toEqual(eventTypes);
});

describe('the requirements of ASVS', () => {
  test('each name a test that is there, once', () => {
    expect(requirements.filter(({ file, test: name }) => !read(file).includes(name))).toEqual([]);
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  });

  test('all stand in the document, in the chapters of version 5.0', () => {
    const document = read('docs/asvs.md');
    expect(chapters.map(({ n }) => n)).toEqual(Array.from({ length: 17 }, (_, at) => at + 1));
    const missing = requirements.filter(
      ({ id, test: name }) => !document.includes(`| ${id} `) || !document.includes(name),
    );
    expect(missing).toEqual([]);
    expect(pathsIn(document).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

test('every page has a route: a file that nobody can reach is not there', () => {
  const routes = read('src/app/routes.ts');
  const pages = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-page.tsx'),
  );
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((file) => !routes.includes(path.basename(file)))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file that %s names is there', (document) => {
  const named = [...read(document).matchAll(/`#?([a-z\d./-]+\/[a-z\d.-]+\.(?:tsx?|mjs|sql|md))`/g)];
  const places = ['', 'src', 'src/features'];
  const isThere = (file: string) => places.some((place) => existsSync(path.join(root, place, file)));
  expect(named.length).toBeGreaterThan(15);
  expect(named.map(([, file = '']) => file).filter((file) => !isThere(file))).toEqual([]);
});

test('a rule is said where it holds, never by the number that it has in a paper elsewhere', () => {
  const files = ['docs', 'src', 'tests'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(md|tsx?)$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const cited = /\b(spec|product) §|\(§|\((?:[CR]\d{1,2}|product \d)\)|\bthe spec's\b/i;
  const citing = [...files, 'ARCHITECTURE.md', 'CONTRIBUTING.md'].filter((file) => cited.test(read(file)));
  expect(citing.filter((file) => file !== 'tests/documents.test.ts')).toEqual([]);
});
