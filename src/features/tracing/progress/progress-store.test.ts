import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawStranger } from '#tests/support/media/paint.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { shareOf, stretches } from './progress.ts';
import { beginTrace, moveTrace } from './progress-store.ts';

const system = { kind: 'system' } as const;
let app: TestApp;
let world: LeakWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app);
});
afterAll(() => app.close());

it('a trace goes on and never back: from videos to pictures, begun again, or told late', async () => {
  const { traceId } = (await upload(world, await drawStranger(300, 200), world.creator.browser)).body;
  const { database } = app.engines;
  const shares: number[] = [];
  const words: string[] = [];
  const look = async () => {
    const { state, share, comparing } = (await app.call('tracing.one', { traceId }, world.creator.browser)).body;
    shares.push(share);
    words.push(`${state} ${comparing}`);
  };
  const move = async (stretch: keyof typeof stretches, step: 'matching' | 'reading', done: number, of: number) => {
    const share = shareOf(stretches[stretch], { step, done, of });
    await database.work(system, (tx) => moveTrace(tx, traceId, { step, of, share }));
    await look();
  };
  const begin = async () => {
    await database.work(system, (tx) => beginTrace(tx, traceId));
    await look();
  };
  await look();
  await begin();
  await move('videos', 'matching', 3, 4);
  await move('videos', 'reading', 9, 10);
  await move('stills', 'matching', 0, 40);
  await move('stills', 'matching', 20, 40);
  await move('videos', 'reading', 5, 10);
  await begin();
  await move('videos', 'matching', 0, 4);
  await move('stills', 'reading', 0, 3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], new Set(shares).size, (shares.at(-1) as number) < 1]).toEqual([0, 6, true]);
  expect(words).toEqual([
    'queued 0',
    'matching 0',
    'matching 4',
    'reading 4',
    'matching 40',
    'matching 40',
    'reading 40',
    'matching 40',
    'matching 4',
    'reading 4',
  ]);
});
