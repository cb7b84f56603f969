import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Jobs, QueueOptions } from '#engines/jobs/jobs.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { declareAlbumJobs } from '#features/albums/jobs.ts';
import { sendMedium, videoQueue } from '#features/media/queues.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards('src/features/albums/jobs.ts', 'src/features/media/queues.ts', 'src/engines/jobs/**');

let app: TestApp;
let workers: Jobs | undefined;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(async () => {
  await workers?.stop();
  await app.close();
});

/** Returns how videos are queued, as the app declares it. */
async function readVideoQueue(): Promise<QueueOptions> {
  const declared = new Map<string, QueueOptions>();
  const jobs = { ...app.engines.jobs, every: () => undefined };
  jobs.handle = (queue, _, options = {}) => void declared.set(queue, options);
  await declareAlbumJobs({ ...app.engines, jobs }).end();
  const options = declared.get(videoQueue);
  if (options === undefined) throw new Error('Nobody makes videos.');
  return options;
}

test('two videos of one creator are never made at the same time; those of two creators are', async () => {
  const [anna, berta] = ['anna', 'berta'] as const;
  const videos = { 'anna 1': anna, 'anna 2': anna, 'anna 3': anna, 'berta 1': berta } as const;
  const [running, done, atOnce] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const bertaBegan = Promise.withResolvers<void>();
  const annaBegan = Promise.withResolvers<void>();
  const run = async ({ mediaId }: { mediaId: string }) => {
    running.add(mediaId);
    atOnce.add([...running].sort().join(' + '));
    // One of each waits for one of the other: nothing ends before both are at work together.
    (mediaId.startsWith(anna) ? annaBegan : bertaBegan).resolve();
    await Promise.all([annaBegan.promise, bertaBegan.promise]);
    running.delete(mediaId);
    done.add(mediaId);
  };
  // As many places as there are videos: only the queue's own rule keeps any of them waiting.
  workers = openJobs(app.engines);
  workers.handle(videoQueue, run, { ...(await readVideoQueue()), atOnce: 4 });
  for (const [mediaId, creatorId] of Object.entries(videos))
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      sendMedium(app.engines, tx, { mediaId, creatorId, kind: 'video' }),
    );
  await workers.start(true);
  await vi.waitFor(() => expect([...done].sort()).toEqual(Object.keys(videos)), { interval: 100 });
  const ofAnna = (words: string) => words.split(anna).length - 1;
  expect([...atOnce].filter((words) => ofAnna(words) > 1)).toEqual([]);
  expect([...atOnce].some((words) => words.includes(anna) && words.includes(berta))).toBe(true);
});
