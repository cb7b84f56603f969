import { describe, expect, it } from 'vitest';
import { mostTipCents } from '#features/orders/rules.ts';
import { type Condition, Policy } from './policy.ts';
import { asksFirst, asksMoney, findNotOffered, isForSale, offersOf, pricesOf, tiersOf, tipsOf } from './rules.ts';

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
  it('are named by their field and a sentence', () => {
    expect(findNotOffered(linkWith([approval]))).toEqual({
      field: 'rules.offers',
      sentence: "Asking you first isn't available in this version yet.",
    });
    expect(findNotOffered(linkWith([pay, tip]))?.sentence).toBe(
      "Asking for two things at once isn't available in this version yet.",
    );
    const more: [Partial<Policy>, string, string][] = [
      [{ email: { verify: true, allow: [] } }, 'rules.email', 'Access by email address'],
      [{ agreementId: gold }, 'rules.agreementId', 'An agreement'],
      [{ holdToView: true }, 'rules.holdToView', 'Hold to view'],
    ];
    for (const [rule, field, name] of more)
      expect(findNotOffered(Policy.parse(rule))).toEqual({
        field,
        sentence: `${name} isn't available in this version yet.`,
      });
  });
  it('are a link that is free and asks for money', () => {
    const both = { field: 'rules.offers', sentence: "A link can't be free and ask for money." };
    for (const condition of [pay, tip, fans]) expect(findNotOffered(linkWith([free], [condition]))).toEqual(both);
  });
  it('are two prices, two tips or two subscriptions, for the buyer would pay the lower one', () => {
    const twice = { field: 'rules.offers', sentence: 'A link has one price, one tip and one subscription.' };
    for (const condition of [pay, tip, fans]) expect(findNotOffered(linkWith([condition], [condition]))).toEqual(twice);
    expect(findNotOffered(linkWith([pay], [tip], [fans]))).toBeUndefined();
  });
  it('are a tip above the highest that anybody may give', () => {
    expect(findNotOffered(linkWith([{ kind: 'tip', minCents: mostTipCents }]))).toBeUndefined();
    expect(findNotOffered(linkWith([{ kind: 'tip', minCents: mostTipCents + 1 }]))).toEqual({
      field: 'rules.offers',
      sentence: 'Choose between $5 and $100.',
    });
  });
});
