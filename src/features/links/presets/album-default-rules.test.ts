import { describe, expect, it } from 'vitest';
import { offersOf, type Ways } from '../offers/offer-rules.ts';
import { Policy } from '../policy.ts';
import { asksFirst, asksMoney } from '../rules.ts';
import { type AlbumDefaults, beginOffers, priceOf } from './album-default-rules.ts';

const gold = '0199a5c0-0000-7000-8000-000000000001';
const plain: AlbumDefaults = { isProtected: false, priceCents: null, allowsTips: true };
const priced = { ...plain, priceCents: 1500 };
const guarded = { ...plain, isProtected: true };
const tipless = { ...plain, allowsTips: false };
const most = 10_000;
const begin = (usual: Ways, ...albums: AlbumDefaults[]) => beginOffers(offersOf(usual), albums, most);

describe('the ways in with which a new link begins', () => {
  it('are the usual ones for an album that says nothing', () => {
    for (const usual of [{}, { tipCents: 700 }, { approval: 'first' }, { priceCents: 900, isAll: true }] as Ways[])
      expect(begin(usual, plain)).toEqual(offersOf(usual));
  });
  it("are the album's price, the creator's yes, or the yes and then the price", () => {
    expect(begin({}, priced)).toEqual(offersOf({ priceCents: 1500 }));
    expect(begin({}, guarded)).toEqual(offersOf({ approval: 'first' }));
    expect(begin({}, { ...priced, isProtected: true })).toEqual(offersOf({ priceCents: 1500, approval: 'first' }));
  });
  it('keep what is not laxer: a subscription beside the price, a price after the yes', () => {
    expect(begin({ tierIds: [gold], tipCents: 500, priceCents: 900 }, priced)).toEqual(
      offersOf({ priceCents: 1500, tierIds: [gold] }),
    );
    expect(begin({ priceCents: 900 }, guarded)).toEqual(offersOf({ priceCents: 900, approval: 'first' }));
    expect(begin({ priceCents: 900, approval: 'instead' }, priced)).toEqual(offersOf({ priceCents: 1500 }));
  });
  it('ask for no tip where no album takes one', () => {
    expect(begin({ tipCents: 700 }, tipless)).toEqual(offersOf({}));
    expect(begin({ tipCents: 700, priceCents: 900 }, tipless)).toEqual(offersOf({ priceCents: 900 }));
    expect(begin({ tipCents: 700 }, tipless, plain)).toEqual(offersOf({ tipCents: 700 }));
  });
  it('are the prices of several albums together, as far as their creator may ask', () => {
    expect(priceOf([priced, plain, { ...plain, priceCents: 2000 }])).toBe(3500);
    expect(begin({}, { ...plain, priceCents: 9000 }, priced)).toEqual(offersOf({ priceCents: most }));
    expect(priceOf([plain])).toBeUndefined();
  });
  it('are no price where its creator cannot be paid', () => {
    expect(beginOffers(offersOf({}), [priced], undefined)).toEqual(offersOf({}));
    expect(beginOffers(offersOf({}), [{ ...priced, isProtected: true }], undefined)).toEqual(
      offersOf({ approval: 'first' }),
    );
  });
  it('are never laxer than an album, whatever the usual ones are', () => {
    const usual: Ways[] = [{}, { tipCents: 700 }, { tierIds: [] }, { priceCents: 900, tipCents: 700, isAll: true }];
    const all = usual.flatMap((one) =>
      [undefined, 'first', 'instead'].map((approval) => ({ ...one, approval }) as Ways),
    );
    for (const one of all) {
      const of = (...albums: AlbumDefaults[]) => Policy.parse({ offers: begin(one, ...albums) });
      expect(asksFirst(of(guarded, plain)), JSON.stringify(one)).toBe(true);
      expect(asksMoney(of(priced, plain)), JSON.stringify(one)).toBe(true);
      const both = of({ ...priced, isProtected: true });
      expect([asksFirst(both), asksMoney(both)], JSON.stringify(one)).toEqual([true, true]);
    }
  });
});
