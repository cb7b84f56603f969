import { randomBytes, randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Frame } from '#features/media/mask.ts';
import type { Reading } from '#features/tracing/evidence.ts';
import { judge, weighSuspects } from '#features/tracing/judge.ts';
import { wordOf } from '#features/tracing/rules.ts';
import { cap, lnInnocent, openScore } from '#features/tracing/score.ts';
import { paint } from '#tests/support/paint.ts';
import { countOf, isFull, tellProof } from './counts.ts';
import { numbersFrom } from './hostile-files.ts';
import { open } from './leak-pixels.ts';
import { loadPhotos, markPhoto, priceOfMark } from './marked-photos.ts';
import { attacks } from './trace-attacks.ts';
import { bestInnocent, drawCrowd, scalesOf } from './trace-crowd.ts';
import { type Answers, climb, hearJudgement, honestAnswers, inviteViewers, luckyMixture } from './trace-framing.ts';
import {
  accusableTiles,
  type Contest,
  hypotheses,
  leastSaying,
  lineOf,
  type Outcome,
  tableOf,
  weighLeak,
} from './trace-table.ts';
import { newPerson, openTracedPhoto, type Person, type TracedPhoto } from './trace-world.ts';

/**
 * P20: who leaked it? Photos go through the real packs, are seen as a viewer sees them, leaked in many ways, found, read and
 * judged among a million codewords. `npm run prove -- trace` is the whole golden set; TRACE_PHOTOS and TRACE_ATTACKS (a part of
 * the names) make it smaller.
 */
vi.setConfig({ testTimeout: countOf(120_000, 3_600_000), hookTimeout: 120_000 });
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
const prices: { psnr: number; bytesRatio: number }[] = [];
const photos = await loadPhotos(photoCount, countOf(1280, 2048));
/** Beside a photo in a collage: another one, or a drawn one. */
const otherThan = (n: number): Frame =>
  photos[photos.length > 1 ? (n + 1) % photos.length : 1]?.frame ?? paint(99, 1200, 900);

afterAll(() => {
  if (!isFull || outcomes.length === 0) return;
  process.stdout.write(`\n${tableOf(outcomes)}\n\n`);
  const share = (of: readonly Outcome[], is: (outcome: Outcome) => boolean) =>
    Math.round((1000 * of.filter(is).length) / of.length) / 10;
  tellProof('trace', outcomes.length, {
    identifiedPercent: share(
      outcomes.filter(({ bar }) => bar === 'sure'),
      ({ isIdentified }) => isIdentified,
    ),
    linkTracedPercent: share(
      outcomes.filter(({ bar }) => bar === 'sure'),
      ({ isLinkTraced }) => isLinkTraced,
    ),
    falseNames: outcomes.reduce((sum, { falseNames }) => sum + falseNames, 0),
    psnrLeast: Math.round(10 * Math.min(...prices.map(({ psnr }) => psnr))) / 10,
    bytesMost: Math.round(100 * Math.max(...prices.map(({ bytesRatio }) => bytesRatio))) / 100,
  });
});

/** Uploads one leak and keeps what came of it. */
async function traceLeak(
  photo: TracedPhoto,
  what: { name: string; bar: Outcome['bar'] },
  leak: Buffer,
  leakers: readonly Person[],
  track: 'p2048' | 'thumb512' = 'p2048',
): Promise<Outcome> {
  const readings = await photo.read(leak);
  const [leaker] = leakers as [Person];
  if (readings && leakers.length === 1) kept.push({ readings, leaker });
  const bits = { track, values: photo.bits(leaker, track) };
  const outcome = weighLeak(
    { attack: what.name, photo: photo.photo.name, bar: what.bar },
    readings,
    leakers,
    bits,
    contest,
  );
  outcomes.push(outcome);
  if (isFull) process.stdout.write(`${lineOf(outcome)}\n`);
  return outcome;
}

/** P20, its other half: where too few tiles can be read nobody is accused, the leaker neither. */
function expectNobodyOnTooLittle({ saying, isLinkTraced, isGrantTraced, falseNames }: Outcome): void {
  if (saying >= leastSaying(codewords)) return;
  tooLittle++;
  expect([isLinkTraced, isGrantTraced, falseNames]).toEqual([false, false, 0]);
}

