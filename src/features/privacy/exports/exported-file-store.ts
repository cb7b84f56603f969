import { type Statement, statement, type Tx } from '#engines/database/work.ts';

/** What is read for one file of an export. */
export interface Listing {
  /** Its columns, each with its SQL; `$1` is the creator. */
  columns: Readonly<Record<string, string>>;
  from: string;
  where: string;
  /** SQL of when a row began; the newest come first. */
  at: string;
  /** SQL of what no two rows of one moment share. */
  id: string;
  /** Of `id`; default `uuid`. */
  idType?: 'uuid' | 'bigint' | 'text';
  /** Tables that only the system reads. */
  as?: 'system';
  /** Tables whose rows of a creator are told by this file. */
  tables: readonly string[];
}

/** A file of an export, as a table or as JSON. */
export interface ExportedFile {
  /** Where it stands in the zip. */
  name: `data/${string}.${'csv' | 'json'}`;
  columns: readonly string[];
  tables: readonly string[];
  as: 'user' | 'system';
  page: Statement<ExportedRow>;
}

export type ExportedRow = Record<string, unknown> & { cursorAt: string; cursorId: string };

const rowsAtOnce = 1000;

/** Declares a file with the one query that reads it, page by page. */
export function exportedFile(name: ExportedFile['name'], listing: Listing): ExportedFile {
  const { columns, from, where, at, id, idType = 'uuid', as = 'user', tables } = listing;
  const selected = Object.entries(columns).map(([column, sql]) => `${sql} as "${column}"`);
  const text = `select ${selected.join(', ')}, (${at})::text as "cursorAt", (${id})::text as "cursorId" from ${from}
where ${where} and ($2::text is null or (${at}, ${id}) < ($2::timestamptz, $3::${idType})) order by ${at} desc, ${id} desc limit ${rowsAtOnce}`;
  const page = statement<ExportedRow>(`export_${name.replace(/\W/g, '_')}`, text);
  return { name, columns: Object.keys(columns), tables, as, page };
}

/** Reads the next rows of a file. @param after the last row of before */
export const readPage = (
  tx: Tx,
  { page }: ExportedFile,
  creatorId: string,
  after: ExportedRow | undefined,
): Promise<ExportedRow[]> => tx.query(page, [creatorId, after?.cursorAt ?? null, after?.cursorId ?? null]);

/** Returns whether there may be more rows after these. */
export const isFullPage = (rows: readonly ExportedRow[]): boolean => rows.length === rowsAtOnce;
