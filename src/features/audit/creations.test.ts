import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProcedures } from '#tests/proofs/asking/procedures.ts';
import { giveCredits } from '#tests/support/money/credits.ts';
import { addTier } from '#tests/support/money/passes.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sweepCreations } from './creations.ts';

/* Every call that makes something takes its caller's key: a double tap and a retry after a lost answer make one thing. */

let app: TestApp;
let mia: Person;
let eve: Person;
let albumId: string;
let otherId: string;
let tierId: string;

beforeAll(async () => {
  app = await openTestApp();
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
  albumId = await addReadyAlbum(app, mia.userId);
  otherId = await addReadyAlbum(app, mia.userId);
  tierId = await addTier(app, mia);
  await connectPayouts(app, mia);
  await giveCredits(app, mia.userId, 1000);
});
afterAll(() => app.close());

/** What each of them is asked for; `n` makes it another wish. */
const wishes: Record<string, (n: number) => object> = {
  'albums.create': (n) => ({ name: `By the water ${n}` }),
  'consents.add': (n) => ({ albumId: otherId, name: `Lena ${n}`, email: `lena${n}@example.com` }),
  'agreements.save': (n) => ({ title: `House rules ${n}`, body: 'Keep it to yourself.' }),
  'presets.create': (n) => ({ name: `New ${n}`, rules: {}, expiry: { kind: 'never' } }),
  'links.createMany': (n) => ({ albumIds: [albumId], names: [`Bob ${n}`, `Ann ${n}`], isLaxConfirmed: true }),
  'links.create': (n) => ({ albumIds: [albumId], linkName: `For Bob ${n}`, password: 'violet-harbour' }),
  'fans.createTier': (n) => ({ name: `Circle ${n}`, priceCents: 999 }),
  'credits.addStorage': (n) => ({ count: n, credits: 10 * n }),
  'credits.addAnswers': (n) => ({ count: n, credits: n }),
  'credits.addVideoTime': (n) => ({ count: n, credits: 5 * n }),
  'passes.create': (n) => ({ tierId, label: `Friends ${n}`, days: 7 }),
};
const creating = listProcedures().filter(({ meta }) => meta.creates);

const ask = (procedure: string, input: object, key?: string, { browser } = mia) =>
  app.call(procedure, input, { ...browser, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });
/** The id of what was made, or the ids of many at once. */
const madeOf = (body: { id?: string; links?: { id: string }[] }) => body.id ?? body.links?.map(({ id }) => id).join();
const keep = () => readRows(app, 'select key, wish from creations');

it('is every call that adds to a collection', () => {
  const adding = listProcedures().filter(({ method, path, meta }) => {
    const isCollection = method === 'POST' && /^\/[a-z]+$/.test(path);
    return isCollection && meta.needsPlan;
  });
  expect(adding.map(({ name }) => name)).not.toEqual([]);
  expect(adding.filter(({ meta }) => !meta.creates).map(({ name }) => name)).toEqual([]);
  expect(creating.map(({ name }) => name).toSorted()).toEqual(Object.keys(wishes).toSorted());
});

describe.each(Object.entries(wishes))('%s', (procedure, wish) => {
  it('makes one thing for one key, also when both callers ask at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all([1, 1, 1].map((n) => ask(procedure, wish(n), key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => madeOf(body))).size).toBe(1);
    const later = await ask(procedure, wish(1), key.toUpperCase());
    expect(later.body).toEqual(answers[0]?.body);
  });

  // A creator has three tiers at most, and an album names a person once: they are made once and refused here, and not made by the dozen.
  if (!['fans.createTier', 'consents.add'].includes(procedure))
    it('makes another thing for another key, and one for each call that has none', async () => {
      const ids = await Promise.all(
        [randomUUID(), randomUUID(), undefined, undefined].map(async (key) =>
          madeOf((await ask(procedure, wish(2), key)).body),
        ),
      );
      expect(new Set(ids).size).toBe(4);
    });

  it('refuses a key that was given for something else, and what is no key', async () => {
    const key = randomUUID();
    await ask(procedure, wish(3), key);
    expect((await ask(procedure, wish(4), key)).status).toBe(409);
    expect((await ask(procedure, wish(3), 'again')).status).toBe(422);
  });
});

it("never answers with what is somebody else's", async () => {
  const key = randomUUID();
  const hers = await ask('albums.create', { name: 'Hers', peopleConsent: 'only_me' }, key);
  const other = await ask('albums.create', { name: 'Hers', peopleConsent: 'only_me' }, key, eve);
  expect(other.status).toBe(200);
  expect(other.body.id).not.toBe(hers.body.id);
});

it('is used up by what was made, not by a refusal', async () => {
  const empty = await addReadyAlbum(app, mia.userId, { isEmpty: true });
  const key = randomUUID();
  const wish = { albumIds: [empty] };
  expect((await ask('links.create', wish, key)).body.code).toBe('ALBUM_EMPTY');
  const [photo] = await readRows<{ id: string }>(app, 'select id from media where creator_id = $1', [mia.userId]);
  expect((await ask('albums.addItems', { albumId: empty, mediaIds: [photo?.id] })).status).toBe(200);
  expect((await ask('links.create', wish, key)).status).toBe(200);
});

it('keeps nothing of what was asked for, and only for a day', async () => {
  const key = randomUUID();
  await ask('links.create', { albumIds: [albumId], password: 'violet-harbour' }, key);
  expect(JSON.stringify(await keep())).not.toContain('violet');
  const sweep = () =>
    app.engines.database.work({ kind: 'system' }, (tx) => sweepCreations(tx, new Date(app.engines.clock())));
  await sweep();
  expect((await keep()).map((row) => row.key)).toContain(key);
  advance(app, 25 * 3_600_000);
  await sweep();
  expect(await keep()).toEqual([]);
});

it('is named in the document for other programs', async () => {
  const { body } = await app.fastify.inject({ method: 'GET', url: '/api/openapi.json' });
  const { paths } = JSON.parse(body);
  for (const path of ['/albums', '/links'])
    expect(paths[path].post.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
});
