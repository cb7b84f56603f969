import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate, formatMoment, formatMomentIn, formatTimeAgo, isTimeZone, monthsLater } from '#kit/time.ts';

const now = new Date('2026-11-21T20:14:00Z');
const place = { locale: 'en-GB', timeZone: 'UTC' };
const ago = (elapsedMs: number) => formatTimeAgo(new Date(now.getTime() - elapsedMs), now, place);
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('relative times', () => {
  it.each([
    [0, 'Just now'],
    [59 * second, 'Just now'],
    [minute, '1m ago'],
    [59 * minute + 59 * second, '59m ago'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [day, '1d ago'],
    [7 * day - 1, '6d ago'],
    [7 * day, '7d ago'],
    [7 * day + 1, '14 Nov'],
    [400 * day, '17 Oct 2025'],
  ])('after %i ms reads %s', (elapsedMs, words) => {
    expect(ago(elapsedMs)).toBe(words);
  });

  it('calls a time that lies ahead "Just now"', () => {
    expect(ago(-5 * minute)).toBe('Just now');
  });

  it('knows only the four forms within 7 days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * day }), (elapsedMs) =>
        /^(Just now|[1-5]?\dm ago|1?\dh ago|2[0-3]h ago|[1-7]d ago)$/.test(ago(elapsedMs)),
      ),
    );
  });
});

describe('dates', () => {
  it('leaves out the present year, as it is where the reader is', () => {
    const newYear = new Date('2026-12-31T23:30:00Z');
    expect(formatDate(newYear, now, place)).toBe('31 Dec');
    expect(formatDate(newYear, now, { locale: 'en-GB', timeZone: 'Europe/Berlin' })).toBe('1 Jan 2027');
  });

  it('shows the minute where the reader is', () => {
    expect(formatMoment(now, now, { locale: 'en-GB', timeZone: 'Europe/Berlin' })).toBe('21 Nov, 21:14');
  });
});

describe('time zones', () => {
  it.each([
    ['Asia/Kolkata', /^Nov 22, 2026, 1:44\sAM \(Asia\/Kolkata\)$/],
    ['Europe/Kyiv', /^Nov 21, 2026, 10:14\sPM \(Europe\/Kyiv\)$/],
    ['Asia/Ho_Chi_Minh', /^Nov 22, 2026, 3:14\sAM \(Asia\/Ho_Chi_Minh\)$/],
    ['America/Argentina/Buenos_Aires', /^Nov 21, 2026, 5:14\sPM \(America\/Argentina\/Buenos_Aires\)$/],
    ['Asia/Calcutta', /^Nov 22, 2026, 1:44\sAM \(Asia\/Calcutta\)$/],
  ])('tells a moment in %s', (zone, words) => {
    expect(formatMomentIn(now, zone)).toMatch(words);
  });

  it('tells a moment in UTC where nobody knows the zone', () => {
    for (const zone of ['Mars/Olympus', '', 'Europe/Berlin; x'])
      expect(formatMomentIn(now, zone)).toMatch(/^Nov 21, 2026, 8:14\sPM \(UTC\)$/);
  });

  it('knows every zone that is listed, and the other names of zones too', () => {
    for (const zone of [...Intl.supportedValuesOf('timeZone'), 'Asia/Kolkata', 'Europe/Kyiv', 'UTC'])
      expect(isTimeZone(zone)).toBe(true);
  });
});

it('so many months later is the same day, or the last one of that month', () => {
  const at = (day: string) => new Date(`${day}T12:00:00.000Z`);
  expect(monthsLater(at('2027-05-03'), 3)).toEqual(at('2027-08-03'));
  expect(monthsLater(at('2027-01-31'), 1)).toEqual(at('2027-02-28'));
  expect(monthsLater(at('2027-01-31'), 2)).toEqual(at('2027-03-31'));
  expect(monthsLater(at('2028-02-29'), -12)).toEqual(at('2027-02-28'));
});
