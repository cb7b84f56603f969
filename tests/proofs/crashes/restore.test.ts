import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readManifest } from '#app/backup/archive.ts';
import { backUp } from '#app/backup/backup.ts';
import { exportInstallation, importInstallation } from '#app/backup/move-installation.ts';
import { restore } from '#app/backup/restore.ts';
import { bootEngines } from '#app/engines.ts';
import { openLog } from '#app/log.ts';
import { listNamedFiles } from '#features/media/missing-files-store.ts';
import { firstLanding, layFirstLanding } from '#tests/support/database/first-landing.ts';
import * as outside from '#tests/support/database/outside-postgres.ts';
import { type Contents, readContents } from '#tests/support/database/row-counts.ts';
import { openLocalS3 } from '#tests/support/servers/local-s3.ts';
import { findFreePort, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { visit } from '#tests/support/servers/visitor.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import type { PictureFrame } from '#tests/support/viewer-api.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import {
  configOf,
  cutOff,
  flip,
  hashFiles,
  type LeakedPhoto,
  leakPhoto,
  look,
  moveAside,
  newFolder,
  putUnderLoad,
  readStill,
  removeFolders,
  runPf,
  storedIn,
  traceIn,
} from './backup-commands.ts';

guards('src/app/backup/**', 'src/engines/database/**');

/** A backup of an installation in which people upload and look, its folder destroyed, and brought back. */
const log = openLog('silent');
const root = path.resolve(import.meta.dirname, '../../..');
const patience = { timeout: countOf(300_000, 3_600_000) };
const dataDir = newFolder();
const backups = newFolder();
const busy = path.join(backups, 'busy');
const calm = path.join(backups, 'calm');
const servers: ServerProcess[] = [];
const closing: (() => Promise<unknown>)[] = [];
const creator = newBrowser();
const viewer = newBrowser();
const counts = { uploads: 0, opens: 0, files: 0, megabytes: 0, restoredInMs: 0, kills: 0, faults: 0 };
/** What the viewer was shown, and what there was at rest, before the folder was destroyed. */
let shown: PictureFrame[];
let leaked: LeakedPhoto;
let rest: { rows: Contents; files: Record<string, string> };

afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM');
  for (const close of closing.reverse()) await close();
  removeFolders();
  printProof('restore', counts.uploads + counts.opens, counts);
});

async function start(folder: string): Promise<ServerProcess> {
  const server = spawnServer({ port: await findFreePort(), dataDir: folder, environment: firstLanding.environment });
  servers.push(server);
  await server.untilUp();
  return server;
}

const destroy = (folder: string) => rmSync(folder, { recursive: true });
const well = { code: 0, said: expect.any(String) };
const keptKeys = ['--keys-kept', 'first'];

/** Tables that rows only come into, in this proof. */
const growing = [
  'users',
  'viewers',
  'link_viewers',
  'viewer_sessions',
  'view_events',
  'key_leases',
  'codeword_log',
  'media_keys',
];
const rowsOf = (contents: Contents) => growing.map((name) => [name, contents[name]?.rows ?? 0] as const);

