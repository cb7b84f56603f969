import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeTimeouts } from '#app/describe-timeouts.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Decoders, openDecoders } from '../decoding/decoders.ts';
import { photoQueue } from '../queues.ts';
import { openPhotoWork } from './process-photo.ts';

let app: TestApp;
let ana: Person;
let albumId: string;
let decoders: Decoders;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  decoders = openDecoders(app.engines);
  ana = await signUpCreator(app);
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  albumId = (await app.call('albums.create', { name: 'Photos', peopleConsent: 'only_me' }, ana.browser)).body.id;
});
afterAll(async () => {
  await decoders.close();
  await app.close();
});

/** @param jobSeconds less than any photo takes, as on a machine that has no time for it */
const make = async (id: string, jobSeconds?: number) => {
  const photos = async () => {
    const decoder = await decoders.photos();
    const ingest: typeof decoder.ingest = (order) => decoder.ingest(jobSeconds ? { ...order, jobSeconds } : order);
    return { ...decoder, ingest };
  };
  await openPhotoWork(app.engines, { ...decoders, photos }).make(
    id,
    new AbortController().signal,
    async () => undefined,
  );
};
const itemOf = async (id: string) => {
  const { items } = (await app.call('albums.one', { albumId }, ana.browser)).body;
  return items.find((item: { id: string }) => item.id === id);
};
const pausesOf = async (id: string) => {
  const sql = `select round(extract(epoch from start_after - created_on))::int as pause from pgboss.job
    where name = $1 and data->>'mediaId' = $2 order by start_after`;
  return (await readRows<{ pause: number }>(app, sql, [photoQueue, id])).map(({ pause }) => pause);
};

it('a photo that runs out of time is tried again by itself, later each time, until it is made or given up', async () => {
  const add = async (seed: number) =>
    (await sendFile(app, ana, albumId, { name: `${seed}.jpg`, bytes: await paintJpeg(seed, 300, 200) })).id;
  const [slow, hopeless] = [await add(1), await add(2)];
  expect(await describeTimeouts(app.engines)).toEqual([]);

  await make(slow, 0.001);
  const failText = "Processing took too long. We'll try again automatically.";
  expect(await itemOf(slow)).toMatchObject({ state: 'uploaded', failCode: 'TIMEOUT', failText, canRetry: false });
  expect(await pausesOf(slow)).toEqual([0, 60]);
  const waits = /^1 photo or video ran out of time: tried again automatically, next at \d/;
  expect(await describeTimeouts(app.engines)).toEqual([expect.stringMatching(waits)]);
  await make(slow);
  expect(await itemOf(slow)).toMatchObject({ state: 'ready', failCode: null, failText: null });
  expect(await describeTimeouts(app.engines)).toEqual([]);

  for (let tries = 0; tries < 5; tries++) await make(hopeless, 0.001);
  expect(await itemOf(hopeless)).toMatchObject({ state: 'failed', failCode: 'TIMEOUT', canRetry: true });
  expect(await pausesOf(hopeless)).toEqual([0, 60, 600, 3600, 21_600]);
  expect(await describeTimeouts(app.engines)).toEqual([expect.stringMatching(/^1 photo or video .* again and again/)]);
  expect((await app.call('media.retry', { mediaId: hopeless }, ana.browser)).status).toBe(200);
  await make(hopeless, 0.001);
  expect(
    (await pausesOf(hopeless)).filter((pause) => pause === 60),
    'begun again',
  ).toHaveLength(2);
  await make(hopeless);
  expect(await readRow(app, 'select state, timeouts, retry_at from media where id = $1', [hopeless])).toEqual({
    state: 'ready',
    timeouts: 0,
    retry_at: null,
  });
});

it('a photo over which the server ended again and again is tried again later as well', async () => {
  const bytes = await paintJpeg(3, 300, 200);
  const { id } = await sendFile(app, ana, albumId, { name: 'deadly.jpg', bytes });
  await readRows(app, 'update media set attempts = 10 where id = $1', [id]);
  await make(id);
  expect(await itemOf(id)).toMatchObject({ state: 'uploaded', failCode: 'TIMEOUT' });
  expect(await pausesOf(id)).toEqual([0, 60]);
  await make(id);
  expect(await itemOf(id)).toMatchObject({ state: 'ready' });
});
