import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';

let root: string;
let dataDir: string;
let opened: Database | undefined;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-archiving-'));
  chmodSync(root, 0o755);
  dataDir = path.join(root, 'data');
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(() => rmSync(root, { recursive: true }));

async function open(backupDir?: string, folder = dataDir): Promise<void> {
  opened = await openDatabase({ dataDir: folder, backupDir, migrations: null, log: () => undefined });
}

async function ask<Row extends object>(text: string): Promise<Row[]> {
  const { host, port } = opened?.connection ?? {};
  const admin = new pg.Client({ host, port, user: 'postgres', database: 'postgres' } as pg.ClientConfig);
  await admin.connect();
  try {
    return (await admin.query<Row>(text)).rows;
  } finally {
    await admin.end();
  }
}

/** Writes something and closes the segment that holds it. @returns the segment's name */
async function writeSegment(): Promise<string> {
  const [row] = await ask<{ name: string }>(
    `create table if not exists written (n integer); insert into written values (1); `,
  ).then(() => ask<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name'));
  return row?.name ?? '';
}

const keptIn = (backupDir: string) => readdirSync(path.join(backupDir, 'wal'));

describe('the log of the embedded server', () => {
  const odd = () => path.join(root, `it's 50%f $(touch oops) "kept"; & here`);

  it('is kept whole in a folder of any name, again when it was told already, and never over another', async () => {
    await open(odd());
    const first = await writeSegment();
    await expect.poll(() => keptIn(odd())).toContain(`${first}.gz`);
    const kept = readFileSync(path.join(odd(), 'wal', `${first}.gz`));
    expect(gunzipSync(kept).length).toBe(16 * 2 ** 20);
    expect(readdirSync(root).sort()).toEqual(['data', path.basename(odd())]);

    const status = path.join(dataDir, 'pg/pgdata/pg_wal/archive_status');
    await expect.poll(() => readdirSync(status)).toContain(`${first}.done`);
    const next = `${first.slice(0, -2)}${(Number.parseInt(first.slice(-2), 16) + 1).toString(16).padStart(2, '0').toUpperCase()}`;
    writeFileSync(path.join(odd(), 'wal', `${next}.gz`), 'of somebody else');
    renameSync(path.join(status, `${first}.done`), path.join(status, `${first}.ready`));
    expect(await writeSegment()).toBe(next);
    const failing = 'select failed_count::int as n from pg_stat_archiver';
    await expect.poll(async () => (await ask<{ n: number }>(failing))[0]?.n).toBeGreaterThan(0);
    expect(readdirSync(status)).toContain(`${first}.done`);
    expect(readFileSync(path.join(odd(), 'wal', `${next}.gz`), 'utf8')).toBe('of somebody else');
    rmSync(path.join(odd(), 'wal', `${next}.gz`));
    writeFileSync(path.join(odd(), 'wal/.unfinished.999'), 'of one that was killed');
    await opened?.close();
    opened = undefined;
    expect(keptIn(odd()).slice(0, 2)).toEqual([`${first}.gz`, `${next}.gz`]);
  });

  it('is kept from the start that names a folder, and no longer than that', async () => {
    await open();
    await writeSegment();
    await opened?.close();
    const backupDir = path.join(root, 'later');
    await open(backupDir);
    const name = await writeSegment();
    await expect.poll(() => keptIn(backupDir)).toEqual([`${name}.gz`]);
    await opened?.close();
    const stopped = keptIn(backupDir);
    await open();
    await writeSegment();
    expect(keptIn(backupDir)).toEqual(stopped);
  });

  it('never goes into the folder of another database', async () => {
    await expect(open(path.join(root, 'later'), path.join(root, 'other'))).rejects.toThrow(
      'is the backup of another database',
    );
    const foreign = path.join(root, 'foreign');
    mkdirSync(path.join(foreign, 'bases/of-somebody'), { recursive: true });
    await expect(open(foreign)).rejects.toThrow('holds something else');
    expect(readdirSync(foreign)).toEqual(['bases']);
  });

  it.runIf(process.getuid?.() === 0)("says what to do where the server's account cannot go", async () => {
    const closed = path.join(root, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    await expect(open(path.join(closed, 'backup'))).rejects.toThrow(/cannot write to .*closed.*chmod o\+x/s);
  });
});
