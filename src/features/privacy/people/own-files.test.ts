import { expect, it } from 'vitest';
import { peopleTables } from '../retention/people-tables.ts';
import { notInOwnFile, ownListings } from './own-files-store.ts';

const theirs = Object.entries(peopleTables).flatMap(([table, { viewer, buyer, address }]) =>
  viewer === undefined && buyer === undefined && address === undefined ? [] : [table],
);
const told = Object.values(ownListings).flatMap(({ tables }): readonly string[] => tables);

it('the file has something of every table with rows of people without an account, or says why not', () => {
  const known = new Set([...told, ...Object.keys(notInOwnFile)]);
  expect(theirs.filter((table) => !known.has(table))).toEqual([]);
});

it('tells nothing both ways, and names no table that is not there', () => {
  expect(told.filter((table) => table in notInOwnFile)).toEqual([]);
  expect(Object.keys(notInOwnFile).filter((table) => !theirs.includes(table))).toEqual([]);
  expect(told.filter((table) => !(table in peopleTables))).toEqual([]);
});
