import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { listDatabasesIn } from '#tests/support/servers/server-process.ts';
import { drawNoise } from '#tests/support/servers/visitor.ts';
import { headersOf } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { flip } from './backup-commands.ts';
import {
  breakFile,
  cleanUp,
  counts,
  crowd,
  expectNothingLost,
  expectSame,
  fill,
  findLost,
  isWhole,
  listStored,
  mountDisk,
  newFolder,
  notNow,
  openSender,
  seal,
  sendRest,
  skipped,
} from './broken-disk.ts';

guards('src/engines/storage/**', 'src/features/albums/**', 'src/features/media/**');

/** Albums of one round that stay. */
const keptOfRound = 4;
/** The real server on a disk that becomes full, runs out of inodes, breaks or may only be read: clear words, nothing lost, and on it goes without a restart. */
const patience = { timeout: countOf(240_000, 3_600_000) };

afterEach(cleanUp);
afterAll(() => {
  const { requests, ...figures } = counts;
  printProof('disk', requests, figures);
});

test(
  'a disk under files or uploads that is full, or only for reading, loses and damages nothing',
  patience,
  async ({ skip }) => {
    const dataDir = newFolder();
    const [files, staging] = [path.join(dataDir, 'files'), path.join(dataDir, 'staging')];
    if (![files, staging].every((place) => mountDisk(place, countOf(24, 150)))) return skip(skipped);
    const sender = await openSender(dataDir);
    const { visitor, creator, albumId } = sender;
    const kept = await drawNoise(700, 500);
    const keptId = await visitor.beginUpload(creator, albumId, kept);
    expect(await sendRest(sender, keptId, kept)).toBe(true);
    for (let n = 0; n < countOf(1, 10); n++)
      for (const [place, trouble] of [
        [files, fill],
        [files, crowd],
        [files, seal],
        [staging, fill],
        [staging, seal],
      ] as const) {
        const before = listStored(files).length;
        const photo = await drawNoise(900, 700);
        const uploadId = await visitor.beginUpload(creator, albumId, photo);
        const mend = trouble(place);
        expect(await sendRest(sender, uploadId, photo)).toBe(false);
        // What was there is there, and nothing half stands beside it.
        await expectSame(sender, keptId, kept);
        expect(listStored(files)).toHaveLength(before);
        expect((await visitor.call('albums.list', {}, creator)).status).toBe(200);
        mend();
        for (let tries = 0; !(await sendRest(sender, uploadId, photo)); tries++) expect(tries).toBeLessThan(5);
        await expectSame(sender, uploadId, photo);
      }
  },
);

test('without an inode for it no upload begins, and it begins as soon as there is one', patience, async ({ skip }) => {
  const dataDir = newFolder();
  const staging = path.join(dataDir, 'staging');
  if (!mountDisk(staging, 24)) return skip(skipped);
  const sender = await openSender(dataDir);
  const { visitor, creator, albumId } = sender;
  const photo = await drawNoise(300, 200);
  const begun = await visitor.beginUpload(creator, albumId, photo);
  for (let n = 0; n < countOf(1, 10); n++) {
    const mend = crowd(staging);
    const answer = await fetch(`${visitor.viewerApi.url}/files`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'x-csrf-token': 'orpc',
        ...headersOf(creator),
        'upload-length': String(photo.length),
        'upload-metadata': uploadMetadata({ albumId }),
      },
    });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE', message: notNow }]);
    counts.requests++;
    counts.refused++;
    mend();
    // What was refused is no upload, and takes no space of its owner's.
    expect((await visitor.must('albums.openUploads', { albumId }, creator)).length).toBe(n === 0 ? 1 : 0);
    const uploadId = n === 0 ? begun : await visitor.beginUpload(creator, albumId, photo);
    expect(await sendRest(sender, uploadId, photo)).toBe(true);
    await expectSame(sender, uploadId, photo);
  }
});

test(
  'a place of the disk that is broken is said as such, and nothing of it is shown or taken for whole',
  patience,
  async () => {
    if (!existsSync('/proc/self/mem')) return test.skip('no file of this machine fails with EIO');
    const dataDir = newFolder();
    const sender = await openSender(dataDir);
    const { visitor, creator, albumId } = sender;
    for (let n = 0; n < countOf(1, 10); n++) {
      const photo = await drawNoise(300, 200);
      const uploadId = await visitor.beginUpload(creator, albumId, photo);
      const mendStaged = breakFile(path.join(dataDir, 'staging', uploadId));
      expect(await sendRest(sender, uploadId, photo)).toBe(false);
      mendStaged();
      expect(await sendRest(sender, uploadId, photo)).toBe(true);
      const [stored] = listStored(path.join(dataDir, 'files', 'media', uploadId));
      if (stored === undefined) throw new Error('Nothing was stored.');
      const mendStored = breakFile(stored);
      const answer = await fetch(`${visitor.viewerApi.url}/api/media/${uploadId}/original`, {
        headers: headersOf(creator),
      });
      expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }]);
      counts.requests++;
      counts.refused++;
      mendStored();
      await expectSame(sender, uploadId, photo);
    }
  },
);

