import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { listBelow } from '#tests/support/list-below.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/server-process.ts';
import { visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';
import { mostSecondsLocked, secondsUntilTakenUp } from './taken-up.ts';

/** R6 for films: the real server, killed by SIGKILL while it encodes, and started again on the same data. */
if (!canDrawClips) tellNoClips();

const [dataDir, workDir] = [makeDataDir('pf-kill-film-'), makeDataDir('pf-work-film-')];
let server: ServerProcess | undefined;
let port = 0;

async function start(role: 'web' | 'all'): Promise<ServerProcess> {
  server = spawnServer({ port, dataDir, environment: { PF_ROLE: role, TMPDIR: workDir } });
  await server.untilUp();
  return server;
}

async function kill(): Promise<void> {
  await server?.end('SIGKILL');
  await expect.poll(() => listDatabasesIn(path.join(dataDir, 'pg')), { timeout: 20_000 }).toEqual([]);
}

afterAll(async () => {
  await server?.end('SIGTERM');
  for (const folder of [dataDir, workDir]) rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function until<T>(ask: () => T | undefined, what: string): Promise<T> {
  for (const end = performance.now() + 180_000; performance.now() < end; await wait(20)) {
    const answer = ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`${what} did not come within three minutes.`);
}

const filesBelow = (folder: string) =>
  listBelow(folder).flatMap((entry) =>
    entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name))] : [],
  );

async function namedFiles(): Promise<string[]> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
  await client.connect();
  try {
    await client.query('set role app_system');
    const { rows } = await client.query<{ path: string }>(
      'select path from packs union select path from segment_files union select original_path from media',
    );
    return rows.map((row) => row.path).toSorted();
  } finally {
    await client.end();
  }
}

test.runIf(canDrawClips)(
  'R6, graphile-worker’s jobs that stay locked: a server that was killed while it encoded takes the film up again within a minute, makes it, and nothing of the first try is left',
  async () => {
    port = await findFreePort();
    const visitor = visit((await start('web')).url);
    const creator = await visitor.signUp('film@example.com');
    const albumId = (await visitor.must('albums.create', { name: 'Killed' }, creator)).id;
    const film = drawClip({ seconds: 10, width: 640, height: 360 });
    const kills = countOf(1, 30, 200);
    const locked: number[] = [];
    for (let n = 0; n < kills; n++) {
      const uploadId = await visitor.beginUpload(creator, albumId, film);
      await visitor.sendFrom(creator, uploadId, film, 0);
      await kill();
      await start('all');
      await until(() => filesBelow(workDir).find((file) => file.endsWith('v720-a.m4s')), 'The encode');
      await wait(100 * (n % 10));
      await kill();
      expect(filesBelow(workDir)).not.toEqual([]);
      await start('all');
      locked.push(await secondsUntilTakenUp(dataDir, uploadId));
      const items = await visitor.untilSettled(creator, albumId, 10);
      expect(items.find(({ id }) => id === uploadId)?.state).toBe('ready');
      expect(filesBelow(path.join(dataDir, 'files')).toSorted()).toEqual(await namedFiles());
      const dead = readdirSync(workDir).filter((name) => !name.startsWith(`privatefans-child-${server?.pid}-`));
      expect(dead.filter((name) => name.startsWith('privatefans-child-'))).toEqual([]);
    }
    tellProof('kill-film', kills, { kills: 2 * kills, mostSecondsLocked: Math.max(...locked) });
    expect(locked.filter((seconds) => seconds > mostSecondsLocked)).toEqual([]);
  },
  countOf(900_000, 7_200_000),
);
