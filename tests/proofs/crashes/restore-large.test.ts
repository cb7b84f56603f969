import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '#engines/database/database.ts';
import { firstLanding } from '#tests/support/database/first-landing.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { findFreePort, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { untilGiven, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import type { PictureFrame } from '#tests/support/viewer-api.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { hashFiles, newFolder, readStill, removeFolders, runPf } from './backup-commands.ts';

guards('src/app/backup/**', 'src/engines/database/**');

/** How long an installation of ten gigabytes and 100,000 visits is away when its machine is lost and a backup is brought back to an empty one, and that it can move. */
if (!canDrawClips) warnNoClips();
const patience = { timeout: countOf(300_000, 3_600_000) };
const [videos, pieces] = [countOf(2, 20), countOf(2, 8)];
const pieceBytes = countOf(4, 64) * 2 ** 20;
/** Ten minutes for ten gigabytes. */
const mostSeconds = 600;
const dataDir = newFolder();
const backup = path.join(newFolder(), 'backup');
const viewer = newBrowser();
const figures = {
  megabytes: 0,
  files: 0,
  rows: 0,
  backedUpS: 0,
  restoredS: 0,
  servesAgainS: 0,
  exportedS: 0,
  importedS: 0,
};
let server: ServerProcess | undefined;
let slug = '';
let shown: PictureFrame[] = [];

afterAll(async () => {
  await server?.end('SIGTERM');
  removeFolders();
  printProof('restore-large', videos, figures);
});

async function start(of = dataDir): Promise<Visitor> {
  server = spawnServer({ port: await findFreePort(), dataDir: of, environment: firstLanding.environment });
  await server.untilUp();
  return visit(server);
}

/** A creator whose trial is over: she may store what a subscription holds. */
async function signUp(visitor: Visitor, name: string): Promise<Browser> {
  const creator = await visitor.signUp(`${name}@example.com`);
  const database = await openDatabase({ dataDir, migrations: null, log: () => undefined });
  await database.work({ kind: 'system' }, ({ client }) =>
    client.query(`update users set subscription_status = 'active'`),
  );
  await database.close();
  return creator;
}

/** A short video in a file that is as large as that of a long one: its original is kept as it came. */
async function sendVideo(visitor: Visitor, creator: Browser, albumId: string, video: Buffer): Promise<void> {
  const free = Buffer.alloc(8);
  free.writeUInt32BE(8 + pieces * pieceBytes);
  free.write('free', 4, 'latin1');
  const length = video.length + free.length + pieces * pieceBytes;
  const id = await visitor.beginUpload(creator, albumId, { length }, 'video/mp4');
  let offset = await visitor.sendFrom(creator, id, Buffer.concat([video, free]), 0);
  while (offset < length) offset = await visitor.sendFrom(creator, id, randomBytes(pieceBytes), offset);
}

/** A creator with half of all videos, each of them made. */
async function sendVideos(visitor: Visitor, name: string): Promise<{ creator: Browser; albumId: string }> {
  const creator = await signUp(visitor, name);
  const { id: albumId } = await visitor.must(
    'albums.create',
    { name: 'Five gigabytes', peopleConsent: 'only_me' },
    creator,
  );
  const video = drawClip();
  for (let n = 0; n < videos / 2; n++) await sendVideo(visitor, creator, albumId, video);
  const made = await visitor.untilSettled(creator, albumId, countOf(4, 30));
  expect(made.map(({ state, failText }) => [state, failText])).toEqual(made.map(() => ['ready', null]));
  return { creator, albumId };
}

/** A year of a creator with 200 photos, 500 links and 100,000 visits. */
function seedYear(): void {
  const env = { PATH: process.env.PATH, ...firstLanding.environment, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const { status, stderr } = spawnSync(process.execPath, ['db/seed.ts', 'busy-creator'], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

/** What somebody with the link is shown. */
const look = async ({ viewerApi }: Visitor): Promise<PictureFrame[]> =>
  (await untilGiven(() => viewerApi.tap(slug, { firstScreen: 1 }, viewer))).pictures;

const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10;

test.runIf(canDrawClips)('a lost machine is back within ten minutes for ten gigabytes, whole', patience, async () => {
  if (isFull) seedYear();
  let visitor = await start();
  const [first] = [await sendVideos(visitor, 'first'), await sendVideos(visitor, 'second')];
  const rules = { albumIds: [first.albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  ({ slug } = await visitor.must('links.create', rules, first.creator));
  shown = await look(visitor);
  expect(shown).toHaveLength(1);
  await server?.end('SIGTERM');
  const [files, rows] = [hashFiles(dataDir), await readStill(dataDir)];

  let began = performance.now();
  expect((await runPf(dataDir, 'backup', backup, '--keys-kept', 'first').ended).code).toBe(0);
  figures.backedUpS = secondsSince(began);
  rmSync(dataDir, { recursive: true });
  began = performance.now();
  expect(await runPf(dataDir, 'restore', backup).ended).toMatchObject({ code: 0 });
  figures.restoredS = secondsSince(began);
  expect(await readStill(dataDir)).toEqual(rows);
  expect(hashFiles(dataDir)).toEqual(files);
  began = performance.now();
  visitor = await start();
  expect(await look(visitor)).toEqual(shown);
  figures.servesAgainS = Math.round(10 * (figures.restoredS + secondsSince(began))) / 10;
  figures.files = Object.keys(files).length;
  figures.rows = Object.values(rows).reduce((sum, { rows: count }) => sum + count, 0);
  figures.megabytes = Math.round((videos * pieces * pieceBytes) / 1e6);
  if (!isFull) return;
  expect(figures.megabytes).toBeGreaterThanOrEqual(10_000);
  expect(figures.servesAgainS).toBeLessThanOrEqual(mostSeconds);
});

test.runIf(canDrawClips)(
  'all of it moves to an empty place as rows and files, and is shown there',
  patience,
  async () => {
    await server?.end('SIGTERM');
    rmSync(backup, { recursive: true });
    const [files, rows] = [hashFiles(dataDir), await readStill(dataDir)];
    const moved = path.join(newFolder(), 'moved');
    let began = performance.now();
    expect(await runPf(dataDir, 'export', moved).ended).toMatchObject({ code: 0 });
    figures.exportedS = secondsSince(began);
    const target = newFolder();
    began = performance.now();
    expect(await runPf(target, 'import', moved).ended).toMatchObject({ code: 0 });
    figures.importedS = secondsSince(began);
    expect(await readStill(target)).toEqual(rows);
    expect(hashFiles(target)).toEqual(files);
    expect(await look(await start(target))).toEqual(shown);
  },
);
