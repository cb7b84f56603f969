import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { grantSeed, linkSeed, tileCodeword } from '#features/media/formats/codeword.ts';
import type { PhotoTrack } from '#features/media/formats/photo-shapes.ts';
import type { Reading, Suspect } from '../findings.ts';
import { judge } from './judge.ts';

const traceKey = Buffer.alloc(32, 7);
const columns = 18;

const invite = (linkId: string, grantId: string, key = traceKey) => ({
  grantId,
  grantSeed: grantSeed(key, grantId),
  link: { linkId, linkSeed: linkSeed(key, linkId) },
});
type Invited = ReturnType<typeof invite>;
const ownLook: Suspect = { grantId: 'own', grantSeed: grantSeed(traceKey, 'own') };
/** Forty links with two grants each, and the creator's own look. */
const invited = Array.from({ length: 80 }, (_, n) => invite(`link ${n >> 1}`, `grant ${n}`));
const suspects: Suspect[] = [...invited, ownLook];
const [bob, eve] = [invited[14], invited[31]] as [Invited, Invited];
const once = { candidates: 1, earlierTraces: 0 };

/** Noise that is the same in every run. */
function noiseOf(seed: string, count: number): number[] {
  const bytes = Array.from({ length: Math.ceil(count / 4) }, (_, n) =>
    createHmac('sha256', seed).update(String(n)).digest(),
  ).flatMap((digest) => [...digest]);
  return Array.from({ length: count }, (_, t) => {
    const sum = [0, 1, 2, 3, 4, 5].reduce((all, k) => all + (bytes[6 * t + k] ?? 0), 0);
    return (sum - 765) / 181; // six bytes: about normal, of variance 1
  });
}

interface Copy {
  by: readonly Suspect[];
  mediaId?: string;
  track?: PhotoTrack;
  rows?: number;
  /** How clearly a tile tells its variant. */
  clearness?: number;
  /** So many tiles are seen; the rest says nothing. */
  seen?: number;
}

/** What a reading of a copy would be: of several people the average. */
function readCopy({ by, mediaId = 'photo', track = 'p2048', rows = 14, clearness = 9, seen }: Copy): Reading {
  const tiles = columns * rows;
  const codewords = by.map(({ grantSeed: own, link }) =>
    tileCodeword({ grantSeed: own, linkSeed: link?.linkSeed }, mediaId, track, { columns, rows }),
  );
  const visible = Float64Array.from({ length: tiles }, (_, t) => (t < (seen ?? tiles) ? 1 : 0));
  const noise = noiseOf(mediaId + track, tiles);
  const z = visible.map((share, t) => {
    const says = codewords.reduce((sum, bits) => sum + (bits[t] ? clearness : -clearness), 0) / (by.length || 1);
    return share * (says + (noise[t] ?? 0));
  });
  return { mediaId, track, columns, rows, z, visible };
}

describe('a clear copy', () => {
  it('names its link and its grant, with the chance in whole powers, and nobody else', () => {
    expect(judge([readCopy({ by: [bob] })], suspects, once)).toEqual({
      outcome: 'traced',
      issued: 121,
      hypotheses: 32,
      links: [
        {
          linkId: 'link 7',
          word: 'traced',
          chancePower: -12,
          timesNamed: 0,
          grants: [{ grantId: 'grant 14', word: 'traced', chancePower: -12 }],
        },
      ],
      ownLooks: [],
    });
  });

  it("of the creator's own look names that look and no link", () => {
    expect(judge([readCopy({ by: [ownLook] })], suspects, once)).toMatchObject({
      outcome: 'traced',
      links: [],
      ownLooks: [{ grantId: 'own', word: 'traced' }],
    });
  });

  it('of one rendition is told beside the other, which says nothing', () => {
    const readings = [readCopy({ by: [] }), readCopy({ by: [bob], track: 'thumb512', rows: 3 })];
    expect(judge(readings, suspects, once)).toMatchObject({ outcome: 'traced', links: [{ linkId: 'link 7' }] });
  });

  it('names nobody who was not shown the item', () => {
    const others = suspects.filter((suspect) => suspect.link?.linkId !== 'link 7');
    expect(judge([readCopy({ by: [bob] })], others, once)).toMatchObject({ outcome: 'inconclusive', links: [] });
  });

  it('names nobody under another key', () => {
    const strangers = invited.map(({ link, grantId }) => invite(link.linkId, grantId, Buffer.alloc(32, 8)));
    expect(judge([readCopy({ by: [bob] })], strangers, once).outcome).toBe('inconclusive');
  });

  it('names nobody when its variants are exchanged', () => {
    const reading = readCopy({ by: [bob] });
    expect(judge([{ ...reading, z: reading.z.map((z) => -z) }], suspects, once).outcome).toBe('inconclusive');
  });
});

