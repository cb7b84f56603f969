import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What runs a declared statement, which is no text any more: a transaction, or the database itself. */
const runners = '(?<!\\b(?:tx|source|system|database|outer|higher|still|own)\\s*)';
const query = (next: string): RegExp => new RegExp(`${runners}\\.query\\(\\s*${next}`);

/** Ways in which a text of SQL may come to the database that was put together while the app runs. */
const ways: Readonly<Record<string, RegExp>> = {
  'a text that is taken for SQL': /\bsql\.(raw|lit|literal)\b|\bCompiledQuery\.raw\b/,
  'a text with values in it': query('`[^`]*\\$\\{'),
  'a text out of pieces': query(`(['"\`])(?:(?!\\1).)*\\1\\s*\\+`),
  'a text from elsewhere': query(`(?!['"\`])`),
  'a statement that is made again by a function': /^[ \t]+.*\bstatement(<.*>)?\(/m,
};

/** Files that may, and what their texts are made of. */
export const mayBuild: Readonly<Record<string, string>> = {
  'engines/database/database.ts': 'its own texts, handed to one that runs them',
  'engines/database/fill-database.ts': 'names out of the catalogue, and one of its own',
  'engines/database/lanes.ts': 'a statement of a store, with its values beside it',
  'engines/database/migrate.ts': 'files of migrations, names of roles and the number of a lock',
  'engines/database/move-rows.ts': 'names out of the catalogue, escaped',
  'engines/database/work.ts': 'what a store or Kysely made, with its values beside it, and the role of who asks',
  'engines/jobs/pg-boss.ts': 'what the queue made, with its values beside it',
  'features/admin/junk/rows-store.ts':
    'once for each kind, while the app starts, for tables and conditions that the file names',
  'features/admin/operations/today-store.ts': 'for sums, moments and names that the file itself names',
  'features/admin/operations/waiting-store.ts': 'for a condition that the store of refund requests names',
  'features/admin/users/users-store.ts': 'for tables and conditions that the file itself names',
  'features/insights/folding/recount-store.ts': 'once, while the app starts, for tables that the file names',
  'features/insights/reading/timeline-store.ts': 'once, while the app starts, for tables that the file names',
  'features/insights/store.ts': 'once, while the app starts, for orders that the file names',
  'features/privacy/exports/exported-file-store.ts':
    'once for each file of an export, while the app starts, for tables and columns that the files’ lists name',
  'features/privacy/retention/erasing-rows-store.ts':
    'names of tables and columns, and what takes the place of words, all of which the file’s list names',
  'features/sales/ends-store.ts': 'once, while the app starts, for kinds and ends of sales that the files name',
  'features/viewing/mailed-codes-store.ts':
    'once for each kind, while the app starts, for tables and columns that the file names',
};

/** Returns how a source puts SQL together, if it does. */
export const findBuiltSql = (text: string): string[] =>
  Object.entries(ways).flatMap(([way, found]) => (found.test(text) ? [way] : []));

/** Every source of the product that puts SQL together. */
export function listBuilders(): string[] {
  return readdirSync('src', { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .filter((name) => findBuiltSql(readFileSync(path.join('src', name), 'utf8')).length > 0)
    .toSorted();
}
