import { describe, expect, it } from 'vitest';
import { mostTipCents } from '#features/orders/rules.ts';
import { findOfferFault, offersOf, type Ways, waysOf } from './offers/offer-rules.ts';
import { type Condition, Policy } from './policy.ts';
import { asksFirst, asksMoney, findRuleFault, isForSale, pricesOf, tiersOf, tipsOf } from './rules.ts';

const gold = '0199a5c0-0000-7000-8000-000000000001';
const silver = '0199a5c0-0000-7000-8000-000000000002';
const free: Condition = { kind: 'free' };
const pay: Condition = { kind: 'pay', priceCents: 1000 };
const tip: Condition = { kind: 'tip', minCents: 700 };
const fans: Condition = { kind: 'fan_sub', tierIds: [gold] };
const approval: Condition = { kind: 'approval' };
/** A link with these ways in, each of one or more conditions. */
const linkWith = (...offers: Condition[][]): Policy =>
  Policy.parse({ offers: offers.map((all, at) => ({ id: `offer-${at}`, all })) });

describe('the ways into a link that its maker chooses', () => {
  it('are one for nothing when no money is asked', () => {
    expect(offersOf({})).toEqual([{ id: 'free', all: [free] }]);
  });
  it('are a price, a tip and a subscription, each only where it was chosen', () => {
    expect(offersOf({ priceCents: 1000 })).toEqual([{ id: 'pay', all: [pay] }]);
    expect(offersOf({ tipCents: 700 })).toEqual([{ id: 'tip', all: [tip] }]);
    expect(offersOf({ tierIds: [gold] })).toEqual([{ id: 'fans', all: [fans] }]);
    expect(offersOf({ priceCents: 1000, tipCents: 700, tierIds: [gold] }).map(({ id }) => id)).toEqual([
      'pay',
      'tip',
      'fans',
    ]);
  });
  it('are a subscription to any tier when none is named', () => {
    expect(offersOf({ tierIds: [] })).toEqual([{ id: 'fans', all: [{ kind: 'fan_sub', tierIds: [] }] }]);
  });
  it('say again what was chosen', () => {
    const policy = Policy.parse({ offers: offersOf({ priceCents: 1000, tipCents: 700, tierIds: [gold, silver] }) });
    expect([pricesOf(policy), tipsOf(policy), tiersOf(policy)]).toEqual([[1000], [700], [gold, silver]]);
  });
});

describe('what the share sheet says of offers', () => {
  const money: Ways[] = [
    {},
    { priceCents: 1500 },
    { tipCents: 700 },
    { tierIds: [gold] },
    { priceCents: 1500, tipCents: 700 },
    { priceCents: 1500, tierIds: [] },
    { priceCents: 1500, tipCents: 700, tierIds: [gold] },
  ];
  const ways = money.flatMap((one) =>
    [undefined, 'first', 'instead'].flatMap((approval) =>
      [false, true].map(
        (isAll): Ways => ({
          ...one,
          ...(approval !== undefined && { approval: approval as 'first' }),
          ...(isAll && { isAll }),
        }),
      ),
    ),
  );
  it.each(ways.map((one) => [JSON.stringify(one), one] as const))('%s is said again by its offers', (_, one) => {
    const offers = offersOf(one);
    expect(findOfferFault({ offers })).toBeUndefined();
    const again = waysOf(offers);
    expect(again && offersOf(again)).toEqual(offers);
  });
  it('is nothing for offers that it has no words for', () => {
    expect(waysOf(linkWith([pay], [tip, approval]).offers)).toBeUndefined();
  });
});

describe('a link that asks for money', () => {
  it.each([
    ['a price', pay, [1000], [], undefined],
    ['a tip', tip, [], [700], undefined],
    ['a subscription', fans, [], [], [gold]],
  ] as const)('by %s alone is for sale', (_, condition, prices, tips, tiers) => {
    const policy = linkWith([condition]);
    expect([pricesOf(policy), tipsOf(policy), tiersOf(policy)]).toEqual([prices, tips, tiers]);
    expect(isForSale(policy)).toBe(true);
  });
  it('is none that is free, or that waits for its maker’s yes', () => {
    for (const condition of [free, approval]) {
      const policy = linkWith([condition]);
      expect([pricesOf(policy), tipsOf(policy), tiersOf(policy)]).toEqual([[], [], undefined]);
      expect(isForSale(policy)).toBe(false);
    }
  });
});

describe('what an album wishes of its links', () => {
  it('a protected one: that nobody gets in without being let in', () => {
    expect(asksFirst(linkWith([approval]))).toBe(true);
    expect(asksFirst(linkWith([tip, approval]))).toBe(true);
    expect(asksFirst(linkWith([approval], [free]))).toBe(false);
    expect(asksFirst(linkWith([pay]))).toBe(false);
  });
  it('one with a price: that nobody gets in without paying it or subscribing; a tip of any size is no price', () => {
    expect(asksMoney(linkWith([pay]))).toBe(true);
    expect(asksMoney(linkWith([fans]))).toBe(true);
    expect(asksMoney(linkWith([pay, approval], [fans]))).toBe(true);
    expect(asksMoney(linkWith([pay], [free]))).toBe(false);
    expect(asksMoney(linkWith([tip]))).toBe(false);
  });
});

describe('rules that cannot be offered', () => {
  it('are a link that is free and asks for something', () => {
    const both = { field: 'rules.offers', sentence: "A link can't be free and ask for something." };
    for (const condition of [pay, tip, fans, approval])
      expect(findRuleFault(linkWith([free], [condition]))).toEqual(both);
  });
  it('are two ways in that ask for the same, for everybody would take the cheaper one', () => {
    const twice = "Two ways in can't ask for the same.";
    for (const condition of [pay, tip, fans, approval])
      expect(findOfferFault(linkWith([condition], [condition]))).toBe(twice);
    expect(findOfferFault(linkWith([pay, tip], [tip, pay]))).toBe(twice);
    expect(findOfferFault(linkWith([pay], [tip], [fans], [pay, approval]))).toBeUndefined();
  });
  it('are one way in that asks for a thing twice', () => {
    expect(findOfferFault(linkWith([pay, pay]))).toBe('One way in asks for each thing once.');
  });
  it('are a tip above the highest that anybody may give', () => {
    expect(findRuleFault(linkWith([{ kind: 'tip', minCents: mostTipCents }]))).toBeUndefined();
    expect(findRuleFault(linkWith([{ kind: 'tip', minCents: mostTipCents + 1 }]))).toEqual({
      field: 'rules.offers',
      sentence: 'Choose between $5 and $100.',
    });
  });
});
