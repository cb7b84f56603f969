import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { expect } from 'vitest';
import { readManifest } from '#app/backup/archive.ts';
import { type Config, readConfig } from '#app/config.ts';
import { openDatabase } from '#engines/database/database.ts';
import { firstLanding } from '#tests/support/database/first-landing.ts';
import { type Contents, readContents } from '#tests/support/database/row-counts.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { listDatabasesIn, makeDataDir, type ServerProcess } from '#tests/support/servers/server-process.ts';
import { drawNoise, untilGiven, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { drawPack } from '#tests/support/tracing/leaks.ts';
import type { PictureFrame } from '#tests/support/viewer-api.ts';

const { environment } = firstLanding;
const root = path.resolve(import.meta.dirname, '../../..');
const folders: string[] = [];

/** A folder that goes with the proof. */
export function newFolder(): string {
  const folder = makeDataDir('pf-restore-');
  folders.push(folder);
  return folder;
}

/** Removes every folder of the proof. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** The configuration of an operator's command in this process. */
export const configOf = (dataDir: string, more: Record<string, string> = {}): Config =>
  readConfig({ ...environment, DATA_DIR: dataDir, ...more });

/** What an operator's command said, and how it ended. */
export interface Ended {
  code: number | null;
  said: string;
}

/** Runs `npm run pf -- …` in a process of its own. */
export const runPf = (dataDir: string, ...args: string[]) => runPfIn({ DATA_DIR: dataDir }, ...args);

/** The same with more of an environment. */
export function runPfIn(
  more: Record<string, string>,
  ...args: string[]
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, ['src/app/pf.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (words: Buffer) => {
      said += words.toString();
    });
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, said }))) };
}

/** Starts a command and kills it at a moment. @returns whether it was killed before its end */
export async function cutOff(isTime: () => boolean, ...command: Parameters<typeof runPf>): Promise<boolean> {
  const { child, ended } = runPf(...command);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !isTime()) await wait(2);
  child.kill('SIGKILL');
  return (await ended).code === null;
}

/** What the operator's command says of a copy that was found. */
export async function traceIn(dataDir: string, copy: Buffer): Promise<string> {
  const file = path.join(newFolder(), 'found');
  writeFileSync(file, copy);
  return (await runPf(dataDir, 'trace', file, '--creator', firstLanding.creator.email).ended).said;
}

/** The rows of an installation that does not run. */
export async function readStill(dataDir: string): Promise<Contents> {
  const database = await openDatabase({ dataDir, backupDir: null, migrations: null, log: () => undefined });
  try {
    return await readContents(database.connection);
  } finally {
    await database.close();
  }
}

/** Every stored file with its hash. */
export function hashFiles(dataDir: string): Record<string, string> {
  const store = path.join(dataDir, 'files');
  if (!existsSync(store)) return {};
  const entries = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const place = path.join(parentPath, name);
      return [path.relative(store, place), createHash('sha256').update(readFileSync(place)).digest('hex')];
    }),
  );
}

/** Opens the demo link as somebody who has been here; comes again when the machine is too busy. */
export async function look(url: string, browser: Browser): Promise<PictureFrame[]> {
  const { viewerApi } = visit(url);
  const { pictures } = await untilGiven(() => viewerApi.tap(firstLanding.demoSlug, { firstScreen: 3 }, browser));
  if (pictures.length !== 3) throw new Error(`The link showed ${pictures.length} pictures of 3.`);
  return pictures.toSorted((a, b) => a.n - b.n);
}

/** What a guest saw, handed on, and the photo as nobody was shown it. */
export interface LeakedPhoto {
  linkName: string;
  copy: Buffer;
  original: Buffer;
}

/** Shows a photo to one guest through a link of their own, who hands it on. */
export async function leakPhoto(visitor: Visitor, creator: ReturnType<typeof newBrowser>): Promise<LeakedPhoto> {
  const { id: albumId } = await visitor.must('albums.create', { name: 'Handed on', peopleConsent: 'only_me' }, creator);
  const original = await openPainting(paint(41, 1200, 1200))
    .png({ compressionLevel: 1 })
    .toBuffer();
  const uploadId = await visitor.beginUpload(creator, albumId, original);
  await visitor.sendFrom(creator, uploadId, original, 0);
  const [photo] = await visitor.untilSettled(creator, albumId);
  const linkName = 'Whoever hands it on';
  const rules = { albumIds: [albumId], linkName, rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = await visitor.must('links.create', rules, creator);
  const guest = newBrowser();
  const { head } = await visitor.viewerApi.tap(slug, {}, guest);
  const wanted = [{ mediaId: photo?.id ?? '', rendition: 'p2048' }];
  const [picture] = (await visitor.viewerApi.lease(head.visitId, wanted, guest)).pictures;
  if (picture === undefined) throw new Error('The photo was not shown.');
  const copy = await sharp(await drawPack(picture.pack, picture.keys))
    .resize(900)
    .jpeg({ quality: 70 })
    .toBuffer();
  return { linkName, copy, original };
}

/** People who go on uploading and opening until they are told to stop. */
export interface Load {
  uploads: () => number;
  opens: () => number;
  stop(): Promise<void>;
}

/** Sends photo after photo into an album, and opens the demo link as one newcomer after the other. */
export async function putUnderLoad(visitor: Visitor, creator: ReturnType<typeof newBrowser>): Promise<Load> {
  const { id: albumId } = await visitor.must(
    'albums.create',
    { name: 'While it was backed up', peopleConsent: 'only_me' },
    creator,
  );
  let [isOver, uploads, opens] = [false, 0, 0];
  const upload = async () => {
    while (!isOver) {
      const photo = await drawNoise(240, 180);
      const id = await visitor.beginUpload(creator, albumId, photo);
      if ((await visitor.sendFrom(creator, id, photo, 0)) === photo.length) uploads++;
    }
    await visitor.untilSettled(creator, albumId);
  };
  const open = async () => {
    while (!isOver) {
      const { status } = await visitor.viewerApi.tap(
        firstLanding.demoSlug,
        { firstScreen: 1, isAdult: true },
        newBrowser(),
      );
      if (status === 200) opens++;
    }
  };
  const all = Promise.all([upload(), open()]);
  all.catch(() => undefined); // told when it is stopped
  return {
    uploads: () => uploads,
    opens: () => opens,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

/** Changes one byte in the middle of a file. @returns takes it back */
export function flip(file: string): () => void {
  const bytes = readFileSync(file);
  const planted = Buffer.from(bytes);
  planted[planted.length >> 1] = (planted[planted.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, planted);
  return () => writeFileSync(file, bytes);
}

/** Moves a file out of the way. @returns puts it back */
export function moveAside(file: string): () => void {
  const bytes = readFileSync(file);
  rmSync(file);
  return () => writeFileSync(file, bytes);
}

/** Stored files of a backup with their hashes. */
export const storedIn = async (folder: string) =>
  Object.fromEntries(
    (await readManifest(folder)).files.flatMap(({ name, sha256 }) =>
      name.startsWith('files/') ? [[name.slice('files/'.length), sha256]] : [],
    ),
  );

/** Kills app and database at once, as a power cut does, before either can write another word. */
export async function cutPower(server: ServerProcess, dataDir: string): Promise<void> {
  process.kill(server.pid, 'SIGSTOP');
  const pid = readFileSync(path.join(dataDir, 'pg/pgdata/postmaster.pid'), 'utf8').split('\n')[0];
  process.kill(Number(pid), 'SIGKILL');
  await server.end('SIGKILL');
  await expect.poll(() => listDatabasesIn(dataDir)).toEqual([]);
  await wait(1000);
}
