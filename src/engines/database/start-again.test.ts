import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from './database.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-again-'));
  chmodSync(root, 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('a start while the database of before still shuts down waits for its end and then has its own', async () => {
  const open = () => openDatabase({ dataDir: path.join(root, 'data'), migrations: null, log: () => undefined });
  const before = await open();
  const { host, port } = before.connection as pg.ClientConfig;
  const connect = async () => {
    const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' } as pg.ClientConfig);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  // Somebody is connected who does not go: told to end when everybody has gone, the server takes nobody new and stays.
  const lastGuest = await connect();
  const { rows } = await lastGuest.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  const pid = Number(readFileSync(path.join(rows[0]?.folder ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGTERM');
  await expect
    .poll(() =>
      connect().then(
        () => 'taken',
        ({ message }) => message,
      ),
    )
    .toMatch(/shutting down/);

  let isUp = false;
  const again = open().then((database) => {
    isUp = true;
    return database;
  });
  // Two more refusals later nobody has given up, and nothing was taken for running.
  for (let refused = 0; refused < 2; refused++) await expect(connect()).rejects.toThrow('shutting down');
  expect(isUp).toBe(false);
  await lastGuest.end();
  const database = await again;
  expect(database.isAlone).toBe(true);
  const own = await connect();
  expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await own.end();
  await database.close();
  await before.close();
});
