import { expect, it } from 'vitest';
import type { KnownPlanState } from './contract.ts';
import { describeRecomputed } from './recomputed-words.ts';

const active: KnownPlanState = {
  status: 'active',
  isPaused: false,
  trialEnd: null,
  periodEnd: new Date('2026-12-30T12:00:00Z'),
  cancelAtPeriodEnd: false,
};
const said = (before: Partial<KnownPlanState>, after: Partial<KnownPlanState> = {}) =>
  describeRecomputed({ before: { ...active, ...before }, after: { ...active, ...after } }, (day) =>
    day.toISOString().slice(0, 10),
  );

it('what the provider knew better is said, and nothing else', () => {
  expect(said({})).toBe('Nothing changed.');
  expect(said({ status: 'past_due' })).toBe('Was past due, is active.');
  expect(said({ status: null, periodEnd: null })).toBe('Was without a plan, is active. The month ends on 2026-12-30.');
  expect(said({}, { status: 'inactive', isPaused: true })).toBe('Was active, is paused.');
  expect(said({ periodEnd: new Date('2026-11-30T12:00:00Z') })).toBe(
    'The month ends on 2026-12-30, not on 2026-11-30.',
  );
  expect(said({}, { cancelAtPeriodEnd: true })).toBe('It is canceled.');
  expect(said({ cancelAtPeriodEnd: true })).toBe('It is no longer canceled.');
});

it('of a trial its own end is said, and of what is over no end of a month', () => {
  const trialEnd = new Date('2026-12-07T12:00:00Z');
  expect(said({ status: 'trialing' }, { status: 'trialing', trialEnd, periodEnd: trialEnd })).toBe(
    'The trial ends on 2026-12-07.',
  );
  expect(said({ periodEnd: trialEnd }, { status: 'inactive', periodEnd: active.periodEnd })).toBe(
    'Was active, is over.',
  );
});
