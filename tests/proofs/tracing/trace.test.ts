import { randomBytes, randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Frame } from '#features/media/watermark/mask.ts';
import type { Reading } from '#features/tracing/findings.ts';
import { wordOf } from '#features/tracing/rules.ts';
import { judge } from '#features/tracing/verdict/judge.ts';
import { cap, lnInnocent, openScore } from '#features/tracing/verdict/score.ts';
import { canDrawClips } from '#tests/support/media/clips.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { loadPhotos, type MarkedPhoto, markPhoto, priceOfMark } from './marked-photos.ts';
import { type Library, newPerson, openLibrary, type Person, type SeenPhoto, showPhoto } from './suspects.ts';
import { attacks } from './trace-attacks.ts';
import { collusions, pairs } from './trace-collusions.ts';
import { bestInnocent, drawCrowd, scalesOf } from './trace-crowd.ts';
import { openScreenWorld, recordings, type ScreenWorld } from './trace-screens.ts';
import {
  accusableTiles,
  type Contest,
  figuresOf,
  hypotheses,
  leastSaying,
  lineOf,
  type Outcome,
  tableOf,
  weighLeak,
} from './trace-table.ts';

guards('src/features/tracing/**', 'src/features/media/**');

/**
 * P20: who leaked it? Photos go through the real packs, are seen as a viewer sees them, leaked in many ways, found among all
 * photos of their creator, read and judged among a million codewords. `npm run prove -- trace` is the whole golden set; TRACE_PHOTOS
 * and TRACE_ATTACKS (a part of the names) make it smaller.
 */
vi.setConfig({ testTimeout: countOf(300_000, 3_600_000), hookTimeout: 600_000 });
const photoCount = Number(process.env.TRACE_PHOTOS ?? countOf(1, 8));
const codewords = countOf(20_000, 1_000_000);
const shortSet = ['crop to 25 %', 'mirrored, JPEG 70', 'screen photo, hard', 'crop to 4 %'];
const chosen = attacks.filter(({ name }) =>
  isFull ? name.includes(process.env.TRACE_ATTACKS ?? '') : shortSet.includes(name),
);
const contest: Contest = { crowd: drawCrowd(codewords / 5, (4 * codewords) / 5), issued: codewords };
const outcomes: Outcome[] = [];
const kept: { readings: Reading[]; leaker: Person }[] = [];
/** Leaks that showed too little for anybody to be accused. */
let tooLittle = 0;
const prices: { track: string; psnr: number; bytesRatio: number }[] = [];
/** Photos of the same creator of which nothing leaks: every leak is looked for among them as well. */
const otherCount = countOf(2, 4);
const shots = await loadPhotos(photoCount + otherCount, countOf(1280, 2048));
const marked: MarkedPhoto[] = [];
let library: Library;
/** Beside a photo in a collage: another one of the same creator. */
const otherThan = (n: number) => marked[(n + 1) % marked.length] as MarkedPhoto;

beforeAll(async () => {
  for (const { name, frame } of shots) marked.push(await markPhoto(name, frame));
  library = await openLibrary(marked);
});
afterAll(() => library.close());

afterAll(() => {
  if (!isFull || outcomes.length === 0) return;
  process.stdout.write(`\n${tableOf(outcomes)}\n\n`);
  const ofPrices = (track: string) => prices.filter((price) => price.track === track);
  const psnrLeast = (track: string) => Math.round(10 * Math.min(...ofPrices(track).map(({ psnr }) => psnr))) / 10;
  const bytesMost = (track: string) =>
    Math.round(100 * Math.max(...ofPrices(track).map(({ bytesRatio }) => bytesRatio))) / 100;
  printProof('trace', outcomes.length, {
    photos: marked.length,
    ...figuresOf(outcomes),
    psnrLeast: psnrLeast('p2048'),
    bytesMost: bytesMost('p2048'),
    thumbPsnrLeast: psnrLeast('thumb512'),
    thumbBytesMost: bytesMost('thumb512'),
  });
});

/** Hands one leak in and keeps what came of it. */
async function traceLeak(
  { photo, bits }: SeenPhoto,
  what: { name: string; bar: Outcome['bar']; also?: readonly string[] },
  leak: Buffer,
  leakers: readonly Person[],
  track: 'p2048' | 'thumb512' = 'p2048',
): Promise<Outcome> {
  const read = await library.read(leak);
  const [leaker] = leakers as [Person];
  const own = read.items.find(({ mediaId }) => mediaId === photo.mediaId);
  if (own && leakers.length === 1) kept.push({ readings: own.readings, leaker });
  const { name: attack, bar, also = [] } = what;
  const shows = [photo.mediaId, ...also];
  const leaked = { attack, photo: photo.name, bar, shows, track, bits: bits(leaker, track) };
  return keep(weighLeak(leaked, read, leakers, contest));
}

