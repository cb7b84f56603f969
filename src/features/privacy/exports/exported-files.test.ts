import { expect, it } from 'vitest';
import { creatorTables } from '../retention/creator-tables.ts';
import { exportedFiles, notExported } from './exported-files.ts';

it('an export has something of every table with rows of a creator, or says why not', () => {
  const told = new Set([...exportedFiles.flatMap(({ tables }) => tables), ...Object.keys(notExported)]);
  const kept = Object.entries(creatorTables).flatMap(([table, { creator }]) => (creator === undefined ? [] : [table]));
  expect(kept.filter((table) => !told.has(table))).toEqual([]);
});

it('tells nothing both ways, and names no table that is not there', () => {
  const tables = exportedFiles.flatMap((file) => file.tables);
  expect(tables.filter((table) => table in notExported)).toEqual([]);
  expect(Object.keys(notExported).filter((table) => !(table in creatorTables))).toEqual([]);
});
