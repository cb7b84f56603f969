import { cpus, release, totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { figuresOf, listCalls, notMeasured } from '../bench/studio.ts';
import { isMissed, tableOf } from '../bench/support/figures.ts';
import { machineLine } from '../bench/support/machine.ts';
import { openTestDatabase } from './support/database/test-database.ts';

test('a table of figures says of which day and machine it is, and what ran on it', async () => {
  const database = await openTestDatabase();
  const postgres = await database.work({ kind: 'system' }, async ({ client }) => {
    const { rows } = await client.query(`select current_setting('server_version') as version`);
    return rows[0].version;
  });
  await database.close();
  const words = machineLine(new Date('2026-11-22T23:59:59Z')).split(', ');
  expect(words.slice(0, 7)).toEqual([
    '2026-11-22',
    cpus()[0]?.model,
    `${cpus().length} cores`,
    `${(totalmem() / 2 ** 30).toFixed(1)} GiB RAM`,
    expect.stringContaining(release()),
    `Node ${process.version.slice(1)}`,
    `PostgreSQL ${postgres}`,
  ]);
  expect(words[7]).toMatch(/^load \d+\.\d \(5 min: \d+\.\d\)/);
});

test('every question that the studio can ask is measured', async () => {
  const answers: Record<string, object> = {
    'albums.list': { albums: [{ id: 'an album' }] },
    'links.list': { links: [{ id: 'a link' }], nextCursor: 'more' },
    'insights.visits': { nextCursor: 'more' },
    'insights.viewers': { nextCursor: 'more' },
  };
  const calls = await listCalls({ call: async (procedure) => answers[procedure] });
  expect(notMeasured(calls)).toEqual([]);
  expect(notMeasured(calls.filter(({ procedure }) => procedure !== 'tracing.byCode'))).toEqual(['tracing.byCode']);
});

test('a call of the studio is judged by its p95 as well as by its CPU, and the table says so; neither fails the run', () => {
  const figures = figuresOf(
    { call: { procedure: 'links.list', input: {}, what: 'search' }, appMs: 4, databaseMs: 3, p95Ms: 50.1 },
    { call: { procedure: 'links.list', input: {} }, appMs: 1, databaseMs: 1, p95Ms: 3 },
  );
  const rows = tableOf(figures).split('\n').slice(2);
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual([
    [
      '',
      'P12',
      'links.list (search) – database 3.0',
      'CPU-ms',
      '7',
      'a new creator: 2',
      '3.5',
      '≤ 50 / 20',
      'goal (printed)',
      '',
    ],
    [
      '',
      'P12',
      'links.list (search), p95',
      'ms',
      '50.1',
      'a new creator: 3',
      '16.7',
      '≤ 50 / 20',
      'missed (printed)',
      '',
    ],
  ]);
  expect(figures.filter(isMissed)).toEqual([]);
});
