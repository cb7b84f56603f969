import { expect, it } from 'vitest';
import { Policy } from '#features/links/policy.ts';
import { describeHappened } from './timeline-texts.ts';

const now = new Date('2026-11-21T12:00:00Z');

it('tells what let nobody in by how often it came', () => {
  expect(describeHappened({ kind: 'wrong_password', times: 7 }, now)).toEqual({
    title: '7 wrong passwords',
    story: 'Nobody was let in · the last one at this time',
  });
  expect(describeHappened({ kind: 'wrong_code', times: 1 }, now)).toEqual({
    title: '1 wrong code',
    story: 'Nobody was let in',
  });
  expect(describeHappened({ kind: 'programs', times: 12 }, now).story).toContain('refused 12 times');
});
it('tells money, what went back of it, and that a bank looks at it', () => {
  const paid = { kind: 'money', sold: 'album', amountCents: 1500, refundedCents: 0, currency: 'usd' } as const;
  expect(describeHappened({ ...paid, isDisputed: false }, now)).toEqual({ title: '$15.00', story: 'Paid to open it' });
  expect(describeHappened({ ...paid, refundedCents: 500, isDisputed: false }, now).story).toBe(
    'Paid to open it · $5.00 refunded',
  );
  expect(describeHappened({ ...paid, refundedCents: 1500, isDisputed: false }, now).story).toBe(
    'Paid to open it · refunded',
  );
  expect(describeHappened({ ...paid, sold: 'tip', isDisputed: true }, now).story).toBe(
    "Tip · taken to the payer's bank",
  );
});
it('tells a change of rules with whose it was, and what a creator did', () => {
  const side = (more: object) => ({ policy: Policy.parse(more), expiresAt: null });
  const version = { version: 2, at: now, by: 'creator', hasNewPassword: false, ...side({ maxVisits: 3 }) } as const;
  expect(describeHappened({ kind: 'version', version: { ...version, before: side({}) } }, now)).toEqual({
    title: 'Rules changed · you',
    story: 'Visits any number → 3',
  });
  expect(describeHappened({ kind: 'version', version: { ...version, before: null } }, now).title).toBe('Created · you');
  expect(describeHappened({ kind: 'act', act: 'revived' }, now).title).toBe('Access restored');
});
