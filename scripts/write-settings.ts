import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable, withTable } from './settings-table.ts';

/** `npm run docs:settings`: writes the table of settings into docs/operations.md, between its two marks. */
const file = 'docs/operations.md';
writeFileSync(file, withTable(readFileSync(file, 'utf8'), settingsTable()));
