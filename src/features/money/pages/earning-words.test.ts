import { describe, expect, it } from 'vitest';
import type { EarningRow } from '../contract.ts';
import { describePaid, describeStory, titleOf } from './earning-words.ts';

const tip: EarningRow = {
  id: 'a',
  orderId: 'b',
  kind: 'tip',
  at: new Date(0),
  amountCents: 900,
  grossCents: 1000,
  currency: 'usd',
  state: 'refunded',
  message: 'For the sea',
  signedBy: 'Bob',
  isOnPage: true,
  link: null,
  isSubscription: false,
  months: 1,
  availableAt: new Date(0),
  canRefund: false,
  isReported: false,
};
const refund: EarningRow = { ...tip, kind: 'refund', amountCents: -900 };
const plain = (text: string | undefined) => text?.replaceAll(/[\u2066-\u2069]/g, '');

describe('a line of Activity', () => {
  it('says that the bank of the card reported it, of the payment and of its refund, and not of its fee', () => {
    const words = "The card's bank reported possible fraud";
    expect(describeStory({ ...tip, isReported: true }, true)).toBe(words);
    expect(describeStory({ ...refund, isReported: true }, false)).toBe(words);
    expect(describeStory({ ...refund, kind: 'fee', isReported: true }, false)).toBeUndefined();
    expect(titleOf({ ...refund, isReported: true })).toBe('Refund');
  });

  it('repeats what whoever paid wrote, of the payment alone', () => {
    expect(plain(describeStory(tip, true))).toBe('“For the sea” – Bob');
    expect(describeStory(refund, false)).toBeUndefined();
  });

  it('calls what a bank has taken back a dispute and no refund', () => {
    expect(titleOf({ ...refund, state: 'charged_back' })).toBe('Dispute');
    expect(describePaid({ ...refund, state: 'charged_back' }, '$10.00')).toBe(
      '$10.00 taken back by the bank, paid on your page',
    );
    expect(describePaid(refund, '$10.00')).toBe('$10.00 given back, paid on your page');
  });
});
