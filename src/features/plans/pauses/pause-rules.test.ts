import { describe, expect, it } from 'vitest';
import { findPauseFault, hasPauseBegun, isPausedNow, listPauses, pausableMonths } from './pause-rules.ts';

const at = (day: string) => new Date(`${day}T12:00:00.000Z`);
const pause = (from: string, until: string, resumed?: string) => ({
  startsAt: at(from),
  endsAt: at(until),
  resumedAt: resumed === undefined ? null : at(resumed),
});
const plan = {
  status: 'active',
  isPaused: false,
  cancelAtPeriodEnd: false,
  periodEnd: at('2027-05-03'),
  anchoredAt: null,
  isUncharged: false,
};
const now = at('2027-04-20');

describe('the pause of a plan', () => {
  it('begins at the very instant at which what was paid for ends', () => {
    const paused = { isPaused: true, pausedFrom: at('2027-05-03') };
    expect(isPausedNow(paused, new Date(at('2027-05-03').getTime() - 1))).toBe(false);
    expect(isPausedNow(paused, at('2027-05-03'))).toBe(true);
    expect(isPausedNow({ isPaused: false, pausedFrom: at('2027-05-03') }, at('2027-06-01'))).toBe(false);
    expect(isPausedNow({ isPaused: true, pausedFrom: null }, now), 'begun elsewhere').toBe(true);
  });

  it('has begun, too, once the provider has begun a month that nobody pays for', () => {
    const paused = { isPaused: true, pausedFrom: at('2027-05-03'), periodStartsAt: at('2027-05-03') };
    const justBefore = new Date(at('2027-05-03').getTime() - 1);
    expect(hasPauseBegun(paused, justBefore)).toBe(true);
    expect(hasPauseBegun({ ...paused, periodStartsAt: at('2027-04-03') }, justBefore)).toBe(false);
    expect(hasPauseBegun({ ...paused, isPaused: false }, at('2027-06-01')), 'it is over').toBe(false);
  });

  it('is three months in any twelve, and a month that has begun is used up', () => {
    const left = (pauses: Parameters<typeof pausableMonths>[0]) => pausableMonths(pauses, at('2027-05-03'));
    expect(left([])).toBe(3);
    expect(left([pause('2026-12-03', '2027-01-03')])).toBe(2);
    expect(left([pause('2026-12-03', '2027-03-03')])).toBe(0);
    expect(left([pause('2026-12-03', '2027-03-03', '2027-01-03')]), 'resumed after a month').toBe(2);
    expect(left([pause('2026-12-03', '2027-03-03', '2027-01-04')]), 'a day into the second').toBe(1);
    expect(left([pause('2026-08-03', '2026-09-03'), pause('2026-12-03', '2027-02-03')])).toBe(0);
    expect(left([pause('2026-05-03', '2026-08-03')]), 'a year ago to the day').toBe(3);
    expect(left([pause('2026-05-04', '2026-08-04')])).toBe(0);
  });

  it('is chosen by the day on which the plan is paid for again', () => {
    const used = [pause('2026-12-03', '2027-01-03')];
    expect(listPauses(plan, used, now)).toEqual([
      { months: 1, until: at('2027-06-03') },
      { months: 2, until: at('2027-07-03') },
    ]);
    expect(listPauses({ ...plan, cancelAtPeriodEnd: true }, [], now)).toEqual([]);
    expect(listPauses({ ...plan, isUncharged: true }, [], now)).toEqual([]);
  });

  it('of a plan that began on the 31st ends on the last day of a month, and is as long as it was chosen', () => {
    const last = { ...plan, periodEnd: at('2027-02-28'), anchoredAt: at('2027-01-31') };
    const days = listPauses(last, [], at('2027-02-20')).map(({ until }) => until);
    expect(days).toEqual([at('2027-03-31'), at('2027-04-30'), at('2027-05-31')]);
    const left = (until: string, resumed?: string) =>
      pausableMonths([pause('2027-02-28', until, resumed)], at('2027-06-30'));
    expect([left('2027-03-31'), left('2027-04-30'), left('2027-05-31')]).toEqual([2, 1, 0]);
    expect(left('2027-05-31', '2027-03-31'), 'resumed after a month').toBe(2);
    expect([left('2027-03-28'), left('2027-04-28')], 'of one that began on the 28th').toEqual([2, 1]);
  });

  it('is refused to a trial, to what is not paid for, to what ends, and while its month is being paid for', () => {
    const fault = (more: object, when = now) => findPauseFault({ ...plan, ...more }, when);
    expect(fault({})).toBeUndefined();
    expect(fault({ status: 'trialing' })).toBe("A free trial can't be paused.");
    expect(fault({ status: 'past_due' })).toContain("didn't go through");
    expect(fault({ status: 'canceled' })).toContain("don't have a plan");
    expect(fault({ isPaused: true })).toContain('already set to pause');
    expect(fault({ cancelAtPeriodEnd: true })).toContain('Keep it first');
    expect(fault({}, at('2027-05-03'))).toContain('is being made right now');
  });
});