test(
  'backed up while people upload and look, a destroyed app comes back with all that was there',
  patience,
  async () => {
    await (await layFirstLanding(dataDir)).close();
    viewer.cookies.set(...firstLanding.viewerCookie);
    const server = await start(dataDir);
    const visitor = visit(server.url);
    await visitor.must('accounts.signIn', firstLanding.creator, creator);
    shown = await look(server.url, viewer);
    leaked = await leakPhoto(visitor, creator);
    const connection = { host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' };
    const load = await putUnderLoad(visitor, creator);
    await expect.poll(load.uploads).toBeGreaterThan(0);
    await expect.poll(load.opens).toBeGreaterThan(0);

    const refused = await runPf(dataDir, 'backup', busy).ended;
    expect([refused.code, existsSync(busy)]).toEqual([1, false]);
    expect(refused.said).toContain('--keys-kept first');
    const before = await readContents(connection);
    const [uploads, opens] = [load.uploads(), load.opens()];
    const made = await runPf(dataDir, 'backup', busy, ...keptKeys).ended;
    expect(made).toEqual({ code: 0, said: expect.stringContaining('each with its hash') });
    expect([load.uploads() > uploads, load.opens() > opens]).toEqual([true, true]);
    const after = await readContents(connection);
    await load.stop();
    Object.assign(counts, { uploads: load.uploads(), opens: load.opens() });
    await server.end('SIGTERM');

    rest = { rows: await readStill(dataDir), files: hashFiles(dataDir) };
    expect(await runPf(dataDir, 'backup', calm, ...keptKeys).ended).toEqual(well);
    expect(readdirSync(backups).sort()).toEqual(['busy', 'calm']);
    expect(readFileSync(path.join(calm, 'manifest.json'), 'utf8')).not.toContain(
      firstLanding.environment.PF_KEYS.slice(6),
    );
    destroy(dataDir);

    expect(await runPf(dataDir, 'restore', busy).ended).toEqual(well);
    const back = await readStill(dataDir);
    for (const [n, [name, rows]] of rowsOf(back).entries()) {
      expect([name, rows]).toEqual([name, Math.max(rows, rowsOf(before)[n]?.[1] ?? 0)]);
      expect([name, rows]).toEqual([name, Math.min(rows, rowsOf(after)[n]?.[1] ?? 0)]);
    }
    expect(rest.files).toMatchObject(hashFiles(dataDir));
    destroy(dataDir);
  },
);

test(
  'restored, every row and every file is the same, and a viewer and a creator go on where they were',
  patience,
  async () => {
    const beganAt = performance.now();
    expect(await restore(configOf(dataDir), log, calm)).toMatch(/^\d+ accounts and \d+ stored files are in /);
    counts.restoredInMs = Math.round(performance.now() - beganAt);
    counts.megabytes = Math.round(
      (await readManifest(calm)).files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1e6,
    );
    expect(await readStill(dataDir)).toEqual(rest.rows);
    expect(hashFiles(dataDir)).toEqual(rest.files);
    counts.files = Object.keys(rest.files).length;
    expect(rest.rows.codeword_log?.rows).toBeGreaterThan(0);
    const server = await start(dataDir);
    // The same bytes under the same keys: the codeword is the one from before.
    expect(await look(server.url, viewer)).toEqual(shown);
    const { user } = await visit(server.url).must('accounts.me', {}, creator);
    expect(user.email).toBe(firstLanding.creator.email);
    const albums = await visit(server.url).must('albums.list', {}, creator);
    expect(JSON.stringify(albums)).toContain('While it was backed up');
    await server.end('SIGTERM');
  },
);

test('restored, a copy from before still names its link, and the photo itself names nobody', patience, async () => {
  const named = `traced: link "${leaked.linkName}"`;
  expect(await traceIn(dataDir, leaked.original)).not.toContain(named);
  expect(await traceIn(dataDir, leaked.copy)).toContain(named);
});

test('a backup with a missing file or one changed byte is refused before anything is touched', patience, async () => {
  const target = newFolder();
  const { files } = await readManifest(calm);
  const nameOf = (part: string) => files.find(({ name }) => name.includes(part))?.name ?? '';
  const place = (name: string) => path.join(calm, name);
  const faults: [() => () => void, RegExp][] = [
    [() => moveAside(place(nameOf('.pfo'))), /\.pfo is missing\. Use another/],
    [() => flip(place(nameOf('.pfp'))), /\.pfp was changed\. Use another/],
    [() => flip(place(nameOf('pg/base/'))), /pg\/base\/\S+ was changed/],
    [() => moveAside(place('pg/backup_label')), /pg\/backup_label is missing/],
    [() => flip(place('manifest.json')), /manifest\.json was changed/],
    [() => moveAside(place('manifest.json')), /There is no backup in/],
  ];
  for (const [plant, words] of faults) {
    const takeBack = plant();
    await expect(restore(configOf(target), log, calm)).rejects.toThrow(words);
    expect(readdirSync(target)).toEqual([]);
    takeBack();
    counts.faults++;
  }
  const other = { PF_KEYS: `first:${randomBytes(32).toString('base64')}` };
  await expect(restore(configOf(target, other), log, calm)).rejects.toThrow('needs a different master key first');
  expect(readdirSync(target)).toEqual([]);
  const mine = path.join(target, 'files');
  writeFileSync(mine, 'mine');
  await expect(restore(configOf(target), log, calm)).rejects.toThrow('is not empty (files)');
  expect(readFileSync(mine, 'utf8')).toBe('mine');
  const marker = path.join(target, 'restoring');
  writeFileSync(marker, `${process.ppid} fills this folder.`);
  await expect(restore(configOf(target), log, calm)).rejects.toThrow(`Process ${process.ppid} is filling`);
  expect(readdirSync(target).sort()).toEqual(['files', 'restoring']);
});

test(
  'killed at any moment, a backup is not there and a restore is not open; the next call makes it whole',
  patience,
  async () => {
    const target = newFolder();
    const amid = { backup: 0, restore: 0 };
    for (let n = 0; n < countOf(1, 10); n++) {
      const cutOne = path.join(backups, `cut-${n}`);
      const isBegun = () => readdirSync(backups).some((name) => name.startsWith(`cut-${n}.unfinished.`));
      const since = Math.random() * countOf(50, 2000);
      let begunAt = 0;
      const isLate = (is: boolean) => {
        if (is && begunAt === 0) begunAt = performance.now();
        return begunAt > 0 && performance.now() - begunAt > since;
      };
      counts.kills++;
      const wasCut = await cutOff(() => isLate(isBegun()), dataDir, 'backup', cutOne, ...keptKeys);
      // Killed after it was done and before its process had ended, it is there, and whole: what is restored from it says so.
      if (wasCut && !existsSync(cutOne)) {
        amid.backup++;
        expect(await runPf(dataDir, 'backup', cutOne, ...keptKeys).ended).toEqual(well);
      }
      expect(readdirSync(backups).filter((name) => name.startsWith('cut'))).toEqual([`cut-${n}`]);
      begunAt = 0;
      const isMarked = () => existsSync(path.join(target, 'restoring'));
      counts.kills++;
      if ((await cutOff(() => isLate(isMarked()), target, 'restore', cutOne)) && isMarked()) {
        amid.restore++;
        const opened = await runPf(target, 'health').ended;
        expect(opened).toMatchObject({ code: 1, said: expect.stringContaining('did not finish. Run it again.') });
        expect(await runPf(target, 'restore', cutOne).ended).toEqual(well);
      }
      expect(hashFiles(target)).toEqual(hashFiles(dataDir));
      expect(Object.keys(await readStill(target))).toEqual(Object.keys(rest.rows));
      expect(existsSync(path.join(target, 'restoring'))).toBe(false);
      for (const name of readdirSync(target)) destroy(path.join(target, name));
      destroy(cutOne);
    }
    // Of many kills most came in the middle.
    if (isFull) for (const kills of Object.values(amid)) expect(kills).toBeGreaterThanOrEqual(5);
  },
);

const moved = path.join(backups, 'moved');

test('exported and imported, it is the same app', patience, async () => {
  const [was, files] = [await readStill(dataDir), hashFiles(dataDir)];
  expect(await runPf(dataDir, 'export', moved).ended).toEqual(well);
  const target = newFolder();
  expect(await runPf(target, 'import', moved).ended).toEqual(well);
  expect(await readStill(target)).toEqual(was);
  expect(hashFiles(target)).toEqual(files);
});

test(
  'moved to another PostgreSQL and into a bucket, and home again, it is still the same',
  patience,
  async ({ skip }) => {
    const postgres = await outside.openOutsidePostgres(newFolder());
    if (postgres === undefined) return skip(outside.noOutsidePostgres);
    closing.push(() => postgres.close());
    const owner = await outside.makeOutsideOwner(postgres.url);
    closing.push(() => owner.remove());
    const s3 = await openLocalS3(newFolder());
    closing.push(() => s3.close());
    const [was, files] = [await readStill(dataDir), hashFiles(dataDir)];
    const DATABASE_URL = await outside.makeOutsideDatabase(owner.url, `pf_${randomBytes(6).toString('hex')}`);
    const there = { DATABASE_URL, ...s3.environment };
    const config = configOf(newFolder(), there);
    await importInstallation(config, log, root, moved);
    expect(await readContents({ connectionString: DATABASE_URL })).toEqual(was);
    // A second one finds people there, and takes nothing of theirs.
    const next = configOf(newFolder(), there);
    await expect(importInstallation(next, log, root, moved)).rejects.toThrow('This database already has accounts');
    expect(readdirSync(next.dataDir)).toEqual([]);
    expect(await readContents({ connectionString: DATABASE_URL })).toEqual(was);

    const [home, theirs] = [path.join(backups, 'home'), path.join(backups, 'theirs')];
    const engines = await bootEngines(config, log, path.join(root, 'db/migrations'));
    await exportInstallation(engines, config, home);
    expect(await backUp(engines, config, theirs, ['first'])).toContain('Back up the database yourself');
    const named = await engines.database.work({ kind: 'system' }, listNamedFiles);
    await engines.database.close();
    // A server that ends amid a photo leaves files that no row names yet: they come along until they are swept.
    expect(Object.keys(files)).toEqual(expect.arrayContaining(named));
    expect(await storedIn(home)).toEqual(files);
    expect(await storedIn(theirs)).toEqual(files);
    const back = newFolder();
    await importInstallation(configOf(back), log, root, home);
    expect([await readStill(back), hashFiles(back)]).toEqual([was, files]);
    await expect(restore(configOf(newFolder()), log, theirs)).rejects.toThrow('an installation with DATABASE_URL');
    const disk = configOf(newFolder(), { DATABASE_URL });
    expect(await restore(disk, log, theirs)).toContain(` ${named.length} stored files`);
    expect(hashFiles(disk.dataDir)).toEqual(files);
  },
);
