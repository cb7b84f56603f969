import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { keepNewFiles, listBases } from '#app/backup/backup-folder.ts';
import { replayInstallation } from '#app/backup/replay-installation.ts';
import { restore } from '#app/backup/restore.ts';
import { openLog } from '#app/log.ts';
import { nameSegment } from '#engines/database/log-chain.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { firstLanding, layFirstLanding } from '#tests/support/database/first-landing.ts';
import { type Contents, readContents } from '#tests/support/database/row-counts.ts';
import { findFreePort, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import {
  configOf,
  cutPower,
  flip,
  moveAside,
  newFolder,
  putUnderLoad,
  readStill,
  removeFolders,
  runPfIn,
} from './backup-commands.ts';

guards('src/app/backup/**', 'src/engines/database/**');

/** The log of an installation is kept all the time; its power is cut, its disk destroyed, and it is brought back. */
const log = openLog('silent');
const patience = { timeout: countOf(300_000, 3_600_000) };
const dataDir = newFolder();
/** A name that no shell reads as one word. */
const backupDir = path.join(newFolder(), "it's the 2nd disk");
const environment = { DATA_DIR: dataDir, BACKUP_DIR: backupDir };
const creator = newBrowser();
const servers: ServerProcess[] = [];
const counts = { uploads: 0, opens: 0, kills: 0, faults: 0, replays: 0 };
const well = { code: 0, said: expect.any(String) };

afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM');
  removeFolders();
  printProof('replay', counts.uploads + counts.opens, counts);
});

async function start(): Promise<{ server: ServerProcess; visitor: Visitor }> {
  const server = spawnServer({
    port: await findFreePort(),
    dataDir,
    environment: { ...firstLanding.environment, BACKUP_DIR: backupDir },
  });
  servers.push(server);
  await server.untilUp();
  return { server, visitor: visit(server.url) };
}

const clear = (folder: string) => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true, maxRetries: 5 });
};

/** Closes the segment that is written now, instead of waiting for it, and waits until it is kept. @returns its name */
async function closeSegment(): Promise<string> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'postgres', database: 'pf' });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
  await client.end();
  const name = rows[0]?.name ?? '';
  await expect.poll(() => existsSync(path.join(backupDir, 'wal', `${name}.gz`))).toBe(true);
  return name;
}

/** Returns what the app does every other minute by itself. */
const keepFiles = () =>
  keepNewFiles({ storage: openDiskStorage(path.join(dataDir, 'files')), installation: { dataDir } }, backupDir);

async function share(visitor: Visitor, albumId: string): Promise<{ id: string; slug: string }> {
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  return visitor.must('links.create', input, creator);
}

/** Puts a photo into an album and waits until it can be looked at. @returns its id and bytes */
async function upload(visitor: Visitor, albumId: string): Promise<{ id: string; bytes: Buffer }> {
  const bytes = await drawNoise(120, 90);
  const id = await visitor.beginUpload(creator, albumId, bytes);
  await visitor.sendFrom(creator, id, bytes, 0);
  await visitor.untilSettled(creator, albumId);
  return { id, bytes };
}

const albumsOf = async (visitor: Visitor) => JSON.stringify(await visitor.must('albums.list', {}, creator));
const tap = (visitor: Visitor, slug: string) => visitor.viewerApi.tap(slug, { firstScreen: 3 }, newBrowser());

/** Tables that rows only come into, in this proof. */
const growing = [
  'users',
  'viewers',
  'link_viewers',
  'view_events',
  'codeword_log',
  'media',
  'media_keys',
  'magic_links',
  'packs',
];

let acknowledged: Contents;
let revokedAt: string;
let albumId: string;
let first: { id: string; bytes: Buffer };
let late: { id: string; bytes: Buffer };
let taken: { id: string; slug: string };
let open: { id: string; slug: string };

