import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesBelow } from '#tests/support/database/list-below.ts';
import { noOutsidePostgres } from '#tests/support/database/outside-postgres.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import type { Browser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { mostSecondsLocked } from '../load/taken-up.ts';
import { until } from './kill-room.ts';
import { openWorkerRoom, type WorkerRoom } from './worker-room.ts';

guards('src/engines/jobs/**', 'src/features/media/**');

/**
 * A worker, killed by SIGKILL in the middle of its jobs, while the database and the web process live on. Nobody boots a
 * server then and frees its jobs at once: others find that it says nothing any more.
 */
const patience = { timeout: countOf(240_000, 3_600_000, 14_400_000) };
/** A worker makes two photos at once: with these another one has something to do as well, and some have to wait. */
const photosAtOnce = 5;
const counts = { photos: 0, kills: 0, inMidJob: 0, jobs: 0, mostSecondsLocked: 0 };
let room: WorkerRoom | undefined;
let visitor: Visitor;
let creator: Browser;
let albumId: string;
let last: Round;

beforeAll(async () => {
  room = await openWorkerRoom();
  if (room === undefined) return;
  visitor = visit(room);
  creator = await visitor.signUp('worker@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
  await room.startWorker();
});
afterAll(async () => {
  await room?.close();
  if (room !== undefined) printProof('kill-worker', counts.photos, counts);
});

/** Photos that were being made when a worker was killed. */
interface Round {
  ids: string[];
  killedAt: Date;
}

interface JobRow {
  id: string;
  state: string;
  /** Whether somebody had to begin it again. */
  isLost: boolean;
  /** Seconds from the kill until somebody began it last. */
  seconds: number;
}

const jobsOf = ({ rowsOf }: WorkerRoom, { ids, killedAt }: Round) =>
  rowsOf<JobRow>(
    `select data->>'mediaId' as id, state::text, retry_count > 0 as "isLost",
       extract(epoch from started_on - $2::timestamptz)::float8 as seconds
     from pgboss.job where name = 'photo.process' and data->>'mediaId' = any($1) order by 1`,
    [ids, killedAt],
  );

const untilBegun = (at: WorkerRoom, ids: string[]) =>
  until(
    async () => (await jobsOf(at, { ids, killedAt: new Date() })).find(({ state }) => state === 'active'),
    'The first job',
  );

/** When the kill comes after the first job has begun, by what can be seen from outside. */
const moments: ((at: WorkerRoom, ids: string[]) => Promise<unknown>)[] = [
  async () => undefined,
  ({ dataDir }, ids) =>
    until(
      () =>
        filesBelow(path.join(dataDir, 'files/media')).find(
          (file) => file.endsWith('.pfp') && ids.some((id) => file.startsWith(id)),
        ),
      'The first pack',
    ),
  () => wait(Math.random() * 1500),
];

/** Waits until everybody's jobs have begun once more, or have ended. @returns how many were lost, and for how long at most */
async function untilTakenUp(at: WorkerRoom, round: Round, patienceSeconds = 2 * mostSecondsLocked) {
  const isOpen = ({ state, seconds }: JobRow) => state !== 'completed' && !(state === 'active' && seconds > 0);
  for (const end = performance.now() + 1000 * patienceSeconds; performance.now() < end; await wait(50)) {
    const jobs = await jobsOf(at, round);
    if (jobs.some(isOpen)) continue;
    const lost = jobs.filter(({ isLost }) => isLost);
    return { lost: lost.length, seconds: Math.max(0, ...lost.map(({ seconds }) => seconds)) };
  }
  throw new Error(`Nobody took a job up again within ${patienceSeconds} s.`);
}

/** What is wrong after a round, in words. */
async function findWrong(at: WorkerRoom, round: Round): Promise<string[]> {
  const jobs = await jobsOf(at, round);
  const packs = await at.rowsOf<{ id: string; n: number }>(
    'select id, (select count(*)::int from packs where media_id = media.id) as n from media where id = any($1) order by 1',
    [round.ids],
  );
  const items = await visitor.untilSettled(creator, albumId);
  return [
    ...jobs
      .filter(({ isLost, seconds }) => isLost && seconds > mostSecondsLocked)
      .map(({ id }) => `${id} lay too long`),
    ...items.filter(({ state }) => state !== 'ready').map(({ id, state }) => `${id} is ${state}`),
    ...packs.filter(({ n }) => n !== 2).map(({ id, n }) => `${id} has ${n} packs`),
    ...(packs.length === round.ids.length && jobs.length === round.ids.length ? [] : ['a photo or its job is gone']),
    ...(await at.findUntidy()),
  ];
}

/** Sends photos, and kills the worker over them. */
async function killOverPhotos(at: WorkerRoom, n: number): Promise<Round> {
  const photos = await Promise.all(Array.from({ length: photosAtOnce }, () => drawNoise(1000, 700)));
  const ids = await Promise.all(photos.map((photo) => visitor.beginUpload(creator, albumId, photo)));
  const sending = photos.map((photo, one) => visitor.sendFrom(creator, ids[one] ?? '', photo, 0));
  await untilBegun(at, ids);
  await moments[n % moments.length]?.(at, ids);
  const killedAt = await at.killWorker();
  await Promise.all(sending);
  return { ids, killedAt };
}

test(
  "a worker that is killed over photos loses none (graphile-worker's jobs that stay locked): another one, started then or there before, takes them up within a minute and makes each once",
  patience,
  async ({ skip }) => {
    if (room === undefined) return skip(noOutsidePostgres);
    const wanted = countOf(1, 10, 30);
    for (let n = 0; counts.inMidJob < wanted && n < 3 * wanted; n++) {
      const isAlone = n % 2 === 0;
      if (!isAlone) await room.startWorker();
      last = await killOverPhotos(room, n >> 1);
      if (isAlone) await room.startWorker();
      const { lost, seconds } = await untilTakenUp(room, last);
      counts.photos += last.ids.length;
      counts.kills++;
      if (lost > 0) counts.inMidJob++;
      counts.jobs += lost;
      counts.mostSecondsLocked = Math.max(counts.mostSecondsLocked, Math.round(10 * seconds) / 10);
      await visitor.untilSettled(creator, albumId);
      if (!isAlone) {
        // What the killed one left in the clear goes with the next start.
        await room.startWorker();
        await room.stopWorker();
      }
      expect(await findWrong(room, last)).toEqual([]);
    }
    expect(counts.inMidJob).toBe(wanted);
  },
);

test('planted: a job that lay too long, a pack that is gone and a photo in staging are found', async ({ skip }) => {
  if (room === undefined) return skip(noOutsidePostgres);
  expect(await findWrong(room, last)).toEqual([]);
  const id = (await jobsOf(room, last)).find(({ isLost }) => isLost)?.id ?? '';
  await room.rowsOf(
    `update pgboss.job set started_on = started_on + make_interval(secs => $2) where data->>'mediaId' = $1`,
    [id, mostSecondsLocked],
  );
  const [pack] = await room.rowsOf<{ path: string }>(
    `delete from packs where media_id = $1 and rendition = 'thumb512' returning path`,
    [id],
  );
  writeFileSync(path.join(room.dataDir, 'staging', 'planted'), '');
  expect(await findWrong(room, last)).toEqual([
    `${id} lay too long`,
    `${id} has 1 packs`,
    `${pack?.path} has no name`,
    'planted lies in staging',
  ]);
});

// As long as a job may lie locked: in less time a healthy worker could not be told from this one.
test.runIf(isFull)('planted: jobs whose worker may say nothing for an hour are found', patience, async ({ skip }) => {
  if (room === undefined) return skip(noOutsidePostgres);
  await room.rowsOf(`update pgboss.queue set heartbeat_seconds = 3600 where name = 'photo.process'`);
  const round = await killOverPhotos(room, 0);
  await room.startWorker();
  await expect(untilTakenUp(room, round, mostSecondsLocked)).rejects.toThrow('Nobody took a job up again');
});
