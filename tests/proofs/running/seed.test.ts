import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawPictures } from '#app/dev/demo.ts';
import { seedCreator } from '#app/dev/seeding.ts';
import { seedBusyLife } from '#db/busy-creator.ts';
import { readRows } from '#tests/support/people.ts';
import { findFreePort, makeDataDir, spawnServer } from '#tests/support/servers/server-process.ts';
import { visit } from '#tests/support/servers/visitor.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards('db/**', 'src/app/dev/**');

const root = path.resolve(import.meta.dirname, '../../..');
const dataDir = makeDataDir('pf-seed-');
const pictures = mkdtempSync(path.join(tmpdir(), 'pf-seed-drawn-'));
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  for (const folder of [dataDir, pictures]) rmSync(folder, { recursive: true, force: true });
});

/** `npm run seed -- <words>` as somebody types it. Not waited for in one piece: the app beside it would miss its own answers. */
async function seed(...words: string[]) {
  const child = spawn('npm', ['run', 'seed', '--', ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [ended, stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { status: ended[0] as number | null, stdout, stderr };
}

test('a word that names no state is answered with those that do, and as a failure', async () => {
  for (const [words, status] of [
    [['busy'], 1],
    [['toString'], 1],
    [[], 0],
  ] as const) {
    const answer = await seed(...words);
    expect(answer.status, answer.stderr).toBe(status);
    for (const name of ['demo', 'fresh-creator', 'busy-creator', 'busy-creator-small', 'busy-seller', 'lapsed'])
      expect(answer.stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
  }
});

test('fresh-creator is somebody who can sign in and has nothing yet', async () => {
  const { status, stdout, stderr } = await seed('fresh-creator');
  expect(status, stderr).toBe(0);
  const [, email = '', password = ''] = /sign in +(\S+@\S+) +(\S+)/.exec(stdout) ?? [];
  const server = spawnServer({ port: await findFreePort(), dataDir });
  await server.untilUp();
  const browser = newBrowser();
  const { must } = visit(server.url);
  await must('accounts.signIn', { email, password }, browser);
  expect(await must('accounts.me', {}, browser)).toMatchObject({ setupStep: 'done', hasAccess: true });
  expect((await must('albums.list', {}, browser)).albums).toEqual([]);
  expect((await must('links.list', {}, browser)).links).toEqual([]);
  await server.end('SIGTERM');
});

test('busy-creator has pictures, links and visits that are counted; here a small life', async () => {
  const creator = await seedCreator(app.engines, { email: 'busy@example.com', displayName: 'Mia', handle: 'busy' });
  const files = await drawPictures(root, pictures, ['linen']);
  await seedBusyLife(app.engines, creator, files, { photos: 2, links: 8, visits: 60 });
  const { albums } = await creator.caller.albums.list({});
  expect(albums).toMatchObject([{ name: 'Summer' }]);
  const { links } = await creator.caller.links.list({});
  expect(links).toHaveLength(8);
  expect(links.filter(({ isRevoked }) => isRevoked)).toHaveLength(1);
  const [row] = await readRows(
    app,
    `select (select count(*)::int from media where state = 'ready') as photos,
      (select count(*)::int from viewer_sessions) as visits,
      (select sum(views_count)::int from magic_links) - (select count(*)::int from viewer_sessions where counted) as wrong`,
  );
  expect(row).toEqual({ photos: 2, visits: 60, wrong: 0 });
  expect(
    await readRows(app, `select reltuples::int as known from pg_class where oid = 'viewer_sessions'::regclass`),
    'the database knows its numbers',
  ).toEqual([{ known: 60 }]);
});
