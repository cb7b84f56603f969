import { afterAll, beforeAll, expect, it } from 'vitest';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { advance, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type LeakWorld, openLeakWorld, resave, untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';

let app: TestApp;
let world: LeakWorld;
let tracedId: string;
let missedId: string;

beforeAll(async () => {
  app = await openTestApp();
  world = await openLeakWorld(app);
  tracedId = await trace(await resave(await world.invite('Bob')));
  missedId = await trace(await paintJpeg(96, 400, 300));
});
afterAll(() => app.close());

async function trace(bytes: Buffer): Promise<string> {
  advance(app, 1000);
  const { body } = await upload(world, bytes, world.creator.browser, `?albumId=${world.albumId}`);
  await untilTraced(world, body.traceId, world.creator.browser);
  return body.traceId;
}

const letter = { kind: 'intimate', address: 'https://leaks.example/1', name: 'Mia Example', email: 'mia@example.com' };
const write = (id: string, said: object = letter, browser = world.creator.browser) =>
  world.viewerApi.fetch(
    `/api/traces/${id}/letter.pdf`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(said) },
    browser,
  );

it('a takedown letter is written for the creator of a trace, and names nobody whom the trace names', async () => {
  const answer = await write(tracedId);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const { words } = await readPdf(Buffer.from(await answer.arrayBuffer()));
  expect(words).toContain('https://leaks.example/1');
  expect(words).toContain(tracedId);
  expect(words).not.toMatch(/Bob|Carl|Dora/);
});

it('is written of nothing that was not found, for nobody else, and to no address that is none', async () => {
  expect((await write(missedId)).status).toBe(404);
  const stranger = await signUpCreator(app);
  expect((await write(tracedId, letter, stranger.browser)).status).toBe(404);
  expect((await write(tracedId, letter, newBrowser())).status).toBe(401);
  const wrong = await write(tracedId, { ...letter, address: 'leaks.example' });
  expect([wrong.status, ((await wrong.json()) as { data: { field: string } }).data.field]).toEqual([422, 'address']);
});
