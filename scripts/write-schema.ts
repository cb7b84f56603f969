/**
 * Writes db/schema.sql and src/engines/database/tables.ts from the database that the migrations make.
 *
 *   npm run db:schema                  writes both
 *   npm run db:check                   compares both and fails when they differ
 *   … -- --data <folder>               uses that data folder instead of a fresh one
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '#engines/database/database.ts';
import { type Catalogue, readCatalogue } from './schema/catalogue.ts';
import { drawPicture } from './schema/picture.ts';
import { writeTypes } from './schema/types.ts';

/** A folder that PostgreSQL's own account can enter as well, when we are root. */
function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-schema-'));
  chmodSync(folder, 0o755);
  return folder;
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, data: { type: 'string' } } });
const catalogue = await readMigrated(values.data);
const files = [
  { file: 'db/schema.sql', text: drawPicture(catalogue) },
  { file: 'src/engines/database/tables.ts', text: writeTypes(catalogue) },
];
for (const { file, text } of files) {
  const difference = firstDifference(read(file), text);
  if (values.check && difference) {
    console.error(`${file} is not what the migrations make; run \`npm run db:schema\`.\n${difference}`);
    process.exitCode = 1;
  } else if (difference) writeFileSync(file, text);
  if (!values.check) console.log(`${file}: ${difference ? 'written' : 'unchanged'}`);
}

async function readMigrated(given: string | undefined): Promise<Catalogue> {
  const dataDir = given ?? makeFolder();
  const database = await openDatabase({ dataDir, migrations: 'db/migrations', log: () => undefined });
  const client = new pg.Client(database.connection as pg.ClientConfig);
  try {
    await client.connect();
    return await readCatalogue(client);
  } finally {
    await client.end();
    await database.close();
    if (!given) rmSync(dataDir, { recursive: true, force: true });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The first line that differs, as a person would want to see it; nothing when all is the same. */
function firstDifference(stands: string, made: string): string | undefined {
  if (stands === made) return undefined;
  const [left, right] = [stands.split('\n'), made.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const line = at === -1 ? left.length : at;
  return `line ${line + 1}\n- ${left[line] ?? '(end of file)'}\n+ ${right[line] ?? '(end of file)'}`;
}