function keep(outcome: Outcome): Outcome {
  outcomes.push(outcome);
  if (isFull) process.stdout.write(`${lineOf(outcome)}\n`);
  return outcome;
}

/** P20, its other half: where too few tiles can be read nobody is accused, the leaker neither. */
function expectNobodyOnTooLittle({
  saying,
  hypotheses: tried,
  isLinkTraced,
  isGrantTraced,
  falseNames,
}: Outcome): void {
  if (saying >= leastSaying(codewords, tried)) return;
  tooLittle++;
  expect([isLinkTraced, isGrantTraced, falseNames]).toEqual([false, false, 0]);
}

describe.each(shots.slice(0, photoCount).map(({ name }, n) => [name, n] as const))('a leak of %s', (_name, n) => {
  const leaker = newPerson();
  let photo: SeenPhoto;
  let view: Frame;
  beforeAll(async () => {
    photo = showPhoto(marked[n] as MarkedPhoto);
    view = await photo.view(leaker);
  });

  it.each(['p2048', 'thumb512'] as const)('costs little to look at and to send, as %s', async (track) => {
    const price = await priceOfMark(photo.photo, track);
    prices.push({ track, ...price });
    expect(price.psnr).toBeGreaterThan(44);
    expect(price.bytesRatio).toBeLessThanOrEqual(1.25);
  });

  it.each(chosen.map((attack) => [attack.name, attack] as const))('names its link after: %s', async (_, attack) => {
    const other = otherThan(n);
    const what = { ...attack, also: attack.isOfTwo ? [other.mediaId] : [] };
    const outcome = await traceLeak(photo, what, await attack.make(view, other.original), [leaker]);
    expect(outcome.falseNames).toBe(0);
    const needed = accusableTiles(codewords, outcome.hypotheses);
    if (outcome.tiles.clean >= needed) expect(outcome.isLinkTraced, 'accusable').toBe(true);
    // Half of the tiles are the viewer's own, and not every one of either half is clean.
    if (outcome.tiles.clean >= 3 * needed)
      expect([outcome.isViewerFirst, outcome.isGrantTraced], 'the viewer').toEqual([true, true]);
    expectNobodyOnTooLittle(outcome);
  });

  it.each(collusions.slice(0, countOf(1, 2)))(
    'names the one link of three grants after: $name',
    async ({ name, mix }) => {
      const first = newPerson();
      const three = [first, newPerson(first.link.linkId), newPerson(first.link.linkId)];
      const leak = await mix(photo, three);
      const outcome = await traceLeak(photo, { name, bar: 'told' }, leak, three);
      expect(outcome).toMatchObject({ isLinkTraced: true, falseNames: 0 });
    },
  );

  it.each(pairs)('finds one of two who mixed their copies, and names nobody else: $name', async (pair) => {
    const two = [newPerson(), newPerson()];
    const outcome = await traceLeak(photo, { name: pair.name, bar: 'told' }, await pair.mix(photo, two), two);
    expect(outcome).toMatchObject({ isIdentified: true, falseNames: 0 });
    if (pair.mustName) expect(outcome.isLinkTraced).toBe(true);
  });

  it.each(['JPEG 30', '2 × size, JPEG 85', 'phone screenshot, JPEG 70', 'screen photo'].slice(0, countOf(1, 4)))(
    'names the link of a leaked thumbnail after: %s',
    async (name) => {
      const attack = attacks.find((each) => each.name === name);
      const leak = await attack?.make(await photo.view(leaker, 'thumb512'), otherThan(n).original);
      if (!leak) throw new Error(`no attack ${name}`);
      const what = { name: `thumbnail, ${name}`, bar: 'told' as const };
      const outcome = await traceLeak(photo, what, leak, [leaker], 'thumb512');
      expect(outcome.falseNames).toBe(0);
      if (outcome.tiles.clean >= accusableTiles(codewords, outcome.hypotheses)) expect(outcome.isLinkTraced).toBe(true);
      expectNobodyOnTooLittle(outcome);
    },
  );
});

describe.runIf(isFull && canDrawClips)('a recording of a screen with photos', () => {
  const perScreen = 4;
  let screens: ScreenWorld;
  beforeAll(async () => {
    screens = await openScreenWorld(marked.slice(0, photoCount).map(({ original }) => original));
  });
  afterAll(() => screens?.close());

  it.each(recordings.map((recording) => [recording.name, recording] as const))(
    'names its link: %s',
    async (name, { bar, make }) => {
      const { screenshots, leaker } = await screens.invite(name);
      for (let from = 0; from < screenshots.length; from += perScreen) {
        const shows = screens.mediaIds.slice(from, from + perScreen);
        const { read, named } = await screens.trace(await make(screenshots.slice(from, from + perScreen)));
        const photo = `photos ${from + 1} to ${from + shows.length}`;
        const leaked = { attack: name, photo, bar, shows, track: 'p2048', bits: screens.bits(leaker, from) };
        const outcome = keep(weighLeak(leaked, read, [leaker], contest));
        expect(outcome.falseNames).toBe(0);
        if (bar === 'sure') expect([outcome.isLinkTraced, named]).toEqual([true, [leaker.link.linkId]]);
        expect(named.filter((linkId) => linkId !== leaker.link.linkId)).toEqual([]);
      }
    },
  );
});

