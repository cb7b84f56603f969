import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { drawEven, paintJpeg } from '#tests/support/media/paint.ts';
import { advance, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import {
  drawWithoutMark,
  type Guest,
  type LeakWorld,
  openLeakWorld,
  resave,
  untilTraced,
  upload,
} from '#tests/support/tracing/leaks.ts';
import { traceFile } from './commands.ts';
import { verifyEvidence } from './evidence/verify-evidence.ts';
import { readCode } from './rules.ts';

let app: TestApp;
let world: LeakWorld;
let guests: [bob: Guest, carl: Guest, dora: Guest];

beforeAll(async () => {
  app = await openTestApp();
  world = await openLeakWorld(app);
  guests = [await world.invite('Bob'), await world.invite('Carl'), await world.invite('Dora')];
});
beforeEach(() => advance(app, 1000));
afterAll(() => app.close());

const ask = (procedure: string, input: object, browser = world.creator.browser) =>
  app.call(`tracing.${procedure}`, input, browser);

async function trace(bytes: Buffer, query = `?albumId=${world.albumId}`) {
  advance(app, 1000);
  const { status, body } = await upload(world, bytes, world.creator.browser, query);
  expect(status).toBe(201);
  return untilTraced(world, body.traceId, world.creator.browser);
}

const fetchFile = (path: string, browser = world.creator.browser) =>
  world.viewerApi.fetch(`/api/traces/${path}`, { method: path.endsWith('preview') ? 'GET' : 'POST' }, browser);

/** Every number in an answer that is not where and how large something is, or when. */
function numbersIn(answer: object): number[] {
  const { items, leak, sizeBytes, share, comparing, earlierTraces, together, moreShown, ...rest } = answer as Record<
    string,
    unknown
  >;
  const found: number[] = [];
  JSON.stringify(rest, (_, value) => {
    if (typeof value === 'number') found.push(value);
    return value;
  });
  return found;
}

describe('a leaked copy', () => {
  it('names the link it came from and its viewer, with a chance in powers of ten', async () => {
    const [bob] = guests;
    const copy = await resave(bob);
    const answer = await trace(copy);
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'traced',
      hasPreview: true,
      sentence: expect.stringMatching(
        /^This copy was made from what Bob was shown through the link “Bob”\. The chance that this is a coincidence is below 1 in 10*(,000)+\.$/,
      ),
      links: [
        {
          linkId: bob.linkId,
          word: 'traced',
          isRevoked: false,
          people: [{ name: 'Bob', viewerId: bob.viewerId, visits: 1, device: 'iPhone', certainty: { word: 'traced' } }],
        },
      ],
      shownTo: [],
      ownLook: null,
      wasDisclosed: false,
    });
    // Three links, their three viewers, and nobody else was ever shown it.
    expect(answer.numbers.issued).toBe(6);
    expect(Number.isInteger(answer.links[0].chancePower)).toBe(true);
    const { columns, rows, tiles } = answer.items[0];
    expect(tiles).toHaveLength(columns * rows);
    expect(tiles.every((isRead: unknown) => typeof isRead === 'boolean')).toBe(true);
    const preview = await fetchFile(`${answer.id}/preview`);
    expect(preview.headers.get('cache-control')).toBe('no-store');
    expect(await sharp(Buffer.from(await preview.arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 900,
    });
    const evidence = await fetchFile(`${answer.id}/evidence.json`);
    const checks = verifyEvidence(await evidence.text(), { leaks: [copy] });
    expect(checks.filter(({ is }) => is === 'wrong')).toEqual([]);
  });

  it('names nobody and tells no number while too little of its mark is read; those who were shown it stand in that order, on the page as by the command', async () => {
    const file = path.join(app.engines.installation.dataDir, 'copy.jpg');
    writeFileSync(file, await drawWithoutMark(world));
    const words = await traceFile(app.engines, file, undefined);
    const [{ id: traceId }] = (await ask('list', { limit: 1 })).body.traces;
    const answer = (await ask('one', { traceId })).body;
    expect(answer).toMatchObject({
      outcome: 'inconclusive',
      sentence: 'Not enough of the mark could be read.',
      links: [],
      ownLook: null,
      numbers: null,
      wasDisclosed: false,
    });
    expect(answer.shownTo.map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Carl', 'Dora']);
    expect(words).toMatch(/^Not enough of the mark could be read\.\n· trace /);
    expect(words.match(/(?<=^· shown to )\w+/gm)).toEqual(['Bob', 'Carl', 'Dora']);
    expect(words).toMatch(/^· earlier traces of the same items that count: 1$/m);
    expect(numbersIn(answer)).toEqual([]);
    const [row] = await readRows(app, 'select result from traces where id = $1', [answer.id]);
    expect(Object.keys(row?.result as object).sort()).toEqual([
      'compared',
      'earlierTraces',
      'hasOriginal',
      'items',
      'leak',
      'shown',
      'together',
    ]);
    for (const kind of ['json', 'pdf']) {
      const refused = await fetchFile(`${answer.id}/evidence.${kind}`);
      expect([refused.status, await refused.text()]).toEqual([404, expect.not.stringMatching(/Bob|Carl|Dora|%PDF/)]);
    }
  });

  it('says when it shows nothing of hers, and when it is no picture', async () => {
    const stranger = await trace(await drawEven(90, 70));
    expect(stranger).toMatchObject({ outcome: 'no_match', sentence: "This picture isn't in this album.", items: [] });
    const everywhere = await trace(await drawEven(91, 70), '');
    expect(everywhere).toMatchObject({ albumId: null, sentence: "This picture isn't in your albums." });
    const words = await trace(Buffer.from('nothing that anybody could look at'));
    expect(words).toMatchObject({
      state: 'failed',
      outcome: null,
      hasPreview: false,
      failText: expect.stringMatching(/^This file type isn't supported\. Upload a photo or a screenshot/),
    });
    const { body } = await ask('list', { albumId: world.albumId, limit: 3 });
    expect(body.traces.map(({ id }: { id: string }) => id)).toEqual([words.id, everywhere.id, stranger.id]);
    expect(body.nextCursor).toBeTruthy();
    const next = await ask('list', { albumId: world.albumId, limit: 1, cursor: body.nextCursor });
    expect(next.body.traces[0].sentence).toMatch(/^Not enough of the mark/);
  });

  it('is stopped by whoever submitted it, and leaves nothing but its row in the log', async () => {
    const { body } = await upload(world, await resave(guests[2]), world.creator.browser);
    await expect
      .poll(async () => (await ask('one', { traceId: body.traceId })).body.state, { interval: 20 })
      .not.toBe('queued');
    await ask('remove', { traceId: body.traceId });
    const files = async () => {
      let count = 0;
      for await (const _ of app.engines.storage.list(`traces/${body.traceId}/`)) count++;
      return count;
    };
    await expect.poll(files).toBe(0);
    expect(await readRows(app, 'select kind from trace_log where trace_id = $1', [body.traceId])).toEqual([
      { kind: 'uploaded' },
    ]);
  });
});

describe('what a copy named', () => {
  it('is blocked with one tap, whatever link they come by, and let in again', async () => {
    const [, , dora] = guests;
    expect((await ask('blockViewer', { viewerId: dora.viewerId })).status).toBe(200);
    const input = { albumIds: [world.albumId], rules: { ageGate: false }, isLaxConfirmed: true };
    const other = (await app.call('links.create', input, world.creator.browser)).body;
    for (const slug of [dora.slug, other.slug])
      expect((await world.viewerApi.tap(slug, {}, dora.browser)).refusal).toMatchObject({ code: 'LINK' });
    expect((await ask('unblockViewer', { viewerId: dora.viewerId })).status).toBe(200);
    expect((await world.viewerApi.tap(dora.slug, {}, dora.browser)).status).toBe(200);
    expect((await ask('blockViewer', { viewerId: world.creator.userId })).status).toBe(404);
  });
});

describe('a code in a visible mark', () => {
  it('leads to its view, whatever became of the link and the viewer', async () => {
    const [bob, carl] = guests;
    const head = await world.viewerApi.tap(bob.slug, {}, bob.browser);
    const code = readCode(head.head.mark.text) ?? '';
    const { body } = await ask('byCode', { code });
    expect(body.views).toEqual([
      {
        viewerId: bob.viewerId,
        name: 'Bob',
        isOwn: false,
        isSupport: false,
        isBlocked: false,
        linkId: bob.linkId,
        linkName: 'Bob',
        recipientName: 'Bob',
        isRevoked: false,
        firstOpenedAt: expect.any(String),
      },
    ]);
    await ask('blockViewer', { viewerId: bob.viewerId });
    expect((await ask('byCode', { code })).body.views).toMatchObject([{ isBlocked: true }]);
    await ask('unblockViewer', { viewerId: bob.viewerId });
    const others = await world.viewerApi.tap(carl.slug, {}, carl.browser);
    const ofCarl = await ask('byCode', { code: readCode(others.head.mark.text) ?? '' });
    expect(ofCarl.body.views).toMatchObject([{ name: 'Carl', linkId: carl.linkId }]);
  });

  it("is nobody's to another creator, to a stranger and when it was made up, and is refused when it is none", async () => {
    const [bob] = guests;
    const { head } = await world.viewerApi.tap(bob.slug, {}, bob.browser);
    const code = readCode(head.mark.text) ?? '';
    const other = await signUpCreator(app);
    expect(await ask('byCode', { code }, other.browser)).toMatchObject({ status: 200, body: { views: [] } });
    expect((await ask('byCode', { code }, newBrowser())).status).toBe(401);
    expect((await ask('byCode', { code: '00000000' })).body.views).toEqual([]);
    for (const none of ['4F2A91C', '%_%_%_%_', "' or '1'", '4f2a91c0'])
      expect((await ask('byCode', { code: none })).status).toBe(422);
  });
});

describe('somebody else', () => {
  it("learns of no trace, hands nothing in for an album that is not theirs, and blocks nobody else's viewer", async () => {
    const { body: mine } = await ask('list', {});
    const traceId = mine.traces.at(-1).id;
    const stranger = await signUpCreator(app);
    expect((await ask('list', {}, stranger.browser)).body.traces).toEqual([]);
    for (const procedure of ['one', 'remove'])
      expect((await ask(procedure, { traceId }, stranger.browser)).status).toBe(404);
    for (const procedure of ['blockViewer', 'unblockViewer'])
      expect((await ask(procedure, { viewerId: guests[0].viewerId }, stranger.browser)).status).toBe(404);
    const copy = await paintJpeg(97, 400, 300);
    expect((await upload(world, copy, stranger.browser, `?albumId=${world.albumId}`)).status).toBe(404);
    expect((await upload(world, copy, newBrowser())).status).toBe(401);
    for (const path of [`${traceId}/preview`, `${traceId}/evidence.json`, `${traceId}/evidence.pdf`, 'no-id/preview']) {
      expect((await fetchFile(path, stranger.browser)).status).toBe(404);
      expect((await fetchFile(path, newBrowser())).status).toBe(401);
    }
    expect((await ask('one', { traceId })).status).toBe(200);
  });

  it('has no evidence made by another site or by following a link, and not without end', async () => {
    const { body } = await ask('list', { limit: 1 });
    const address = `/api/traces/${body.traces[0].id}/evidence.pdf`;
    const { browser, userId } = world.creator;
    const foreign = { method: 'POST', headers: { origin: 'https://elsewhere.example' } };
    expect((await world.viewerApi.fetch(address, foreign, browser)).status).toBe(403);
    expect((await world.viewerApi.fetch(address, undefined, browser)).status).toBe(404);
    const rate = { limit: 30, windowSeconds: 3600, now: new Date(app.engines.clock()), cost: 30 };
    const key = hashKey(app.engines.keys, 'evidence', userId);
    await app.engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, { key, ...rate }));
    expect((await world.viewerApi.fetch(address, { method: 'POST' }, browser)).status).toBe(429);
  });

  it('is not submitted from another site, without a size, too large, or too often', async () => {
    const send = (headers: Record<string, string>, payload?: Buffer) =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/traces',
        headers: {
          host: 'localhost:3000',
          origin: 'http://localhost:3000',
          cookie: [...world.creator.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
        ...(payload && { payload }),
      });
    expect((await send({ origin: 'https://elsewhere.example' }, Buffer.from('x'))).statusCode).toBe(403);
    expect((await send({})).json()).toMatchObject({ message: 'Choose a photo, a screenshot or a clip.' });
    const large = await send({ 'content-length': '500000001' });
    expect([large.statusCode, large.json().message]).toEqual([413, 'A copy can be up to 500 MB.']);
    const key = hashKey(app.engines.keys, 'trace', world.creator.userId);
    const rate = { key, limit: 30, windowSeconds: 3600, now: new Date(app.engines.clock()), cost: 30 };
    await app.engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, rate));
    expect((await send({}, Buffer.from('x'))).statusCode).toBe(429);
  });
});