describe.each(photos.map(({ name }, n) => [name, n] as const))('a leak of %s', (name, n) => {
  const frame = photos[n]?.frame as Frame;
  const leaker = newPerson();
  let photo: TracedPhoto;
  let view: Frame;
  beforeAll(async () => {
    photo = await openTracedPhoto(await markPhoto(name, frame));
    view = await photo.view(leaker);
  });
  afterAll(() => photo.close());

  it('costs little to look at and to send', async () => {
    const price = priceOfMark(photo.photo);
    prices.push(price);
    expect(price.psnr).toBeGreaterThan(44);
    expect(price.bytesRatio).toBeLessThanOrEqual(1.25);
  });

  it.each(chosen.map((attack) => [attack.name, attack] as const))(
    'names its link after: %s',
    async (_, attack) => {
      const outcome = await traceLeak(photo, attack, await attack.make(view, otherThan(n)), [leaker]);
      expect(outcome.falseNames).toBe(0);
      if (outcome.tiles.clean >= accusableTiles(codewords)) expect(outcome.isLinkTraced, 'accusable').toBe(true);
      expectNobodyOnTooLittle(outcome);
    },
    120_000,
  );

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

  it('finds one of two who averaged their copies, and nobody else', async () => {
    const two = [newPerson(), newPerson()];
    const leak = await averaged(photo, two);
    const outcome = await traceLeak(photo, { name: 'average of two links, JPEG 80', bar: 'told' }, leak, two);
    expect(outcome).toMatchObject({ isIdentified: true, isLinkTraced: true, falseNames: 0 });
  });

  it.each(['JPEG 30', '2 × size, JPEG 85', 'phone screenshot, JPEG 70', 'screen photo'].slice(0, countOf(1, 4)))(
    'names the link of a leaked thumbnail after: %s',
    async (name) => {
      const attack = attacks.find((each) => each.name === name);
      const leak = await attack?.make(await photo.view(leaker, 'thumb512'), otherThan(n));
      if (!leak) throw new Error(`no attack ${name}`);
      const what = { name: `thumbnail, ${name}`, bar: 'told' as const };
      const outcome = await traceLeak(photo, what, leak, [leaker], 'thumb512');
      expect(outcome.falseNames).toBe(0);
      if (outcome.tiles.clean >= accusableTiles(codewords)) expect(outcome.isLinkTraced).toBe(true);
      expectNobodyOnTooLittle(outcome);
    },
  );
});

const averaged = async (photo: TracedPhoto, people: readonly Person[]): Promise<Buffer> => {
  const views = await Promise.all(people.map((person) => photo.view(person)));
  const [first] = views as [Frame];
  const rgb = first.rgb.map((_, i) =>
    Math.round(views.reduce((sum, view) => sum + (view.rgb[i] ?? 0), 0) / views.length),
  );
  return open({ ...first, rgb })
    .jpeg({ quality: 80 })
    .toBuffer();
};

const outvoted = async (photo: TracedPhoto, people: readonly Person[]): Promise<Buffer> => {
  const bits = people.map((person) => photo.bits(person));
  const minority = bits[0]?.map((_, t) => {
    const ones = bits.reduce((sum, each) => sum + (each[t] ?? 0), 0);
    return ones === 0 || ones === people.length ? ones / people.length : ones === 1 ? 1 : 0;
  });
  const view = await photo.viewBits(minority ?? new Uint8Array());
  return open(view).resize(1080, 1080, { fit: 'inside' }).jpeg({ quality: 70 }).toBuffer();
};

const collusions = [
  { name: 'three grants of a link: minority vote, 1080 px, JPEG 70', mix: outvoted },
  { name: 'three grants of a link: average, JPEG 80', mix: averaged },
];

describe('all leaks together', () => {
  const sure = () => outcomes.filter(({ bar }) => bar === 'sure');

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
    const copies = kept.slice(0, 100);
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

describe('somebody who wants to frame a viewer', () => {
  const uploads = 300;
  const suspects = inviteViewers(countOf(20, 40), randomBytes(32));
  const climbAll = (climbs: number, answers: () => Answers) =>
    Array.from({ length: climbs }, (_, n) => climb(answers(), uploads, numbersFrom(n + 1)));

  it('climbs to nothing on what the answers say', () => {
    const climbs = climbAll(countOf(2, 50), () => honestAnswers(suspects));
    expect(climbs.filter(({ isAccused }) => isAccused)).toEqual([]);
  });

  it('climbs to nothing even from a mixture that was lucky enough to be called probable', () => {
    const climbFrom = (answers: () => Answers, n: number) =>
      climb(answers(), uploads, numbersFrom(n + 1), luckyMixture(suspects, numbersFrom(n + 1)));
    const climbs = Array.from({ length: countOf(4, 50) }, (_, n) => climbFrom(() => honestAnswers(suspects), n));
    expect(climbs.filter(({ isAccused }) => isAccused)).toEqual([]);
    // A bar that stays where it was, whatever was told before, is climbed over.
    const forgetful: Answers = (readings) =>
      hearJudgement(judge(readings, suspects, { candidates: 1, earlierTraces: 0 }));
    const again = Array.from({ length: countOf(4, 20) }, (_, n) => climbFrom(() => forgetful, n));
    expect(again.some(({ isAccused }) => isAccused)).toBe(true);
  });

  it('would get there if the answers held a number for everybody', () => {
    const few = suspects.slice(0, 20);
    const oracle: Answers = (readings) => {
      const least = Math.min(...weighSuspects(readings, few, 0).links.values());
      return { isAccusation: wordOf(2 * few.length * hypotheses * Math.exp(least)) === 'traced', nearness: -least };
    };
    const climbs = climbAll(countOf(2, 5), () => oracle);
    if (isFull)
      process.stdout.write(`framing: on an oracle ${climbs.map((each) => each.uploads)} uploads are enough\n`);
    expect(climbs.every(({ isAccused }) => isAccused)).toBe(true);
  });
});
