import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { keyRingOf, serverKey } from '#engines/keys/key-ring.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';
import { ensureTraceKey, findMediaKey } from '#features/media/keys-store.ts';
import { pushKeysOf } from '#features/notices/push/push-keys.ts';
import { findSuppression, suppressAddress } from '#features/notices/suppressions/suppressions-store.ts';
import { readUnsubscribeToken, unsubscribeToken } from '#features/notices/unsubscribing.ts';
import { beginAttempt, insertExport } from '#features/privacy/exports/exports-store.ts';
import { takeCopy } from '#features/tracing/take-copy.ts';
import { newId } from '#kit/ids.ts';
import { seedPhoto } from '#tests/support/media/pictures.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findMissingKeys, keyTables, rotateKeys } from './rotate-keys.ts';

const system = { kind: 'system' } as const;
const fresh = { id: 'k2', key: randomBytes(32) };
let app: TestApp;
let creatorId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  creatorId = (await signUpCreator(app)).userId;
  for (let n = 0; n < 5; n++) await seedPhoto(app, creatorId);
  await app.engines.database.work(system, (tx) => ensureTraceKey(tx, app.engines.keys, creatorId));
  await app.engines.database.work(system, async (tx) => {
    const id = newId<'export'>(app.engines.clock());
    const now = new Date(app.engines.clock());
    await insertExport(tx, { id, userId: creatorId, hasOriginals: false, now, totalBytes: 0 });
    await beginAttempt(tx, app.engines.keys, id, randomBytes(32));
  });
  const bytes = Buffer.from('a copy');
  await pushKeysOf(app.engines);
  // As somebody was kept on the list before it had a key of its own.
  const hash = createHmac('sha256', serverKey(app.engines.keys, 'pf1:suppressed')).update('early@example.com').digest();
  await readRows(app, `insert into mail_suppressions values ($1, 'complained', now())`, [hash]);
  await takeCopy(app.engines, { creatorId, bytes: Readable.from([bytes]), sizeBytes: bytes.length });
});
afterAll(() => app.close());

/** As the installation is after the new key was put in front. */
const rotating = () => ({ ...app.engines, keys: keyRingOf([fresh, app.engines.keys.current]) });

/** Everything that a row says of itself, of every table that holds bytes. */
async function listRows(): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const tables = await readRows(
    app,
    `select distinct table_name as name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`,
  );
  const all = await Promise.all(
    tables.map(async ({ name }) =>
      (await readRows(app, `select * from ${name}`)).map((row) => ({ table: String(name), row })),
    ),
  );
  return all.flat();
}

/** Columns in which some bytes open by a master key, whatever of its row they were wrapped for. */
async function listOpened(key: Buffer): Promise<string[]> {
  const ring = keyRingOf([{ id: 'tried', key }]);
  const opened = (await listRows()).flatMap(({ table, row }) => {
    const texts = Object.values(row).filter((value) => typeof value === 'string');
    return Object.entries(row)
      .filter(([, value]) => Buffer.isBuffer(value) && value.length > 28)
      .filter(([, value]) => texts.some((owner) => opens(ring, owner, value as Buffer)))
      .map(([column]) => `${table}.${column}`);
  });
  return opened.sort();
}

function opens(ring: ReturnType<typeof keyRingOf>, owner: string, wrapped: Buffer): boolean {
  try {
    unwrapKey(ring, owner, { keyId: 'tried', wrapped });
    return true;
  } catch {
    return false;
  }
}

/** Made by the rotation itself: for each of two uses a key of its own, and what followed from either master key. */
const mailColumns = Array.from({ length: 6 }, () => 'mail_keys.wrapped');
const wrappedColumns = [
  'creator_keys.wrapped',
  'export_keys.wrapped',
  ...mailColumns,
  ...Array.from({ length: 5 }, () => 'media_keys.wrapped'),
  'push_keys.wrapped',
  'trace_keys.wrapped',
];