describe('a copy of little', () => {
  it("names the link by all tiles together before the grant's half alone is enough", () => {
    const [link] = judge([readCopy({ by: [bob], seen: 36 })], suspects, once).links;
    expect(link).toMatchObject({ linkId: 'link 7', word: 'traced', grants: [] });
  });

  it('is probable first, with that word and a larger chance', () => {
    const { outcome, links } = judge([readCopy({ by: [bob], seen: 26 })], suspects, once);
    expect(outcome).toBe('probable');
    expect(links).toHaveLength(1);
    expect(links[0]?.chancePower).toBeGreaterThanOrEqual(-6);
    expect(links[0]?.chancePower).toBeLessThanOrEqual(-3);
  });

  it('says nothing at all below that: no name, no number that depends on anybody', () => {
    expect(judge([readCopy({ by: [bob], seen: 12 })], suspects, once)).toEqual({
      outcome: 'inconclusive',
      issued: 121,
      hypotheses: 32,
      links: [],
      ownLooks: [],
    });
  });

  it('needs more, the more candidates and the more earlier traces there were', () => {
    const readings = [readCopy({ by: [bob], seen: 33 })];
    const outcomeOf = (tries: typeof once) => judge(readings, suspects, tries).outcome;
    expect(outcomeOf(once)).toBe('traced');
    expect(outcomeOf({ candidates: 100, earlierTraces: 0 })).toBe('probable');
    expect(outcomeOf({ candidates: 1, earlierTraces: 9 })).toBe('probable');
    expect(outcomeOf({ candidates: 100, earlierTraces: 999 })).toBe('inconclusive');
  });

  it('needs more again for a link that was named before: whoever made the copy may have learnt from that', () => {
    const readings = [readCopy({ by: [bob], seen: 40 })];
    const outcomeAfter = (...named: [string, number][]) =>
      judge(readings, suspects, { candidates: 1, earlierTraces: 1, timesNamed: new Map(named) });
    expect(outcomeAfter()).toMatchObject({ outcome: 'traced', links: [{ timesNamed: 0 }] });
    expect(outcomeAfter(['link 8', 1])).toMatchObject({ outcome: 'traced' });
    expect(outcomeAfter(['link 7', 1])).toMatchObject({ outcome: 'probable', links: [{ timesNamed: 1 }] });
    const own = [readCopy({ by: [ownLook], seen: 40 })];
    const timesNamed = new Map([['own', 1]]);
    expect(judge(own, suspects, { candidates: 1, earlierTraces: 1, timesNamed })).toMatchObject({
      outcome: 'probable',
      ownLooks: [{ timesNamed: 1 }],
    });
  });

  it('adds up with copies of other items', () => {
    const copies = ['one', 'two', 'three'].map((mediaId) => readCopy({ by: [bob], mediaId, seen: 14 }));
    for (const copy of copies) expect(judge([copy], suspects, once).outcome).toBe('inconclusive');
    const all = judge(copies, suspects, { candidates: 3, earlierTraces: 0 });
    expect(all).toMatchObject({ outcome: 'traced', links: [{ linkId: 'link 7' }] });
  });

  it('does not add up with itself: the same tiles under the same codeword are no new evidence', () => {
    const copy = readCopy({ by: [bob], seen: 14 });
    expect(judge([copy, copy, copy, copy], suspects, once).outcome).toBe('inconclusive');
  });
});

describe('a copy of several', () => {
  it('names both links when two made an average', () => {
    const { links } = judge([readCopy({ by: [bob, eve] })], suspects, once);
    expect(links.map(({ linkId }) => linkId).sort()).toEqual(['link 15', 'link 7']);
  });

  it('names the link, and both its grants, when both of one link did', () => {
    const { links } = judge([readCopy({ by: [bob, invited[15] as Invited] })], suspects, once);
    expect(links).toMatchObject([{ linkId: 'link 7', grants: [{ grantId: 'grant 14' }, { grantId: 'grant 15' }] }]);
  });

  it('says nothing when every tile was mixed from so many that nobody stands out', () => {
    expect(judge([readCopy({ by: invited.filter((_, n) => n % 2 === 0) })], suspects, once).outcome).toBe(
      'inconclusive',
    );
  });
});

it('of nothing says nothing', () => {
  expect(judge([], suspects, once)).toMatchObject({ outcome: 'inconclusive', links: [] });
  expect(judge([readCopy({ by: [bob] })], [], once)).toMatchObject({ outcome: 'inconclusive', issued: 0 });
});
