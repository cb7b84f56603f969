import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '#kit/time.ts';
import { isHeld, isOver, next, type RequestFacts, requestStates, type Step } from './rules.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const facts = (more: Partial<RequestFacts>): RequestFacts => ({
  state: 'requested',
  actUntil: at(hourMs),
  dueAt: at(10 * dayMs),
  offeredCents: 4000,
  wasRevised: false,
  isDisputed: false,
  isRefused: false,
  isReturned: false,
  closedAt: null,
  reportedAt: null,
  endReason: null,
  ...more,
});
const step = (more: Partial<RequestFacts>, what: Step, when = now) => next(facts(more), what, when);
const wait = { by: 'system', do: 'wait' } as const;

describe('a creator', () => {
  it('accepts what was offered, which is to be paid within 48 hours', () => {
    expect(step({}, { by: 'creator', do: 'accept', days: 14 })).toMatchObject({
      change: {
        state: 'quoted',
        agreedCents: 4000,
        isCounter: false,
        actUntil: at(48 * hourMs),
        dueDays: 14,
      },
      money: 'none',
    });
  });

  it('proposes something else, which holds for 72 hours', () => {
    expect(step({}, { by: 'creator', do: 'counter', cents: 6000, days: 3 })).toMatchObject({
      change: { state: 'quoted', agreedCents: 6000, isCounter: true, actUntil: at(72 * hourMs), dueDays: 3 },
    });
  });

  it('is too late at the very instant', () => {
    const answer = { by: 'creator', do: 'accept', days: 14 } as const;
    expect(step({ actUntil: at(1) }, answer).ok).toBe(true);
    expect(step({ actUntil: now }, answer)).toEqual({ ok: false, because: 'over' });
    expect(step({ state: 'paid', actUntil: now }, { by: 'creator', do: 'deliver' })).toEqual({
      ok: false,
      because: 'over',
    });
  });

  it('gives everything back where she cancels what was paid, and cannot cancel what was delivered', () => {
    const cancel = { by: 'creator', do: 'cancel' } as const;
    expect(step({ state: 'paid' }, cancel)).toMatchObject({ change: { state: 'refunded' }, money: 'refund' });
    expect(step({ state: 'delivered' }, cancel).ok).toBe(false);
  });
});

describe('whoever asked', () => {
  it('accepts, also after 72 hours, when the time would have done the same', () => {
    const accept = { by: 'buyer', do: 'accept' } as const;
    for (const actUntil of [at(1), now])
      expect(step({ state: 'delivered', actUntil }, accept)).toMatchObject({
        change: { state: 'released' },
        money: 'release',
      });
  });

  it('asks for one change and not for a second', () => {
    const revise = { by: 'buyer', do: 'revise' } as const;
    expect(step({ state: 'delivered' }, revise)).toMatchObject({
      change: { state: 'revision_requested', wasRevised: true, actUntil: at(12 * dayMs) },
    });
    expect(step({ state: 'delivered', wasRevised: true }, revise)).toEqual({ ok: false, because: 'once' });
  });

  it('withdraws as long as nothing was paid', () => {
    const withdraw = { by: 'buyer', do: 'withdraw' } as const;
    expect(step({ state: 'quoted' }, withdraw)).toMatchObject({ change: { state: 'declined' }, money: 'none' });
    expect(step({ state: 'paid' }, withdraw).ok).toBe(false);
  });
});

describe('time', () => {
  it('ends what nobody answered or paid, returns what was not delivered and releases what nobody looked at', () => {
    const over = (state: RequestFacts['state']) => step({ state, actUntil: now }, wait);
    expect(over('requested')).toMatchObject({ change: { state: 'expired', endReason: 'unanswered' }, money: 'none' });
    expect(over('quoted')).toMatchObject({ change: { state: 'expired', endReason: 'unpaid' }, money: 'none' });
    expect(over('paid')).toMatchObject({ change: { state: 'refunded', endReason: 'not_delivered' }, money: 'refund' });
    expect(over('delivered')).toMatchObject({ change: { state: 'released' }, money: 'release' });
    expect(over('revision_requested')).toMatchObject({ change: { state: 'problem' }, money: 'none' });
    expect(over('problem').ok, 'people decide').toBe(false);
  });

  it('does nothing a moment before', () => {
    for (const state of requestStates) expect(step({ state, actUntil: at(1) }, wait).ok).toBe(false);
  });
});

it('moves no money twice: after an end nothing moves', () => {
  const steps: Step[] = [
    { by: 'creator', do: 'cancel' },
    { by: 'buyer', do: 'accept' },
    { by: 'staff', do: 'release' },
    { by: 'staff', do: 'refund' },
    { by: 'system', do: 'suspend' },
    wait,
  ];
  for (const state of requestStates.filter(isOver))
    for (const each of steps) expect(step({ state, actUntil: now }, each)).toEqual({ ok: false, because: 'state' });
});

it('moves nothing while the bank looks at the payment', () => {
  expect(step({ state: 'delivered', isDisputed: true }, { by: 'buyer', do: 'accept' })).toEqual({
    ok: false,
    because: 'disputed',
  });
  expect(step({ state: 'paid', isDisputed: true, actUntil: now }, wait).ok).toBe(false);
});

