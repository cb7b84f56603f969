import { describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { againCents, answerOf, backOf, backOfReleased, borneOf, isToSubmit, settlingEntries } from './dispute-rules.ts';
import { tellFee, tellNext } from './dispute-words.ts';

const sumOf = (entries: readonly { amountCents: number }[]) =>
  entries.reduce((sum, { amountCents }) => sum + amountCents, 0);

describe('what is taken back of a creator', () => {
  const passedOn = { transferId: 'tr', leftCents: 5000, feeLeftCents: 500 };

  it('is all that is left, where as much or more is disputed', () => {
    expect(backOf({ amountCents: 5000 }, passedOn)).toEqual(passedOn);
    expect(backOf({ amountCents: 5100 }, passedOn), 'another rate of exchange').toEqual(passedOn);
  });

  it('is no more than is disputed, with the platform’s part of it', () => {
    expect(backOf({ amountCents: 1999 }, passedOn)).toEqual({ transferId: 'tr', leftCents: 1999, feeLeftCents: 200 });
  });

  it('comes again without the platform’s part', () => {
    expect(againCents({ backCents: 5000, backFeeCents: 500 })).toBe(4500);
    expect(againCents({ backCents: null, backFeeCents: null })).toBe(0);
  });
});

describe('of what was held and released', () => {
  const released = { requestId: 'r', transferId: 'tr', shareCents: 3600, feeCents: 400 };

  it('her part of what is disputed is taken back, to the cent, and the platform’s part never left', () => {
    const back = (amountCents: number) => backOfReleased({ amountCents }, released);
    expect(back(4000)).toEqual({ transferId: 'tr', leftCents: 3600, feeLeftCents: 0 });
    expect(back(4100).leftCents).toBe(3600);
    expect(back(1999).leftCents).toBe(1799);
  });

  it('it is held again, and is hers when won, the bank’s when lost', () => {
    const about = { backCents: 3600, backFeeCents: 0, orderId: 'o' };
    const heldFor = { requestId: 'r', takenFeeCents: 400 };
    const keysOf = (standing: 'won' | 'lost', takenCents: number) => {
      const entries = settlingEntries({ ...about, standing, takenCents }, { heldFor });
      expect(sumOf(entries)).toBe(0);
      return entries.map(({ key, amountCents }) => [key, amountCents]);
    };
    const heldAgain = ['liability:held:r', 3600];
    expect(keysOf('won', 0)).toEqual([['clearing:refunds', -3600], heldAgain]);
    expect(keysOf('lost', 4000)).toEqual([['clearing:refunds', -4000], heldAgain, ['income:platform_fee', 400]]);
    expect(keysOf('lost', 4100)).toContainEqual(['expense:loss', 100]);
  });
});

describe('what is left to be booked', () => {
  const moved = { backCents: 5000, backFeeCents: 500, orderId: 'o' };
  const keysOf = (about: Parameters<typeof settlingEntries>[0], sold?: string) => {
    const entries = settlingEntries(about, { sold });
    expect(sumOf(entries)).toBe(0);
    return entries.map(({ key, amountCents }) => [key, amountCents]);
  };

  it('won, is the platform’s part', () => {
    expect(keysOf({ ...moved, standing: 'won', takenCents: 0 })).toEqual([
      ['clearing:refunds', 500],
      ['income:platform_fee', -500],
    ]);
    expect(keysOf({ ...moved, backCents: null, backFeeCents: null, standing: 'won', takenCents: 0 })).toEqual([]);
  });

  it('lost, is what the bank took and nobody gave back', () => {
    expect(keysOf({ ...moved, standing: 'lost', takenCents: 5000 })).toEqual([]);
    expect(keysOf({ ...moved, standing: 'lost', takenCents: 5100 })).toEqual([
      ['clearing:refunds', -100],
      ['expense:loss', 100],
    ]);
    const own = { backCents: 0, backFeeCents: 0, orderId: null };
    expect(keysOf({ ...own, standing: 'lost', takenCents: 399 }), 'a plan').toEqual([
      ['clearing:refunds', -399],
      ['income:subscription', 399],
    ]);
    expect(keysOf({ ...own, standing: 'lost', takenCents: 500 }, 'credits')).toContainEqual(['income:credits', 500]);
  });

  it('is nothing where the bank has only asked', () => {
    expect(keysOf({ ...moved, backCents: null, backFeeCents: null, standing: 'over', takenCents: 0 })).toEqual([]);
  });
});

describe('the fee of a dispute', () => {
  it('is the creator’s from 0.75% of disputed sales on, and the platform’s below that and after a single one', () => {
    expect(borneOf(1500, { sales: 400, disputes: 3 }), '0.75%').toBe(1500);
    expect(borneOf(1500, { sales: 405, disputes: 3 }), '0.74%').toBe(0);
    expect(borneOf(1500, { sales: 100, disputes: 5 }), 'limited as well').toBe(1500);
    expect(borneOf(1500, { sales: 1, disputes: 1 }), 'one says nothing').toBe(0);
  });

  it('is told with its reason, and not any more once it was returned', () => {
    const tell = (state: 'due' | 'taken' | 'returned') => tellFee({ cents: 1500, state }, 'usd');
    expect(tell('due')).toMatch(/^You pay the bank's dispute fee of \$15\.00, because .* 0\.75% .* as soon as/);
    expect(tell('taken')).toMatch(/because .* It was taken from your balance\.$/);
    expect(tell('returned')).toBe("The bank's dispute fee of $15.00 was returned, so you don't pay it.");
  });
});

describe('evidence is submitted', () => {
  const dueBy = new Date('2026-11-28T12:00:00Z');
  const facts = { dueBy, isOpened: true, objectedAt: null, wantedAt: null };
  const ahead = (ms: number) => new Date(dueBy.getTime() - ms);

  it('a day before it is due, to the millisecond, and never when it is', () => {
    expect(isToSubmit(facts, ahead(dayMs + 1))).toBe(false);
    expect(isToSubmit(facts, ahead(dayMs))).toBe(true);
    expect(isToSubmit(facts, ahead(1))).toBe(true);
    expect(isToSubmit(facts, dueBy)).toBe(false);
    expect(isToSubmit({ ...facts, dueBy: null }, dueBy)).toBe(false);
  });

  it('at once where staff want it, and not where they object', () => {
    expect(isToSubmit({ ...facts, wantedAt: ahead(dayMs * 6) }, ahead(dayMs * 6))).toBe(true);
    expect(isToSubmit({ ...facts, objectedAt: ahead(dayMs * 6) }, ahead(1))).toBe(false);
  });

  it('by staff alone where nothing was ever opened', () => {
    expect(isToSubmit({ ...facts, isOpened: false }, ahead(1))).toBe(false);
    expect(isToSubmit({ ...facts, isOpened: false, wantedAt: ahead(2) }, ahead(1))).toBe(true);
    expect(isToSubmit({ ...facts, isOpened: null }, ahead(1)), 'not built').toBe(false);
  });
});

describe('the creator is told', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const dueBy = new Date('2026-11-28T12:00:00Z');
  const built = { dueBy, isOpened: true, objectedAt: null, wantedAt: null, isRefused: false };
  const tell = (about: Partial<typeof built> | object, at = now) => {
    const answer = answerOf({ ...built, ...about }, at);
    const money = { amountCents: 5000, shareCents: 4500, currency: 'usd' };
    const ids = { id: 'd', orderId: 'o', kind: 'album', openedAt: now } as const;
    return tellNext({ ...ids, ...money, state: 'open', answer, dueBy, fee: null }, at);
  };

  it('that the bank is answered only where that is so', () => {
    expect(tell({})).toContain('We answer the bank by');
    expect(tell({ isOpened: false, wantedAt: now })).toContain('We answer the bank by');
    for (const unsure of [{ isOpened: false }, { isOpened: null }, { isRefused: true }])
      expect(tell(unsure)).toMatch(/^We decide by .* whether to answer the bank\./);
  });

  it('that it is not where staff object, or the bank listens no more', () => {
    expect(tell({ objectedAt: now })).toContain("We don't contest this one.");
    expect(tell({ dueBy: null })).toContain("We don't contest this one.");
    expect(tell({}, dueBy)).toContain("We don't contest this one.");
  });
});
