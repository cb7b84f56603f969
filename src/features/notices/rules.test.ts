import { describe, expect, it } from 'vitest';
import { channelsOf, digestMs, dueAt, isDigested, opensMs, type Pace, quietUntil, retryPauseSeconds } from './rules.ts';

const noon = new Date('2026-11-21T12:00:00.000Z');
const at = (time: string, day = '2026-11-21') => new Date(`${day}T${time}Z`);
/** From 22:00 until 08:00, and from 13:00 until 14:00. */
const night = { from: 22 * 60, until: 8 * 60 };
const lunch = { from: 13 * 60, until: 14 * 60 };

describe('quiet hours', () => {
  it('hold where she lives, over midnight too, from their first moment until before their last', () => {
    const until = (time: string, quiet = night, zone = 'UTC') => quietUntil(quiet, zone, at(time))?.toISOString();
    expect(until('21:59:59.999')).toBeUndefined();
    expect(until('22:00:00.000')).toBe('2026-11-22T08:00:00.000Z');
    expect(until('03:30:20.500')).toBe('2026-11-21T08:00:00.000Z');
    expect(until('07:59:59.999')).toBe('2026-11-21T08:00:00.000Z');
    expect(until('08:00:00.000')).toBeUndefined();
    expect(until('12:00:00.000', lunch, 'Europe/Berlin')).toBe('2026-11-21T13:00:00.000Z');
    expect(until('12:59:00.000', lunch)).toBeUndefined();
    // Half an hour beside the others, and a zone that nobody knows.
    expect(until('08:00:00.000', lunch, 'Asia/Kolkata')).toBe('2026-11-21T08:30:00.000Z');
    expect(until('13:30:00.000', lunch, 'Nowhere/None')).toBe('2026-11-21T14:00:00.000Z');
    expect(quietUntil(null, 'UTC', noon)).toBeUndefined();
  });
});

describe('when a notice is told', () => {
  const pace = (more: Partial<Pace> = {}): Pace => ({
    quiet: null,
    timeZone: 'UTC',
    digestAt: null,
    opensAt: null,
    now: noon,
    ...more,
  });
  const inMs = (ms: number) => new Date(noon.getTime() + ms);

  it('a first opening at once, everything else at most once an hour', () => {
    const justNow = pace({ digestAt: inMs(-60_000) });
    expect(dueAt('first_open', justNow)).toEqual(noon);
    for (const event of ['further_opens', 'tip', 'link_expires', 'storage', 'processing_failed', 'trial'] as const) {
      expect(dueAt(event, justNow)).toEqual(inMs(digestMs - 60_000));
      expect(dueAt(event, pace({ digestAt: inMs(-digestMs) }))).toEqual(noon);
      expect(dueAt(event, pace())).toEqual(noon);
    }
  });

  it('further opens at most once a day, however often something else is told', () => {
    const dayAgo = inMs(-opensMs);
    expect(dueAt('further_opens', pace({ opensAt: inMs(-60_000), digestAt: inMs(-digestMs) }))).toEqual(
      inMs(opensMs - 60_000),
    );
    expect(dueAt('further_opens', pace({ opensAt: dayAgo }))).toEqual(noon);
    // Sales are told every hour: that keeps opens back for an hour, and not for ever.
    expect(dueAt('further_opens', pace({ opensAt: dayAgo, digestAt: inMs(-60_000) }))).toEqual(inMs(digestMs - 60_000));
    expect(dueAt('tip', pace({ opensAt: noon }))).toEqual(noon);
  });

  it('not in quiet hours, unless it is a matter of safety', () => {
    const quiet = pace({ quiet: { from: 11 * 60, until: 15 * 60 } });
    expect(dueAt('first_open', quiet)).toEqual(at('15:00:00.000'));
    expect(dueAt('storage', { ...quiet, digestAt: noon })).toEqual(at('15:00:00.000'));
    expect(dueAt('password_guessed', quiet)).toEqual(noon);
    // The pause between two digests must not lead into them either.
    const soon = pace({ quiet: { from: 12 * 60 + 30, until: 15 * 60 }, digestAt: noon });
    expect(dueAt('storage', soon)).toEqual(at('15:00:00.000'));
  });
});

it('an event that she chose nothing for, or something that is no channel, is mailed', () => {
  expect(channelsOf({ first_open: 'push', storage: 'pigeon' })).toMatchObject({
    first_open: 'push',
    storage: 'mail',
    trial: 'mail',
  });
});

it('an email that no server takes is tried again after half a minute, twice as long each time, and each hour at the latest', () => {
  expect([0, 1, 2, 3, 7, 8, 50].map(retryPauseSeconds)).toEqual([30, 30, 60, 120, 1920, 3600, 3600]);
});

it('what cannot wait stands in no digest', () => {
  expect((['first_open', 'request', 'password_guessed'] as const).some(isDigested)).toBe(false);
  expect((['storage', 'link_expires'] as const).every(isDigested)).toBe(true);
});