it('staff give back what was released and refused, and nothing else is done about it', () => {
  const refused = { state: 'released', isRefused: true, actUntil: null } as const;
  expect(step(refused, { by: 'staff', do: 'refund' })).toMatchObject({
    change: { state: 'refunded' },
    money: 'refund',
  });
  const others: Step[] = [
    { by: 'staff', do: 'release' },
    { by: 'buyer', do: 'accept' },
    { by: 'creator', do: 'cancel' },
  ];
  for (const other of [...others, wait]) expect(step(refused, other).ok).toBe(false);
  expect(step({ ...refused, isDisputed: true }, { by: 'staff', do: 'refund' }).ok).toBe(false);
});

it('staff release or return what is held, but release nothing that was never delivered', () => {
  expect(step({ state: 'problem' }, { by: 'staff', do: 'release' })).toMatchObject({ money: 'release' });
  expect(step({ state: 'problem' }, { by: 'staff', do: 'refund' })).toMatchObject({ money: 'refund' });
  expect(step({ state: 'paid' }, { by: 'staff', do: 'release' }).ok).toBe(false);
});

it('what we close gives back what is held, and what was released for what is gone, but nothing that the bank looks at', () => {
  for (const what of ['takedown', 'suspend'] as const)
    for (const state of requestStates) {
      const closing = { by: 'system', do: what } as const;
      const end = { change: { state: 'refunded', endReason: 'decided', closedAt: now }, money: 'refund' };
      const isClosed = isHeld(state) || (what === 'takedown' && state === 'released');
      expect(step({ state }, closing)).toMatchObject(isClosed ? end : { ok: false, because: 'state' });
      expect(step({ state, isDisputed: true }, closing).ok).toBe(false);
    }
});

it('where its creator ends access to what was delivered, its money goes back', () => {
  const ending = { by: 'system', do: 'end' } as const;
  for (const state of requestStates) {
    const isOpen = state === 'delivered' || state === 'released';
    const back = { change: { state: 'refunded', endReason: 'ended' }, money: 'refund' };
    expect(step({ state }, ending)).toMatchObject(isOpen ? back : { ok: false, because: 'state' });
    expect(step({ state, isDisputed: true }, ending).ok).toBe(false);
  }
});

it('where its creator leaves, all that was paid goes back, but for what people decide about', () => {
  const leave = { by: 'system', do: 'leave' } as const;
  for (const state of ['paid', 'delivered', 'revision_requested', 'released'] as const)
    expect(step({ state }, leave)).toMatchObject({ change: { state: 'refunded', endReason: 'left' }, money: 'refund' });
  for (const state of ['requested', 'quoted'] as const)
    expect(step({ state }, leave)).toMatchObject({ change: { state: 'declined', endReason: 'left' }, money: 'none' });
  for (const state of ['problem', 'refunded', 'declined', 'expired'] as const)
    expect(step({ state }, leave).ok).toBe(false);
  expect(step({ state: 'delivered', isDisputed: true }, leave).ok).toBe(false);
});

describe('what was released', () => {
  const report = { by: 'buyer', do: 'report', reason: 'other' } as const;
  const released = { state: 'released', actUntil: null, closedAt: at(-14 * dayMs + 1), endReason: null } as const;
  const reported = { ...released, reportedAt: now, actUntil: at(5 * dayMs) };

  it('is reported once, for 14 days, and stays released when it was until we answer', () => {
    const change = { state: 'released', closedAt: released.closedAt, reportedAt: now, actUntil: at(5 * dayMs) };
    expect(step(released, report)).toMatchObject({ change, money: 'none' });
    expect(step({ ...released, closedAt: at(-14 * dayMs) }, report)).toEqual({ ok: false, because: 'over' });
    for (const more of [{ reportedAt: at(-hourMs) }, { isReturned: true }])
      expect(step({ ...released, ...more }, report)).toEqual({ ok: false, because: 'state' });
    expect(step({ ...released, isDisputed: true }, report)).toEqual({ ok: false, because: 'disputed' });
    for (const state of requestStates.filter((one) => one !== 'released'))
      expect(step({ state, closedAt: now }, report).ok).toBe(false);
  });

  it('goes back or stays by a decision of staff only where it was reported', () => {
    const [refund, decline] = [{ by: 'staff', do: 'refund' } as const, { by: 'staff', do: 'decline' } as const];
    expect(step(reported, refund)).toMatchObject({ change: { state: 'refunded', actUntil: null }, money: 'refund' });
    expect(step(reported, decline)).toMatchObject({
      change: { state: 'released', actUntil: null, closedAt: released.closedAt },
      money: 'none',
    });
    for (const answer of [refund, decline]) {
      expect(step(released, answer).ok).toBe(false);
      expect(step({ ...reported, actUntil: null }, answer).ok, 'it was answered').toBe(false);
      expect(step({ ...reported, isReturned: true }, answer).ok, 'it went back by another way').toBe(false);
    }
    expect(step({ state: 'delivered' }, decline).ok).toBe(false);
    for (const other of [wait, { by: 'staff', do: 'release' } as const]) expect(step(reported, other).ok).toBe(false);
  });
});