describe('rotating the master key', () => {
  it('knows every table that names a master key', async () => {
    const columns = await readRows(
      app,
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'key_id' order by 1`,
    );
    expect(keyTables.map(({ table }) => table).sort()).toEqual(columns.map(({ name }) => name));
  });

  it('wraps everything again, a few rows at a time, and then the old key opens nothing', async () => {
    const old = app.engines.keys.current;
    const [photo] = await readRows(app, 'select media_id as id from media_keys limit 1');
    const find = (keys: TestApp['engines']['keys']) =>
      app.engines.database.work(system, (tx) => findMediaKey(tx, keys, String(photo?.id)));
    const before = await find(app.engines.keys);
    expect(await listOpened(old.key)).toEqual(wrappedColumns.filter((column) => !mailColumns.includes(column)));

    const said = await rotateKeys(rotating(), 2);
    expect(said).toContain('9 keys are now wrapped by master key k2');
    expect(said).toContain(`Remove ${old.id} from PF_KEYS`);
    expect(await listOpened(old.key)).toEqual([]);
    expect(await listOpened(fresh.key)).toEqual(wrappedColumns);
    expect(await find(keyRingOf([fresh]))).toEqual(before);
    const audited = `select details from audit_log where action = 'keys.rotated'`;
    expect(await readRows(app, audited)).toEqual([{ details: { keyId: 'k2', count: 9 } }]);

    expect(await rotateKeys(rotating())).toContain('already wraps everything');
    expect(await readRows(app, audited)).toHaveLength(1);
  });

  it('forgets nobody who gets no notices, and no link of theirs', async () => {
    const [early, late] = ['early@example.com', 'late@example.com'];
    const only = keyRingOf([fresh]);
    const work = <Result>(run: (tx: Tx) => Promise<Result>) => app.engines.database.work(system, run);
    await work((tx) =>
      suppressAddress(tx, rotating().keys, {
        address: late,
        reason: 'unsubscribed',
        now: new Date(app.engines.clock()),
      }),
    );
    const token = await work((tx) => unsubscribeToken(tx, rotating().keys, late));
    await rotateKeys(rotating());
    expect(await work((tx) => findSuppression(tx, only, early))).toBe('complained');
    expect(await work((tx) => findSuppression(tx, only, late))).toBe('unsubscribed');
    expect(await work((tx) => readUnsubscribeToken(tx, only, token))).toBeDefined();
  });

  it('leaves what does not open as it is, names it, and lets no key go before', async () => {
    const lost = keyRingOf([{ id: 'k0', key: randomBytes(32) }]);
    const [photo] = await readRows(app, 'select media_id as id from media_keys limit 1');
    const mediaId = String(photo?.id);
    const put = ({ keyId, wrapped }: { keyId: string; wrapped: Buffer }) =>
      readRows(app, 'update media_keys set key_id = $2, wrapped = $3 where media_id = $1', [mediaId, keyId, wrapped]);
    const engines = rotating();
    await put(wrapKey(lost, mediaId, randomBytes(32)));
    await expect(rotateKeys(engines)).rejects.toThrow(
      '1 key is still wrapped by an older master key (k0: 1 in media_keys). Add master key k0',
    );
    expect(await findMissingKeys(engines)).toEqual(['k0']);
    await put({ keyId: app.engines.keys.current.id, wrapped: randomBytes(60) });
    await expect(rotateKeys(engines)).rejects.toThrow(`These could not be opened: media_keys ${mediaId}.`);
    expect(await findMissingKeys(engines)).toEqual([]);
    await put(wrapKey(engines.keys, mediaId, randomBytes(32)));
    expect(await rotateKeys(engines)).toContain('already wraps everything');
  });

  it.runIf(inject('outside') === null)('killed in the middle, goes on where it was', async () => {
    const next = { id: 'k3', key: randomBytes(32) };
    const { host, port, user, database } = app.engines.database.connection;
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
    const folder = mkdtempSync(path.join(tmpdir(), 'pf-rotating-'));
    const runPf = () =>
      spawn(process.execPath, ['src/app/pf.ts', 'rotate-keys'], {
        env: {
          DATABASE_URL: url,
          DATA_DIR: folder,
          PF_KEYS: [next, fresh].map(({ id, key }) => `${id}:${key.toString('base64')}`).join(),
          PF_SECRET: randomBytes(32).toString('base64'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const rival = new pg.Client(url);
    await rival.connect();
    await rival.query('set role app_system; begin; select from media_keys for update');

    const killed = runPf();
    const keyIds = async (table: string) =>
      (await readRows(app, `select distinct key_id as id from ${table}`)).map(({ id }) => id);
    await expect.poll(() => keyIds('creator_keys')).toEqual(['k3']);
    const isOver = new Promise((done) => killed.once('close', done));
    killed.kill('SIGKILL');
    await isOver;
    await rival.end();
    expect(await keyIds('media_keys')).toEqual(['k2']);

    const again = runPf();
    let said = '';
    again.stdout.on('data', (words: Buffer) => {
      said += words.toString();
    });
    await new Promise((done) => again.once('close', done));
    rmSync(folder, { recursive: true });
    expect(said).toContain('14 keys are now wrapped by master key k3');
    expect(await listOpened(fresh.key)).toEqual([]);
    expect(await listOpened(next.key)).toEqual(wrappedColumns);
  });
});
