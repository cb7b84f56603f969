import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { restore } from '#app/backup/restore.ts';
import { openLog } from '#app/log.ts';
import { keyTables } from '#app/rotate-keys.ts';
import { openDatabase } from '#engines/database/database.ts';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { parsePfKeys } from '#engines/keys/open-key-ring.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { codeAt } from '#tests/support/authenticator-codes.ts';
import { firstLanding, layFirstLanding } from '#tests/support/database/first-landing.ts';
import { findFreePort, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { visit } from '#tests/support/servers/visitor.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import type { PictureFrame } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { configOf, look, newFolder, removeFolders, runPfIn } from './backup-commands.ts';

guards('src/app/backup/**', 'src/app/rotate-keys.ts', 'src/engines/keys/**', 'src/features/**/key*-store.ts');

/** The master key is replaced, the old one thrown away, and a backup made after it opens all there is. */
const log = openLog('silent');
const patience = { timeout: countOf(300_000, 600_000) };
const dataDir = newFolder();
const backups = newFolder();
const [before, after] = [path.join(backups, 'before'), path.join(backups, 'after')];
const oldKeys = firstLanding.environment.PF_KEYS;
const newKeys = `second:${randomBytes(32).toString('base64')}`;
const both = `${newKeys},${oldKeys}`;
const servers: ServerProcess[] = [];
const creator = newBrowser();
const viewer = newBrowser();
const counts = { opened: 0, refused: 0 };
let shown: PictureFrame[];
let typed: string;

afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM');
  removeFolders();
  printProof('rotate', counts.opened, counts);
});

async function start(PF_KEYS: string): Promise<ServerProcess> {
  const environment = { ...firstLanding.environment, PF_KEYS };
  const server = spawnServer({ port: await findFreePort(), dataDir, environment });
  servers.push(server);
  await server.untilUp();
  return server;
}

const pf = async (PF_KEYS: string, ...words: string[]) => {
  const { code, said } = await runPfIn({ DATA_DIR: dataDir, PF_KEYS }, ...words).ended;
  expect([code, said]).toEqual([0, said]);
  return said;
};

/** Every wrapped key of an installation that does not run, opened by these master keys alone. @returns how many of each table */
async function openAll(pfKeys: string): Promise<Record<string, number>> {
  const ring = keyRingOf(parsePfKeys(pfKeys));
  const database = await openDatabase({ dataDir, migrations: null, log: () => undefined });
  try {
    const opened: Record<string, number> = {};
    for (const { table, owner } of keyTables) {
      const { rows } = await database.systemPool.query(`select ${owner} as owner, key_id, wrapped from ${table}`);
      for (const row of rows) unwrapKey(ring, String(row.owner), { keyId: row.key_id, wrapped: row.wrapped });
      opened[table] = rows.length;
    }
    return opened;
  } finally {
    await database.close();
  }
}

test(
  'while the app runs, everything is wrapped again by a new master key, and the old one is not needed any more',
  patience,
  async () => {
    await (await layFirstLanding(dataDir)).close();
    viewer.cookies.set(...firstLanding.viewerCookie);
    const first = await start(oldKeys);
    const visitor = visit(first.url);
    await visitor.must('accounts.signIn', firstLanding.creator, creator);
    shown = await look(first.url, viewer);
    ({ typed } = await visitor.must('secondFactor.begin', { password: firstLanding.creator.password }, creator));
    await pf(oldKeys, 'backup', before, '--keys-kept', 'first');
    await first.end('SIGTERM');

    const second = await start(both);
    expect(await pf(both, 'rotate-keys')).toContain('Remove first from PF_KEYS');
    expect(await look(second.url, viewer)).toEqual(shown);
    await second.end('SIGTERM');

    const third = await start(newKeys);
    expect(await look(third.url, viewer), 'without the old key').toEqual(shown);
    await pf(newKeys, 'backup', after, '--keys-kept', 'second');
    await third.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  },
);

test('a backup from before it names the key that it needs, and leaves the folder as it was', patience, async () => {
  await expect(restore(configOf(dataDir, { PF_KEYS: newKeys }), log, before)).rejects.toThrow(
    /made when master key first was in use, and it isn't here\..*set PF_KEYS.*opened by the old key only/,
  );
  expect(readdirSync(path.dirname(dataDir))).not.toContain(path.basename(dataDir));
  counts.refused++;
});

test('a backup from after it is restored with the new key alone, and everything opens', patience, async () => {
  await restore(configOf(dataDir, { PF_KEYS: newKeys }), log, after);
  const opened = await openAll(newKeys);
  counts.opened = Object.values(opened).reduce((sum, count) => sum + count, 0);
  for (const table of ['media_keys', 'creator_keys', 'mail_keys', 'second_factors'])
    expect(opened[table], table).toBeGreaterThan(0);
  await expect(openAll(oldKeys)).rejects.toThrow('no master key second');

  const server = await start(newKeys);
  const visitor = visit(server.url);
  expect(await look(server.url, viewer), 'the same bytes under the same keys').toEqual(shown);
  const { user } = await visitor.must('accounts.me', {}, creator);
  expect(user.email, 'a session goes on').toBe(firstLanding.creator.email);
  await visitor.must('secondFactor.turnOn', { code: codeAt(typed, Date.now()) }, creator);
  await server.end('SIGTERM');
});
