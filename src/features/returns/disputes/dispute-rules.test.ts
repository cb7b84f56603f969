import { describe, expect, it } from 'vitest';
import { describeFee, describeNext } from '#features/money/pages/dispute-words.ts';
import { dayMs } from '#kit/time.ts';
import {
  againCents,
  answerOf,
  backOf,
  backOfReleased,
  borneOf,
  isTaken,
  isToSubmit,
  settlingEntries,
} from './dispute-rules.ts';

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

  it('that the bank took before anything was released, all of it is the bank’s, and what is open is nobody’s yet', () => {
    const heldFor = { requestId: 'r', takenFeeCents: 0 };
    const settled = (standing: 'open' | 'won' | 'lost' | 'over', backCents: number | null, takenCents: number) =>
      settlingEntries({ standing, backCents, backFeeCents: 0, takenCents, orderId: 'o' }, { heldFor }).map(
        ({ key, amountCents }) => [key, amountCents],
      );
    expect(settled('lost', null, 4000)).toEqual([
      ['clearing:refunds', -4000],
      ['liability:held:r', 4000],
    ]);
    expect(settled('open', 3600, 4000)).toEqual([]);
    expect(settled('over', 3600, 4000)).toEqual([]);
    expect(settled('won', null, 0)).toEqual([]);
    // Nothing of the platform's was in it, so what the bank has besides is lost.
    expect(settled('lost', 3600, 4000)).toEqual([
      ['clearing:refunds', -4000],
      ['liability:held:r', 3600],
      ['expense:loss', 400],
    ]);
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
    const tell = (state: 'due' | 'taken' | 'returned') => describeFee({ cents: 1500, state }, 'usd');
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
    const money = { amountCents: 5000, shareCents: 4500, isOwed: false, currency: 'usd' };
    const ids = { id: 'd', orderId: 'o', kind: 'album', openedAt: now } as const;
    return describeNext({ ...ids, ...money, state: 'open', answer, dueBy, fee: null }, at);
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

describe('when the bank decides', () => {
  it('what was taken back of a creator stays so while it is open and when it is lost', () => {
    expect((['open', 'lost'] as const).map(isTaken)).toEqual([true, true]);
    expect((['asked', 'won', 'over'] as const).some((standing) => isTaken(standing as never))).toBe(false);
  });
  it('a sale of the platform’s own that is lost comes off its income, and another one is a loss', () => {
    const lost = { standing: 'lost', backCents: 900, backFeeCents: 100, takenCents: 1000 } as const;
    expect(settlingEntries({ ...lost, orderId: 'o' }).map(({ key, amountCents }) => [key, amountCents])).toEqual([
      ['clearing:refunds', -100],
      ['expense:loss', 100],
    ]);
    const own = settlingEntries({ ...lost, backCents: null, orderId: null }, { sold: 'credits' });
    expect(own.map(({ key, amountCents }) => [key, amountCents])).toEqual([
      ['clearing:refunds', -1000],
      ['income:credits', 1000],
    ]);
    expect(settlingEntries({ ...lost, standing: 'over', orderId: 'o' })).toEqual([]);
    const won = settlingEntries({ ...lost, standing: 'won', takenCents: 0, orderId: 'o' });
    expect(won.map(({ key, amountCents }) => [key, amountCents])).toEqual([
      ['clearing:refunds', 100],
      ['income:platform_fee', -100],
    ]);
  });
  const dueBy = new Date('2026-11-21T12:00:00Z');
  const ready = { dueBy, isOpened: true, objectedAt: null, wantedAt: null };
  const earlier = (ms: number) => new Date(dueBy.getTime() - ms);
  it('nothing is submitted that staff objected to, that was never built, or that has no last day', () => {
    for (const not of [{ objectedAt: earlier(1) }, { isOpened: null }, { dueBy: null }, { isOpened: false }])
      expect(isToSubmit({ ...ready, ...not }, earlier(1))).toBe(false);
    for (const not of [{ objectedAt: earlier(1) }, { isOpened: null }, { dueBy: null }])
      expect(isToSubmit({ ...ready, wantedAt: earlier(2), ...not }, earlier(1))).toBe(false);
    expect(isToSubmit({ ...ready, isOpened: false, wantedAt: earlier(2) }, earlier(1))).toBe(true);
  });
  it('what becomes of evidence is said as far as it is known', () => {
    const reported = (more: object, at = earlier(1)) => answerOf({ ...ready, isRefused: false, ...more }, at);
    expect(reported({})).toBe('planned');
    expect(reported({ isOpened: false })).toBe('undecided');
    expect(reported({ isOpened: false, wantedAt: earlier(2) })).toBe('planned');
    expect(reported({ isOpened: null, wantedAt: earlier(2) })).toBe('undecided');
    expect(reported({ isRefused: true })).toBe('undecided');
    expect([reported({ objectedAt: earlier(2) }), reported({ dueBy: null }), reported({}, dueBy)]).toEqual([
      'none',
      'none',
      'none',
    ]);
  });
});
