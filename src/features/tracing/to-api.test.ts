import { describe, expect, it } from 'vitest';
import type { TraceRow } from './store.ts';
import { sentenceOf, showDetail, showTrace } from './to-api.ts';
import type { ItemRow, PersonRow } from './verdict/people-store.ts';
import type { TraceResult } from './verdict/result.ts';

type Named = NonNullable<TraceResult['named']>;
const idOf = (n: number) => `01a1ffee-1087-7ba8-ae78-0000000000${String(n).padStart(2, '0')}`;
const [golden, silver, bob, eve, studio] = [1, 2, 3, 4, 5].map(idOf) as [string, string, string, string, string];
const linkOf = (linkId: string, chancePower: number, grants: Named['links'][number]['grants'] = []) => ({
  linkId,
  word: chancePower <= -6 ? ('traced' as const) : ('probable' as const),
  chancePower,
  timesNamed: 0,
  grants,
});
const grantOf = (grantId: string, chancePower: number) => ({
  grantId,
  word: chancePower <= -6 ? ('traced' as const) : ('probable' as const),
  chancePower,
});
const ownOf = (chancePower: number) => ({ ...grantOf(studio, chancePower), timesNamed: 0, isSupport: false });

const people = [
  { grantId: bob, linkId: golden, linkName: 'Golden hour', givenName: 'Bob', viewerId: bob },
  { grantId: eve, linkId: silver, linkName: 'Silver', givenName: 'Eve', viewerId: eve },
].map((person) => ({ ...person, isOwn: false, isSupport: false }) as PersonRow);

/** The sentence of an answer that names these. */
function tell(links: Named['links'], ownLooks: Named['ownLooks'] = [], known = people): string | null {
  const all = [...links, ...ownLooks];
  const outcome = all.some(({ word }) => word === 'traced') ? 'traced' : 'probable';
  const named = { issued: 40, hypotheses: 32, links, ownLooks, wasDisclosed: false };
  const result: TraceResult = {
    leak: { mime: 'image/png', width: 800, height: 600 },
    compared: 1,
    earlierTraces: 0,
    hasOriginal: false,
    together: { traceIds: [], mediaIds: [], isOtherGone: false },
    shown: [],
    items: [],
    named,
  };
  return sentenceOf({ outcome, result, albumId: null } as TraceRow, known);
}

describe('the sentence of an answer', () => {
  it('names a viewer with their own chance, which is larger than that of the link', () => {
    expect(tell([linkOf(golden, -12, [grantOf(bob, -7)])])).toBe(
      'This copy was made from what Bob was shown through the link “Golden hour”. The chance that this is a coincidence is below 1 in 10,000,000.',
    );
  });

  it('sets names apart that turn the direction of writing', () => {
    const turned = { ...people[0], linkName: 'Golden \u202ehour', givenName: 'דנה' } as PersonRow;
    expect(tell([linkOf(golden, -12, [grantOf(bob, -7)])], [], [turned])).toContain(
      'what \u2068דנה\u2069 was shown through the link “\u2068Golden \u202ehour\u2069”.',
    );
  });

  it('names the link alone while its viewer is probable only', () => {
    expect(tell([linkOf(golden, -12, [grantOf(bob, -3)])])).toBe(
      'This copy was made from what was shown through the link “Golden hour”. The chance that this is a coincidence is below 1 in 1,000,000,000,000.',
    );
  });

  it('that is probable names a viewer who is', () => {
    expect(tell([linkOf(golden, -4, [grantOf(bob, -3)])])).toBe(
      'Probably from what Bob was shown through the link “Golden hour”. Not certain enough to act on alone.',
    );
  });

  it('is about what it points at most surely, never about a link that is less sure', () => {
    expect(tell([linkOf(golden, -3)], [ownOf(-9)])).toMatch(
      /what you were shown yourself, in your studio\. .*1,000,000,000\.$/,
    );
    expect(tell([linkOf(golden, -7), linkOf(silver, -9, [grantOf(eve, -9)])])).toMatch(
      /what Eve was shown through the link “Silver”\./,
    );
  });
});

describe('what was found in a copy', () => {
  it('is said to be hardly traceable where its photo has fewer marked tiles than name anybody', () => {
    const tiles = {
      isMoving: false,
      isStill: false,
      isMirrored: false,
      corners: [],
      columns: 1,
      rows: 1,
      tiles: [true],
    };
    const result: TraceResult = {
      leak: { mime: 'image/png', width: 800, height: 600 },
      compared: 3,
      earlierTraces: 0,
      hasOriginal: false,
      together: { traceIds: [], mediaIds: [], isOtherGone: false },
      shown: [],
      items: [golden, silver, bob].map((mediaId) => ({ mediaId, ...tiles })),
    };
    const rowOf = (mediaId: string, markedTiles: number | null) =>
      ({ mediaId, kind: 'photo', thumbhash: null, width: 1, height: 1, isThere: true, markedTiles }) as ItemRow;
    const known = { items: [rowOf(golden, 39), rowOf(silver, 40), rowOf(bob, null)], people: [], links: [] };
    const row = { outcome: 'inconclusive', state: 'done', result, sha256: Buffer.alloc(32) } as unknown as TraceRow;
    expect(showDetail(row, known).items.map(({ isHardlyTraceable }) => isHardlyTraceable)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('how far a trace is', () => {
  it('is told while it is under way; once it is over nothing is left of how busy the app was', () => {
    const reported = (state: string) => {
      const { share, comparing } = showTrace({ state, outcome: null, done: 640, total: 3 } as TraceRow, [], []);
      return [state, share, comparing];
    };
    expect(['queued', 'matching', 'reading', 'done', 'failed'].map(reported)).toEqual([
      ['queued', 0.64, 3],
      ['matching', 0.64, 3],
      ['reading', 0.64, 3],
      ['done', 1, 0],
      ['failed', 1, 0],
    ]);
  });
});
