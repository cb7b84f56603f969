import { expect, it } from 'vitest';
import { busiestHour, describeOpens, hoursOfWeek, levelOf, nameHourOfWeek } from './hour-texts.ts';
import { weekOf } from './rules.ts';

it('an hour of the week is told from its beginning to its end, also over midnight', () => {
  const reported = [0, 24 * 4 + 21, 167].map((at) => nameHourOfWeek(at, 'en-US').replaceAll('\u202f', ' '));
  expect(reported).toEqual(['Monday, 12 AM – 1 AM', 'Friday, 9 PM – 10 PM', 'Sunday, 11 PM – 12 AM']);
  expect(nameHourOfWeek(21, 'de-DE')).toBe('Monday, 21 Uhr – 22 Uhr');
});

it('an hour with anything in it is never drawn as empty, and only the busiest is darkest', () => {
  expect([0, 1, 250, 251, 999, 1000].map((opens) => levelOf(opens, 1000))).toEqual([0, 1, 1, 2, 4, 4]);
  expect([describeOpens(0), describeOpens(1), describeOpens(1200)]).toEqual(['0 opens', '1 open', '1,200 opens']);
});

it('the busiest hour is the first of several, and none where nothing was', () => {
  const week = weekOf([
    { weekday: 4, hour: 21, opens: 3 },
    { weekday: 6, hour: 23, opens: 3 },
  ]);
  expect([week.length, busiestHour(week), week[167]]).toEqual([hoursOfWeek, 24 * 4 + 21, 3]);
  expect(busiestHour(weekOf([]))).toBeUndefined();
});
