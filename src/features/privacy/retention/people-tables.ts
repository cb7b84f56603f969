import { creatorTables } from './creator-tables.ts';
import type { PeopleTable } from './people-table.ts';
import { unnamedTables, viewerTables } from './viewer-tables.ts';

/** Every table that holds people, in the order in which an erasure goes through them; a test compares it with the schema. */
export const peopleTables: Readonly<Record<string, PeopleTable>> = {
  ...creatorTables,
  ...viewerTables,
  ...unnamedTables,
};
