import { describe, expect, it } from 'vitest';
import {
  eventsKeptSince,
  isAlive,
  listDays,
  lookedMsNow,
  momentsOf,
  pointsOf,
  retentionOf,
  whyNotCounted,
} from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);

it('single visits are kept for thirteen months', () => {
  expect(eventsKeptSince(now)).toEqual(new Date('2025-10-21T12:00:00Z'));
  expect(eventsKeptSince(new Date('2026-12-31T00:00:00Z'))).toEqual(new Date('2025-12-01T00:00:00Z'));
});

describe('an open screen', () => {
  it('adds the time since its last renewal, no more than to the next one, and never takes any away', () => {
    expect(lookedMsNow(1000, at(-4000), now, 15_000)).toBe(5000);
    expect(lookedMsNow(1000, at(-60_000), now, 15_000)).toBe(16_000);
    expect(lookedMsNow(1000, at(60_000), now, 15_000)).toBe(1000);
  });
  it('is alive while it is open and was heard of since', () => {
    expect(isAlive({ state: 'open', lastHeartbeatAt: at(1) }, now)).toBe(true);
    expect(isAlive({ state: 'open', lastHeartbeatAt: now }, now)).toBe(false);
    expect(isAlive({ state: 'closed', lastHeartbeatAt: at(1) }, now)).toBe(false);
  });
});

describe('a visit', () => {
  it.each([
    [null, true, false, undefined],
    [null, false, true, undefined],
    [null, false, false, 'short'],
    ['own', true, true, 'own'],
    ['automation', false, false, 'automation'],
  ] as const)('suspected as %s, counted %s, open %s: %s', (suspectReason, isCounted, isOpen, why) => {
    expect(whyNotCounted({ suspectReason, isCounted, isOpen })).toBe(why);
  });
});

describe('a chart', () => {
  it('has every day up to today, across months', () => {
    expect(listDays('2026-03-01', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(listDays('2026-03-01', 1)).toEqual(['2026-03-01']);
  });
});

describe('the curve of a video', () => {
  it('tells of each second how many plays showed it', () => {
    const edges = [
      { second: 0, change: 2 },
      { second: 2, change: -1 },
      { second: 3, change: 1 },
    ];
    expect(retentionOf(edges, 5)).toEqual([2, 2, 1, 2, 2]);
    expect(retentionOf([], 2)).toEqual([0, 0]);
  });
  it('of two minutes has a point for each second; a longer one means over some of them, and loses no second', () => {
    expect(pointsOf([4, 2, 3])).toEqual([
      { second: 0, value: 4 },
      { second: 1, value: 2 },
      { second: 2, value: 3 },
    ]);
    const long = pointsOf(Array.from({ length: 121 }, (_, second) => second));
    expect(long).toHaveLength(61);
    expect(long.slice(0, 2)).toEqual([
      { second: 0, value: 0.5 },
      { second: 2, value: 2.5 },
    ]);
    expect(long.at(-1)).toEqual({ second: 120, value: 120 });
    expect(pointsOf(Array(120).fill(1))).toHaveLength(120);
    expect(pointsOf([])).toEqual([]);
  });
});

it('moments stand in the middle of equal parts of a video', () => {
  expect(momentsOf(60_000, 3)).toEqual([10, 30, 50]);
  expect(momentsOf(60_000, 1)).toEqual([30]);
});