test(
  'a full disk under the database, of bytes or of inodes, refuses what is written, loses nothing, and goes on when there is room',
  patience,
  async ({ skip }) => {
    const dataDir = newFolder();
    const disk = path.join(dataDir, 'pg');
    if (!mountDisk(disk, 400)) return skip(skipped);
    const sender = await openSender(dataDir);
    const { visitor, creator } = sender;
    const kept: string[] = [];
    for (const [n, trouble] of Array.from({ length: countOf(1, 5) }, () => [fill, crowd])
      .flat()
      .entries()) {
      const empty = trouble(disk);
      const statuses = new Set<number>();
      const acknowledged = new Map<string, string>();
      // Files that are there grow without an inode: most is still written.
      const most = trouble === crowd ? 20 : 150;
      for (let k = 0; k < most && !statuses.has(503); k++) {
        const name = `Round ${n} album ${k}`;
        const { status, body } = await visitor.call('albums.create', { name, peopleConsent: 'only_me' }, creator);
        counts.requests++;
        statuses.add(status);
        if (status === 200) acknowledged.set(name, body.id);
      }
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      if (trouble === fill) expect([...statuses]).toContain(503);
      counts.refused += Number(statuses.has(503));
      empty();
      const list = () =>
        visitor.call('albums.list', {}, creator).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(list, { interval: 200 }).toBe(200);
      await wait(100);
      await expectNothingLost(sender, [...kept, ...acknowledged.keys()]);
      // A creator has 200 albums at most: some stay to the end, the others make room for the next round.
      kept.push(...[...acknowledged.keys()].slice(0, keptOfRound));
      for (const albumId of [...acknowledged.values()].slice(keptOfRound))
        await visitor.must('albums.remove', { albumId }, creator);
    }
    const again = await visitor.must('albums.create', { name: 'Room again', peopleConsent: 'only_me' }, creator);
    expect(again.id).toBeDefined();
    await expectNothingLost(sender, kept);
    expect(listDatabasesIn(disk).length).toBeGreaterThan(0);
  },
);

/** Asks the database of a folder as its superuser. */
async function asSuperuser(dataDir: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'postgres', database: 'pf' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test(
  'a database that may only be read refuses what is written, and goes on by itself; planted damage and loss are found',
  patience,
  async () => {
    const dataDir = newFolder();
    const sender = await openSender(dataDir);
    const { visitor, creator, albumId } = sender;
    const photo = await drawNoise(300, 200);
    const uploadId = await visitor.beginUpload(creator, albumId, photo);
    expect(await sendRest(sender, uploadId, photo)).toBe(true);
    const create = (name: string) => visitor.call('albums.create', { name, peopleConsent: 'only_me' }, creator);
    expect((await create('Before')).status).toBe(200);
    const setting = (isOn: boolean) => `alter system set default_transaction_read_only = ${isOn ? 'on' : 'off'}`;
    await asSuperuser(dataDir, setting(true), 'select pg_reload_conf()');
    await expect.poll(async () => (await create('Meanwhile')).status).toBe(503);
    const refused = await create('Meanwhile, again');
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect((await visitor.call('albums.list', {}, creator)).status).toBe(200);
    await expectSame(sender, uploadId, photo);
    await asSuperuser(dataDir, 'set default_transaction_read_only = off', setting(false), 'select pg_reload_conf()');
    await expect.poll(async () => (await create('After')).status).toBe(200);
    await expectNothingLost(sender, ['Before', 'After']);
    counts.requests += 6;
    counts.refused += 2;

    // Planted: one byte of what is stored is another, and an acknowledged album is gone.
    const [stored] = listStored(path.join(dataDir, 'files', 'media', uploadId));
    const mend = flip(stored ?? '');
    expect(await isWhole(sender, uploadId, photo)).toBe(false);
    mend();
    expect(await isWhole(sender, uploadId, photo)).toBe(true);
    await asSuperuser(dataDir, 'set role app_system', `delete from albums where name = 'Before'`);
    expect(await findLost(sender, ['Before', 'After'])).toEqual(['Before']);
  },
);
