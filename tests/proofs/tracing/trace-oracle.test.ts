import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantSeed, isLinkTile, linkSeed, tileCodeword } from '#features/media/formats/codeword.ts';
import { tilesOf } from '#features/media/formats/grid.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { openTraceWork, type TraceWork } from '#features/tracing/work/trace-work.ts';
import { openTiles } from '#tests/support/media/open-pack.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { guards } from '../counts.ts';

guards('src/features/tracing/**');

/** The framing attack as somebody plays it who has nothing but what the product answers: real uploads, and all that comes back. */
let app: TestApp;
let world: LeakWorld;
let work: TraceWork;
let victim: Uint8Array;
let other: Uint8Array;
let variants: readonly [b: Buffer[], a: Buffer[]];
let header: ReturnType<typeof readPackHeader>;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app);
  const [bob, carl] = [await world.invite('Bob'), await world.invite('Carl')];
  const [photo] = world.photos;
  if (photo === undefined) throw new Error('no photo');
  header = readPackHeader(photo.packs.p2048.bytes);
  // A climber with cookies of her own gets both variants of every tile sooner or later.
  const pack = { track: 'p2048' as const, packId: '', bytes: photo.packs.p2048.bytes, header };
  variants = [openTiles(pack, photo.mediaKey, 0), openTiles(pack, photo.mediaKey, 1)];
  [victim, other] = [await bitsOf(bob, photo.mediaId), await bitsOf(carl, photo.mediaId)];
  work = openTraceWork(app.engines, { arePhotosFirst: false });
});
afterAll(async () => {
  await work.close();
  await app.close();
});

async function bitsOf({ linkId }: Guest, mediaId: string): Promise<Uint8Array> {
  const { database, keys } = app.engines;
  const traceKey = await database.work({ kind: 'system' }, (tx) => ensureTraceKey(tx, keys, world.creator.userId));
  const [row] = await readRows(app, 'select id from link_viewers where link_id = $1', [linkId]);
  const seeds = { grantSeed: grantSeed(traceKey, String(row?.id)), linkSeed: linkSeed(traceKey, linkId) };
  return tileCodeword(seeds, mediaId, 'p2048', header);
}

/**
 * A mixture of both variants that agrees with the victim in so large a share of the tiles and with the other viewer in half of
 * them, in the link's tiles as in the grant's: how near it comes to anybody is decided here and by no chance.
 */
function mix(share: number, turn = 0): Uint8Array {
  const bits = Uint8Array.from(victim);
  const kinds = Map.groupBy(victim.keys(), (t) => `${isLinkTile(t, header.columns)} ${victim[t] === other[t]}`);
  for (const tiles of kinds.values()) {
    const turned = [...tiles.slice(turn % tiles.length), ...tiles.slice(0, turn % tiles.length)];
    for (const t of turned.slice(Math.round(share * tiles.length))) bits[t] = victim[t] === 1 ? 0 : 1;
  }
  return bits;
}

async function draw(bits: Uint8Array): Promise<Buffer> {
  const { width, height } = header;
  const tiles = tilesOf(header).map(({ index, left, top }) => ({
    input: variants[bits[index] === 1 ? 1 : 0][index] as Buffer,
    left,
    top,
  }));
  const canvas = sharp({ create: { width, height, channels: 3, background: 'black' } }).composite(tiles);
  return sharp(await canvas.png({ compressionLevel: 1 }).toBuffer())
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Hands a mixture in. @returns everything that a creator can ever see of it, as text, without what she sent herself and when */
async function receive(bits: Uint8Array): Promise<{ outcome: string; said: string }> {
  const { browser } = world.creator;
  const bytes = await draw(bits);
  advance(app, 1000);
  const { body } = await upload(world, bytes, browser, `?albumId=${world.albumId}`);
  const id = body.traceId;
  await work.run(id, new AbortController().signal);
  const { body: one } = await app.call('tracing.one', { traceId: id }, browser);
  const { body: list } = await app.call('tracing.list', { limit: 1 }, browser);
  const files: unknown[] = [];
  for (const file of ['preview', 'original', 'evidence.json', 'evidence.pdf']) {
    const method = file.startsWith('evidence') ? 'POST' : 'GET';
    const { status } = await world.viewerApi.fetch(`/api/traces/${id}/${file}`, { method }, browser);
    files.push([file, status]);
  }
  const own = { id, sizeBytes: bytes.length, sha256: one.sha256, createdAt: one.createdAt, keptUntil: one.keptUntil };
  for (const shown of [one, list.traces[0]])
    for (const [name, value] of Object.entries(own))
      if (name in shown) {
        expect([name, shown[name]]).toEqual([name, value]);
        delete shown[name];
      }
  const { earlierTraces, items, ...rest } = one;
  expect(earlierTraces).toBe(received++);
  // The copy is the whole picture, and it is told to lie there: to a thousandth, which says nothing of a tile.
  const whole = [0, 0, 1, 0, 1, 1, 0, 1];
  const corners: number[] = items[0].corners.flat();
  const apart = corners.map((at, n) => Math.abs(at - (whole[n] ?? 0)));
  expect([Math.max(...apart) < 0.005, corners.every((at) => Number(at.toFixed(3)) === at)]).toEqual([true, true]);
  rest.items = items.map((item: object) => ({ ...item, corners: undefined }));
  return { outcome: one.outcome, said: JSON.stringify([rest, list.traces[0], files], null, 1) };
}
let received = 0;

test('mixtures that agree with a viewer more or less get one and the same answer: there is nothing to climb on', async () => {
  const shares = [0.5, 0.44, 0.54, 0.58];
  const answers = [];
  for (const [turn, share] of shares.entries()) answers.push(await receive(mix(share, 7 * turn)));
  expect(answers.map(({ outcome }) => outcome)).toEqual(shares.map(() => 'inconclusive'));
  for (const { said } of answers) expect(said).toBe(answers[0]?.said);
  // What is not a mixture is told from them: the answers could differ, and these did not.
  const { outcome, said } = await receive(victim);
  expect(outcome).toBe('traced');
  expect(said).not.toBe(answers[0]?.said);
});
