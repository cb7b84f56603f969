import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditHeartbeat, galleryId, markCodeOf, readResumeCode, resumeCodeOf, type Watching } from './rules.ts';

const [one, other, third] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-7000-8000-000000000000`) as [
  string,
  string,
  string,
];
const noon = Date.parse('2026-11-21T12:00:00Z');
const idleLimitMs = 300_000;
const fresh: Watching = { lastHeartbeatAt: noon, isCounted: false, currentMediaId: undefined, lookMs: 0 };
const beat = (after: number, samples: [string, number][], lookingAt?: string, idleMs = 0) => ({
  now: noon + after,
  samples: samples.map(([mediaId, visibleMs]) => ({ mediaId, visibleMs })),
  lookingAt,
  idleMs,
});

describe('watch time', () => {
  it('is what was visible', () => {
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 9000]], one), idleLimitMs)).toMatchObject({
      creditMs: 9000,
      closed: [],
      current: { mediaId: one, lookMs: 9000 },
    });
  });

  it("is at most the time since the last beat by the server's clock", () => {
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 60_000]], one), idleLimitMs).creditMs).toBe(15_000);
    expect(creditHeartbeat(fresh, beat(-5000, [[one, 60_000]], one), idleLimitMs).creditMs).toBe(0);
  });

  it('goes to the look that was under way first, then to those in between, last to the one that goes on', () => {
    const before: Watching = { ...fresh, currentMediaId: one, lookMs: 500 };
    // Whatever order a browser tells them in: 10 s have passed, and 12 s are told.
    for (const reported of [
      [
        [third, 4000],
        [other, 4000],
        [one, 4000],
      ],
      [
        [one, 4000],
        [third, 4000],
        [other, 4000],
      ],
      [
        [other, 4000],
        [one, 4000],
        [third, 4000],
      ],
    ] as [string, number][][])
      expect(creditHeartbeat(before, beat(10_000, reported, third), idleLimitMs)).toMatchObject({
        creditMs: 10_000,
        closed: [
          { mediaId: one, ms: 4500 },
          { mediaId: other, ms: 4000 },
        ],
        current: { mediaId: third, lookMs: 2000 },
      });
  });

  it('is nothing after five minutes without input', () => {
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 15_000]], one, 299_999), idleLimitMs).creditMs).toBe(15_000 - 0);
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 15_000]], one, 310_000), idleLimitMs).creditMs).toBe(5000);
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 15_000]], one, 315_000), idleLimitMs).creditMs).toBe(0);
  });

  it('is never more than was visible, nor than has passed, whatever a browser says', () => {
    const sample = fc.tuple(fc.constantFrom(one, other, third, galleryId), fc.nat(60_000));
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 50 }),
        fc.integer({ min: -9999, max: 99_999 }),
        fc.nat(900_000),
        (samples, after, idleMs) => {
          const { creditMs, closed, current } = creditHeartbeat(
            fresh,
            beat(after, samples, other, idleMs),
            idleLimitMs,
          );
          const visible = samples.reduce((sum, [, ms]) => sum + ms, 0);
          const looked = closed.reduce((sum, { ms }) => sum + ms, current.lookMs);
          return creditMs <= Math.max(0, Math.min(visible, after)) && looked === creditMs && creditMs >= 0;
        },
      ),
    );
  });
});

describe('looks', () => {
  it('go on over beats, and are closed when the viewer moves on', () => {
    const watching = { ...fresh, currentMediaId: one, lookMs: 4000 };
    expect(
      creditHeartbeat(
        watching,
        beat(
          15_000,
          [
            [other, 6000],
            [one, 9000],
          ],
          other,
        ),
        idleLimitMs,
      ),
    ).toMatchObject({
      closed: [{ mediaId: one, ms: 13_000 }],
      current: { mediaId: other, lookMs: 6000 },
    });
  });

  it('hold what was passed by in between', () => {
    const watching = { ...fresh, currentMediaId: one, lookMs: 0 };
    expect(
      creditHeartbeat(
        watching,
        beat(
          15_000,
          [
            [third, 7000],
            [other, 5000],
            [one, 3000],
          ],
          third,
        ),
        idleLimitMs,
      ),
    ).toMatchObject({
      closed: [
        { mediaId: one, ms: 3000 },
        { mediaId: other, ms: 5000 },
      ],
      current: { mediaId: third, lookMs: 7000 },
    });
  });

  it('know the gallery as a look at no item', () => {
    const watching = { ...fresh, currentMediaId: one, lookMs: 2500 };
    expect(creditHeartbeat(watching, beat(15_000, [[galleryId, 8000]], undefined), idleLimitMs)).toMatchObject({
      closed: [{ mediaId: one, ms: 2500 }],
      current: { mediaId: undefined, lookMs: 8000 },
    });
  });
});

describe('what is played of a video', () => {
  const playing = (now: number, played: [number, number][]) => ({
    ...beat(now, [[one, now]], one),
    samples: [{ mediaId: one, visibleMs: now, played }],
  });
  const playedBy = (now: number, played: [number, number][]) =>
    creditHeartbeat(fresh, playing(now, played), idleLimitMs).current.played;

  it('is believed as far as the fastest player could have come, and no further', () => {
    expect(playedBy(15_000, [[0, 15]])).toEqual([[0, 15]]);
    expect(playedBy(15_000, [[0, 1000]])).toEqual([[0, 32]]);
    const jumps: [number, number][] = [
      [0, 4],
      [60, 63],
      [100, 200],
    ];
    expect(playedBy(3000, jumps)).toEqual([
      [0, 4],
      [60, 63],
      [100, 101],
    ]);
    expect(playedBy(0, [[0, 5]])).toBeUndefined();
  });

  it('belongs to the look that is over when the viewer has moved on', () => {
    const moved = { ...playing(15_000, [[3, 9]]), lookingAt: other };
    expect(creditHeartbeat({ ...fresh, currentMediaId: one }, moved, idleLimitMs)).toMatchObject({
      closed: [{ mediaId: one, played: [[3, 9]] }],
      current: { mediaId: other },
    });
  });
});

describe('a view', () => {
  it('is a visit in which something was visible for two seconds, and it is one only once', () => {
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 1999]], one), idleLimitMs).becomesView).toBe(false);
    expect(creditHeartbeat(fresh, beat(15_000, [[one, 2000]], one), idleLimitMs).becomesView).toBe(true);
    const later = { ...fresh, currentMediaId: one, lookMs: 1500 };
    expect(creditHeartbeat(later, beat(15_000, [[one, 500]], one), idleLimitMs).becomesView).toBe(true);
    expect(
      creditHeartbeat({ ...later, isCounted: true }, beat(15_000, [[one, 500]], one), idleLimitMs).becomesView,
    ).toBe(false);
  });
});

describe('a resume code', () => {
  it('can be typed as it is read, with what people mistake for one another', () => {
    const code = resumeCodeOf(Uint8Array.from({ length: 10 }, (_, n) => n * 3));
    expect(code).toHaveLength(10);
    expect(readResumeCode(` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `)).toBe(code);
    expect(readResumeCode('o0iL1abcde')).toBe('00111ABCDE');
    for (const wrong of ['', '123456789', '12345678901', 'ABCDEFGHU!', 'ÄÄÄÄÄÄÄÄÄÄ'])
      expect(readResumeCode(wrong)).toBeUndefined();
  });
});

it('the code in a mark is the end of a grant’s number, in capitals', () => {
  expect(markCodeOf('01a1fe8d-3112-7987-9935-8dc02ff2ae2c')).toBe('2FF2AE2C');
});
