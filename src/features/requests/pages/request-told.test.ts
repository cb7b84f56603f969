import { afterEach, expect, test, vi } from 'vitest';
import { tellBuyer, tellCreator } from '../moves/request-words.ts';
import { tellDay, toldOf } from './request-told.ts';

const { DateTimeFormat } = Intl;
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['en-GB', '3 May'],
  ['en-US', 'May 3'],
])('a day is told as a reader of %s is used to', (usual, told) => {
  const usualFormat = function format(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
    return new DateTimeFormat(locale ?? usual, options);
  };
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat: usualFormat });
  expect(tellDay(new Date('2026-05-03T12:00:00Z'))).toBe(told);
  expect(tellDay(null)).toBe('');
});

test.each([
  [0, 'Your refund of $40.00 is on its way.', '$40.00 is on its way back to the buyer.'],
  [4000, '$40.00 went back to the card. Banks', '$40.00 went back to the buyer.'],
])('of %i cents that have gone back each side reads its own words', (refundedCents, toBuyer, toCreator) => {
  const request: Omit<Parameters<typeof toldOf>[0], 'creatorName'> = {
    ...{ state: 'refunded', isCounter: false, offeredCents: 4000, agreedCents: 4000, currency: 'usd' },
    ...{ dueAt: null, endReason: 'not_delivered', wasRevised: false, refundedCents },
  };
  expect(tellBuyer(toldOf({ ...request, creatorName: 'Mia' }))).toContain(`It wasn't delivered in time. ${toBuyer}`);
  expect(tellCreator(toldOf(request))).toBe(`It wasn't delivered in time. ${toCreator}`);
});
