import { afterEach, expect, test, vi } from 'vitest';
import { describeBuyer, describeCreator } from '../moves/request-words.ts';
import { formatDay, textsOf } from './request-texts.ts';

const { DateTimeFormat } = Intl;
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['en-GB', '3 May'],
  ['en-US', 'May 3'],
])('a day is told as a reader of %s is used to', (usual, reported) => {
  const usualFormat = function format(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
    return new DateTimeFormat(locale ?? usual, options);
  };
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat: usualFormat });
  expect(formatDay(new Date('2026-05-03T12:00:00Z'))).toBe(reported);
  expect(formatDay(null)).toBe('');
});

test('whose refund it is depends on who reads it', () => {
  const request = {
    ...({ state: 'refunded', isCounter: false, offeredCents: 8000, agreedCents: 8000, currency: 'usd' } as const),
    ...({ dueAt: null, dueDays: null, endReason: 'not_delivered', wasRevised: false, creatorName: 'Ana' } as const),
  };
  const onWay = { ...request, refundedCents: 0 };
  expect(describeBuyer(textsOf(onWay, 'buyer'))).toMatch(/ Your refund of \$80\.00 is on its way\.$/);
  expect(describeCreator(textsOf(onWay, 'creator'))).toMatch(/ The buyer's refund of \$80\.00 is on its way\.$/);
  const half = { ...request, refundedCents: 3000 };
  expect(describeBuyer(textsOf(half, 'buyer'))).toMatch(
    /\$30\.00 went back .* Your refund of \$50\.00 is on its way\.$/,
  );
  const back = { ...request, refundedCents: 8000 };
  expect(describeBuyer(textsOf(back, 'buyer'))).toContain('$80.00 went back to the card.');
  expect(describeCreator(textsOf(back, 'creator'))).toMatch(/ \$80\.00 went back to the buyer\.$/);
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
  expect(describeBuyer(textsOf({ ...request, canOpen: true }, 'buyer'))).toBe('Delivered – open it.');
  expect(describeBuyer(textsOf({ ...request, canOpen: false }, 'buyer'))).toMatch(
    / has ended your access\. If it stays that way, your payment goes back to you\.$/,
  );
});