test(
  'with its power cut and its disk gone, an installation comes back with all that was kept, and what was taken back stays so',
  patience,
  async () => {
    await (await layFirstLanding(dataDir)).close();
    const { server, visitor } = await start();
    await visitor.must('accounts.signIn', firstLanding.creator, creator);
    const load = await putUnderLoad(visitor, creator);
    await expect.poll(load.uploads).toBeGreaterThan(0);
    albumId = (await visitor.must('albums.create', { name: 'Since the base', peopleConsent: 'only_me' }, creator)).id;
    first = await upload(visitor, albumId);
    [taken, open] = [await share(visitor, albumId), await share(visitor, albumId)];

    const unsaid = await runPfIn(environment, 'backup').ended;
    expect(unsaid).toEqual({ code: 1, said: expect.stringContaining('backup --keys-kept first') });
    expect(await runPfIn(environment, 'backup', '--keys-kept', 'first').ended).toEqual(well);
    const uploads = load.uploads();
    await expect.poll(load.uploads).toBeGreaterThan(uploads);
    await load.stop();
    Object.assign(counts, { uploads: load.uploads(), opens: load.opens() });
    revokedAt = new Date().toISOString();
    await wait(50);
    await visitor.must('links.revoke', { linkIds: [taken.id] }, creator);
    const second = await upload(visitor, albumId);
    await keepFiles();
    late = await upload(visitor, albumId); // stored after the files were looked through
    acknowledged = await readContents({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
    await closeSegment();
    await visitor.must('albums.create', { name: 'Never kept', peopleConsent: 'only_me' }, creator);
    await cutPower(server, dataDir);
    counts.kills++;
    clear(dataDir);

    const back = await runPfIn(environment, 'restore', backupDir).ended;
    expect(back).toEqual({ code: 0, said: expect.stringContaining('3 files that the database refers to') });
    expect(back.said).toContain('1 are gone (their owners are asked to upload them again)');
    counts.replays++;
    const rows = await readStill(dataDir);
    for (const table of growing) {
      const lost = table === 'packs' ? 2 : 0;
      expect([table, rows[table]?.rows]).toEqual([table, (acknowledged[table]?.rows ?? 0) - lost]);
    }
    expect(rows.magic_links?.hash).toBe(acknowledged.magic_links?.hash);

    const again = await start();
    expect((await tap(again.visitor, taken.slug)).refusal).toBeDefined();
    const shown = await tap(again.visitor, open.slug);
    expect([shown.status, shown.pictures.length]).toEqual([200, 2]);
    for (const { id, bytes } of [first, second]) expect(await again.visitor.download(creator, id)).toEqual(bytes);
    const { items } = await again.visitor.must('albums.one', { albumId }, creator);
    const said = Object.fromEntries(
      items.map(({ id, state, failText }: { id: string; state: string; failText: string | null }) => [
        id,
        [state, failText],
      ]),
    );
    expect(Object.values(said).filter(([state]) => state === 'ready')).toHaveLength(2);
    expect(Object.values(said)).toContainEqual(['failed', expect.stringContaining('Please upload it again')]);
    expect(await albumsOf(again.visitor)).not.toContain('Never kept');
    const gone = await fetch(`${again.server.url}/api/media/${late.id}/original`, {
      headers: { cookie: [...creator.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    expect(gone.status).toBe(404);

    // What comes now is a new timeline of the same log.
    await again.visitor.must('albums.create', { name: 'The second life', peopleConsent: 'only_me' }, creator);
    await closeSegment();
    await cutPower(again.server, dataDir);
    counts.kills++;
    clear(dataDir);
  },
);

test(
  'the log goes on over an installation that was brought back, and a moment in it is found again',
  patience,
  async () => {
    expect(readdirSync(path.join(backupDir, 'wal'))).toContain('00000002.history.gz');
    expect(listBases(backupDir)).toHaveLength(1);
    const reported = await replayInstallation(configOf(dataDir), log, backupDir);
    expect(reported).toContain('are in');
    counts.replays++;
    const { server, visitor } = await start();
    expect(await albumsOf(visitor)).toContain('The second life');
    const made = await runPfIn(environment, 'backup', '--keys-kept', 'first', '--keep', '2').ended;
    expect(made).toEqual({ code: 0, said: expect.stringContaining('Older backups removed: 0 bases') });
    await tap(visitor, open.slug);
    await closeSegment();
    await server.end('SIGTERM');

    const target = newFolder();
    await replayInstallation(configOf(target), log, backupDir, new Date(revokedAt));
    counts.replays++;
    const then = await readStill(target);
    expect(then.albums?.rows).toBe(acknowledged.albums?.rows);
    expect(then.magic_links?.rows).toBe(acknowledged.magic_links?.rows);
    expect(then.magic_links?.hash).not.toBe(acknowledged.magic_links?.hash);
    clear(target);
    const early = new Date('2026-01-01T00:00:00Z');
    await expect(replayInstallation(configOf(target), log, backupDir, early)).rejects.toThrow('No base in');
  },
);

/** Leaves the first half of a file: one changed bit may stand for the same zeros. @returns takes it back */
function halve(file: string): () => void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
  return () => writeFileSync(file, bytes);
}

test('a log that lost a piece is refused with what to do, and nothing is touched', patience, async () => {
  const target = newFolder();
  const wal = path.join(backupDir, 'wal');
  const base = listBases(backupDir).at(-1);
  const [folder, firstNeeded] = [base?.folder ?? '', `${base && nameSegment(base.last)}.gz`];
  const segments = readdirSync(wal).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name) && name >= firstNeeded);
  expect(segments.length).toBeGreaterThan(1);
  const place = (name: string | undefined) => path.join(wal, name ?? '');
  const away = () => {
    renameSync(wal, `${wal}.away`);
    return () => renameSync(`${wal}.away`, wal);
  };
  const faults: [() => () => void, RegExp][] = [
    [away, /does not continue from the base of .* is missing\. Nothing was restored.*--until/],
    [() => moveAside(place(firstNeeded)), /has a gap|does not continue/],
    [() => halve(place(segments.at(-1))), /\.gz is damaged, nothing was restored/],
    [() => flip(path.join(folder, 'pg/backup_label')), /backup_label was changed/],
  ];
  for (const [plant, words] of faults) {
    const takeBack = plant();
    await expect(replayInstallation(configOf(target), log, backupDir)).rejects.toThrow(words);
    expect(readdirSync(target)).toEqual([]);
    takeBack();
    counts.faults++;
  }
  // The base alone is a backup like any other.
  expect(await restore(configOf(target), log, folder)).toContain('stored files are in');
});

test('cut off anywhere, the next call brings everything back', patience, async () => {
  const target = newFolder();
  for (let n = 0; n < countOf(1, 10); n++) {
    const { child, ended } = runPfIn({ DATA_DIR: target }, 'restore', backupDir);
    const isReplaying = () => existsSync(path.join(target, 'pg/pgdata/pf_replay'));
    await expect.poll(isReplaying, { interval: 2 }).toBe(true);
    await wait(Math.random() * countOf(300, 1500));
    child.kill('SIGKILL');
    counts.kills++;
    if ((await ended).code === null) {
      const opened = await runPfIn({ DATA_DIR: target }, 'health').ended;
      expect(opened).toMatchObject({ code: 1, said: expect.stringContaining('did not finish. Run it again.') });
      expect(await runPfIn({ DATA_DIR: target }, 'restore', backupDir).ended).toEqual(well);
    }
    expect(existsSync(path.join(target, 'restoring'))).toBe(false);
    expect((await readStill(target)).albums?.rows).toBe((acknowledged.albums?.rows ?? 0) + 1);
    clear(target);
  }
});

test('what no kept base needs goes with an older one, and nothing else', patience, async () => {
  const [oldest, newest] = listBases(backupDir);
  expect(newest).toBeDefined();
  mkdirSync(`${oldest?.folder}.unfinished.999999999`);
  const made = await runPfIn(environment, 'backup', '--keys-kept', 'first', '--keep', '2').ended;
  expect(made).toEqual({ code: 0, said: expect.stringContaining('Older backups removed: 1 bases') });
  const bases = listBases(backupDir);
  expect(bases.map(({ folder }) => folder)).toContain(newest?.folder);
  expect(readdirSync(path.join(backupDir, 'bases'))).toHaveLength(2);
  const target = newFolder();
  expect(await replayInstallation(configOf(target), log, backupDir)).toContain('stored files are in');
  const least = Math.min(...bases.map(({ first: { number } }) => number));
  const segments = readdirSync(path.join(backupDir, 'wal')).filter((name) => /^[0-9A-F]{24}\./.test(name));
  const numbers = segments.map((name) => Number.parseInt(name.slice(16, 24), 16));
  expect(Math.min(...numbers)).toBe(least);
});
