import { Readable } from 'node:stream';
import type { Database } from '#engines/database/database.ts';
import { byteOrderMark, writeLine } from '#kit/csv.ts';
import { type ExportedFile, type ExportedRow, isFullPage, readPage } from './exported-file-store.ts';

/** Writes a file of an export while its rows are read, a page at a time. */
export const streamRows = (database: Pick<Database, 'work'>, file: ExportedFile, creatorId: string): Readable => {
  const pages = readPages(database, file, creatorId);
  const text = file.name.endsWith('.csv') ? writeTable(file, pages) : writeList(file, pages);
  return Readable.from(text, { objectMode: false });
};

/** What the creator may read is read as them, under row-level security. */
async function* readPages(
  { work }: Pick<Database, 'work'>,
  file: ExportedFile,
  creatorId: string,
): AsyncGenerator<ExportedRow[]> {
  const runner = file.as === 'user' ? ({ kind: 'user', userId: creatorId } as const) : ({ kind: 'system' } as const);
  let last: ExportedRow | undefined;
  do {
    const after = last;
    const rows = await work(runner, (tx) => readPage(tx, file, creatorId, after));
    if (rows.length > 0) yield rows;
    last = isFullPage(rows) ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

async function* writeTable({ columns }: ExportedFile, pages: AsyncIterable<ExportedRow[]>): AsyncGenerator<string> {
  yield `${byteOrderMark}${writeLine(columns)}`;
  for await (const rows of pages)
    yield rows.map((row) => writeLine(columns.map((column) => cellOf(row[column])))).join('');
}

async function* writeList({ columns }: ExportedFile, pages: AsyncIterable<ExportedRow[]>): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const rows of pages) {
    const texts = rows.map((row) =>
      JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])), null, 2),
    );
    yield `${isFirst ? '\n' : ',\n'}${texts.join(',\n')}`;
    isFirst = false;
  }
  yield '\n]\n';
}

function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
}
