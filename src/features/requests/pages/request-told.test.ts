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

test('whose refund it is depends on who reads it', () => {
  const request = {
    ...({ state: 'refunded', isCounter: false, offeredCents: 8000, agreedCents: 8000, currency: 'usd' } as const),
    ...({ dueAt: null, dueDays: null, endReason: 'not_delivered', wasRevised: false, creatorName: 'Ana' } as const),
  };
  const onWay = { ...request, refundedCents: 0 };
  expect(tellBuyer(toldOf(onWay, 'buyer'))).toMatch(/ Your refund of \$80\.00 is on its way\.$/);
  expect(tellCreator(toldOf(onWay, 'creator'))).toMatch(/ The buyer's refund of \$80\.00 is on its way\.$/);
  const half = { ...request, refundedCents: 3000 };
  expect(tellBuyer(toldOf(half, 'buyer'))).toMatch(/\$30\.00 went back .* Your refund of \$50\.00 is on its way\.$/);
  const back = { ...request, refundedCents: 8000 };
  expect(tellBuyer(toldOf(back, 'buyer'))).toContain('$80.00 went back to the card.');
  expect(tellCreator(toldOf(back, 'creator'))).toMatch(/ \$80\.00 went back to the buyer\.$/);
});

test('what was delivered and is closed is not called open', () => {
  const request = {
    ...({ state: 'delivered', isCounter: false, offeredCents: 8000, agreedCents: 8000, currency: 'usd' } as const),
    ...({
      dueAt: null,
      dueDays: null,
      endReason: null,
      wasRevised: false,
      creatorName: 'Ana',
      refundedCents: 0,
    } as const),
  };
  expect(tellBuyer(toldOf({ ...request, canOpen: true }, 'buyer'))).toBe('Delivered – open it.');
  expect(tellBuyer(toldOf({ ...request, canOpen: false }, 'buyer'))).toMatch(
    / has ended your access\. If it stays that way, your payment goes back to you\.$/,
  );
});
