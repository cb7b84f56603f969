import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from '@playwright/test';
import { devAddressOf } from '#app/dev/dev-token.ts';
import { databaseFolder } from '../../support/database/database-folder.ts';
import { findFreePort, makeDataDir, spawnServer } from '../../support/servers/server-process.ts';

/** Names the folder of what is made once for all journeys of a run. */
const variable = 'PF_JOURNEYS_FOLDER';
/** Names one in which it has been made already. */
const aheadVariable = 'PF_JOURNEYS_AHEAD';
const partOf = (folder: string, part: 'pictures' | 'data') => path.join(folder, part);

/**
 * Before the first journey: draws our own pictures, and makes what the first start of a sandbox makes, once for all servers of
 * this run. A server with a copy of it is up in two seconds; making it takes half a minute.
 *
 * @returns removes it all
 */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export of its global setup
export default async function seedData(): Promise<() => void> {
  const ahead = process.env[aheadVariable];
  const folder = ahead ?? makeDataDir('pf-journeys-', databaseFolder());
  process.env[variable] = folder;
  // With other people's database there is nothing to copy.
  if (process.env.PF_FIELD === '1')
    await promisify(execFile)(process.execPath, ['db/scenes/draw-child.ts', partOf(folder, 'pictures')]);
  else if (ahead === undefined) await makeSeededData(folder);
  // What was made ahead is removed by whoever made it: another run may start from it.
  return () => {
    if (ahead === undefined) rmSync(folder, { recursive: true, force: true });
  };
}

/** Makes it in this folder. */
export const makeSeededData = (folder: string, signal?: AbortSignal): Promise<void> =>
  seedServer(partOf(folder, 'data'), partOf(folder, 'pictures'), signal);

/** Starts a server on an empty data folder and stops it once its demo is made, of which the pictures are kept. */
async function seedServer(dataDir: string, pictures: string, signal: AbortSignal | undefined): Promise<void> {
  const server = spawnServer({ port: await findFreePort(), dataDir });
  try {
    await server.untilUp();
    await untilDemoIsMade(dataDir, signal);
    await keepPictures(server.url, dataDir, pictures);
  } finally {
    await server.end('SIGTERM');
  }
}

/** The demo holds each of our own pictures: they need not be drawn once more. */
async function keepPictures(url: string, dataDir: string, folder: string): Promise<void> {
  const page = await request.newContext({ baseURL: url });
  mkdirSync(folder, { recursive: true });
  await page.get(devAddressOf({ publicUrl: url, dataDir }));
  const become = { form: { email: 'creator@example.com' }, headers: { origin: url }, maxRedirects: 0 };
  await page.post('/dev/become', become);
  const read = async (address: string) => (await page.get(address, { headers: { 'x-csrf-token': 'orpc' } })).json();
  const { albums } = (await read('/api/v1/albums')) as { albums: { id: string }[] };
  for (const { id } of albums) {
    const { items } = (await read(`/api/v1/albums/${id}`)) as { items: { id: string; originalName: string }[] };
    for (const item of items) {
      const original = await page.get(`/api/media/${item.id}/original`);
      writeFileSync(path.join(folder, item.originalName), await original.body());
    }
  }
  await page.dispose();
}

/** The server notes that it is making the demo, and removes that note at the very end. */
async function untilDemoIsMade(dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  const unfinished = path.join(dataDir, 'demo-unfinished');
  let hasBegun = false;
  for (let tries = 0; tries < 12_000; tries++) {
    const isUnderWay = existsSync(unfinished);
    if (hasBegun && !isUnderWay) return;
    hasBegun ||= isUnderWay;
    await wait(100, undefined, { signal });
  }
  throw new Error('The demo was not made within twenty minutes.');
}

/** Our own pictures as JPEG files, by the names that `db/scenes` gives them. */
export const pictureFiles = (...names: readonly string[]): string[] =>
  names.map((name) => path.join(partOf(process.env[variable] ?? '', 'pictures'), `${name}.jpg`));

/** A new data folder, with a copy of the seeded data if there is any. */
export function copySeededData(): string {
  const dataDir = makeDataDir('pf-journey-', databaseFolder());
  const seeded = partOf(process.env[variable] ?? '', 'data');
  // A database that had to go elsewhere stays there: each server then makes a demo of its own.
  if (!existsSync(seeded) || existsSync(path.join(seeded, 'pg/where'))) return dataDir;
  // Node copies no owners, and as root the database belongs to an account of its own.
  if (process.platform === 'win32') cpSync(seeded, dataDir, { recursive: true });
  else execFileSync('cp', ['-a', `${seeded}/.`, dataDir]);
  return dataDir;
}