describe('all leaks together', () => {
  const sure = () => outcomes.filter(({ bar }) => bar === 'sure');

  it('are found among all photos, at least 99 in 100 of whole pictures and of quarters, and hardly any other with them', () => {
    for (const isWrong of [({ isFound }: Outcome) => !isFound, ({ strays }: Outcome) => strays > 0]) {
      const wrong = sure().filter(isWrong);
      expect(wrong.length / sure().length, wrong.map(lineOf).join('\n')).toBeLessThanOrEqual(0.01);
    }
  });

  it('put the right link first among all, at least 99 in 100 of whole pictures and of quarters', () => {
    const missed = sure().filter(({ isIdentified }) => !isIdentified);
    expect(sure().length).toBeGreaterThan(2);
    expect(missed.length / sure().length, missed.map(lineOf).join('\n')).toBeLessThanOrEqual(0.01);
  });

  it('accuse nobody at all on too few tiles', () => expect(tooLittle).toBeGreaterThan(0));

  it('name nobody else, not even with a warning', () => {
    expect(outcomes.filter(({ falseNames }) => falseNames > 0)).toEqual([]);
  });
});

describe('an innocent', () => {
  it('is accused by no copy under no key', () => {
    const [wanted, each] = [countOf(200_000, 1_000_000_000), countOf(10_000, 100_000)];
    // From all photos and attacks alike.
    const most = Math.min(100, kept.length);
    const copies = Array.from(
      { length: most },
      (_, n) => kept[Math.floor((n * kept.length) / most)] as (typeof kept)[0],
    );
    expect(copies.length).toBeGreaterThanOrEqual(countOf(3, 100));
    // One way to look at each copy, every way in turn: renditions and caps.
    const scales = copies.flatMap(({ readings }, n) => scalesOf(readings)[n % 4] ?? []);
    const keys = Math.ceil(wanted / each / scales.length);
    let [scored, accused, lowest] = [0, 0, 0];
    for (let key = 0; key < keys; key++) {
      // Fresh keys are fresh fair bits; the evidence knows nothing of them.
      const crowd = drawCrowd(each / 5, (4 * each) / 5);
      for (const scale of scales) {
        const best = bestInnocent(scale, crowd);
        const ln = Math.min(best.link, best.whole, best.grant);
        scored += each;
        lowest = Math.min(lowest, ln);
        if (wordOf(each * hypotheses * Math.exp(ln)) === 'traced') accused++;
      }
    }
    if (isFull)
      process.stdout.write(
        `innocents: ${scored} scored, ${copies.length} copies, lowest 10^${(lowest / Math.LN10).toFixed(1)}\n`,
      );
    expect(scored).toBeGreaterThanOrEqual(wanted);
    expect(accused).toBe(0);
  });

  it('would be accused by a tracer that leaves out what disagrees', () => {
    const { z } = kept
      .map(({ readings }) => readings[0] as Reading)
      .find(({ visible }) => visible.every((share) => share > 0.9)) as Reading;
    const innocent = randomFillSync(new Uint8Array(32));
    const tuned = cap(z, 3).map((says, t) => (says > 0 === (((innocent[t >> 3] ?? 0) >> (t & 7)) & 1) > 0 ? says : 0));
    expect(wordOf(1e6 * Math.exp(lnInnocent([...tuned], openScore(tuned)(innocent))))).toBe('traced');
  });
});

describe('a reading', () => {
  const saysMuch = ({ readings: [first] }: (typeof kept)[0]) =>
    (first?.z.filter((says) => says !== 0).length ?? 0) > 100;
  it('names nobody under the keys of another creator, nor with its variants exchanged', () => {
    for (const { readings, leaker } of kept.filter(saysMuch)) {
      const judged = (of: readonly Reading[], suspect: Person) =>
        judge(of, [suspect], { candidates: 1, earlierTraces: 0 }).outcome;
      expect(judged(readings, leaker)).not.toBe('inconclusive');
      expect(judged(readings, newPerson(leaker.link.linkId, randomBytes(32)))).toBe('inconclusive');
      expect(
        judged(
          readings.map((each) => ({ ...each, z: each.z.map((z) => -z) })),
          leaker,
        ),
      ).toBe('inconclusive');
    }
  });
});
