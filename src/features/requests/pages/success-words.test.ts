import { expect, test } from 'vitest';
import { type FollowedRequest, PaidRequest } from '../contract.ts';
import { formatDay } from './request-texts.ts';
import { unknown, wordsOf } from './success-words.ts';

const dueAt = new Date('2026-05-03T12:00:00Z');
type State = PaidRequest['state'];

/** What each state is called, and what of the payment stands with it. */
const reported: { [Name in State]: { title: string; text: RegExp; facts: string } } = {
  paid: {
    title: 'Paid and held until delivery',
    text: /Mia.* starts now\. If nothing is delivered, you get all of it back automatically\.$/,
    facts: `$40.00 · Due ${formatDay(dueAt)} · Reference R-1`,
  },
  done: { title: 'Your request is paid', text: /It has gone on since then/, facts: '$40.00 · Reference R-1' },
  disputed: { title: 'With your bank', text: /Nothing moves until it has decided/, facts: '$40.00 · Reference R-1' },
  processing: { title: 'Your bank is taking longer', text: /We'll email you/, facts: 'Reference R-1' },
  failed: { title: "This payment didn't go through", text: /^Nothing was charged\.$/, facts: 'Reference R-1' },
  returned: { title: 'This payment was returned', text: /^\$40\.00 went back to your card/, facts: 'Reference R-1' },
  unknown: { title: 'Check your email', text: /We don't know this request/, facts: '' },
};
const states = PaidRequest.shape.state.options;

const paidAs = (state: State, more: Partial<PaidRequest> = {}): PaidRequest => ({
  state,
  reference: 'R-1',
  creatorName: 'Mia',
  amountCents: 4000,
  currency: 'usd',
  email: 'b•••@example.com',
  dueAt,
  path: '/request/code',
  isSandbox: false,
  statementDescriptor: 'QUIET SHOP',
  ...more,
});
const wordsOfState = (state: State, more: Partial<PaidRequest> = {}) =>
  wordsOf({ paid: paidAs(state, more), sent: undefined, isOver: true });

test.each(states)('a payment that is %s is told so, with the way to its request', (state) => {
  const { title, text, facts } = reported[state];
  const words = wordsOfState(state);
  expect(words).toMatchObject({ title, text: expect.stringMatching(text) });
  expect(words?.facts.join(' · ')).toBe(facts);
  expect(words?.path).toBe(state === 'unknown' ? undefined : '/request/code');
  expect(words?.isUnknown).toBe(state === 'unknown' ? true : undefined);
});

test('each state has words of its own', () => {
  expect(new Set(states.map((state) => wordsOfState(state)?.title)).size).toBe(states.length);
});

test('that a bank takes longer is said once the page no longer asks', () => {
  for (const state of states) {
    const words = wordsOf({ paid: paidAs(state), sent: undefined, isOver: false });
    expect(words, state).toEqual(state === 'processing' ? undefined : wordsOfState(state));
  }
});

test('a payment of a test is said to be none, and another one what the statement shows', () => {
  expect(wordsOfState('paid', { isSandbox: true })?.note).toMatch(/Test payments, no real money\.$/);
  expect(wordsOfState('paid')?.note).toMatch(/b•••@example\.com .* Your card statement will show QUIET SHOP\.$/);
});

const sentAs = (state: FollowedRequest['state']): FollowedRequest => ({
  reference: 'R-1',
  title: 'A photo',
  brief: '',
  kind: 'photo',
  quantity: 1,
  lengthMinutes: null,
  wantedBy: null,
  offeredCents: 4000,
  agreedCents: null,
  statementDescriptor: 'QUIET SHOP',
  currency: 'usd',
  state,
  isCounter: false,
  actUntil: null,
  dueAt: null,
  dueDays: null,
  wasRevised: false,
  endReason: null,
  refundedCents: 0,
  at: new Date(0),
  events: [],
  isSandbox: false,
  code: 'code',
  creatorName: 'Mia',
  isYours: true,
  email: 'b•••@example.com',
  receiptPath: null,
  canOpen: false,
  reportUntil: null,
});

test('what was sent says when it is answered, and later how it stands', () => {
  const wordsOfSent = (state: FollowedRequest['state']) =>
    wordsOf({ paid: undefined, sent: sentAs(state), isOver: false });
  expect(wordsOfSent('requested')).toMatchObject({
    title: 'Request sent',
    text: expect.stringMatching(/Mia.* answers within 72 hours\. You pay only if it is accepted\.$/),
    facts: ['You offered $40.00', 'Reference R-1'],
    path: '/request/code',
    note: expect.stringContaining('b•••@example.com'),
  });
  expect(wordsOfSent('declined')).toMatchObject({ title: 'Your request', path: '/request/code' });
});

test('nothing is said before anything is known', () => {
  expect(wordsOf({ paid: undefined, sent: undefined, isOver: true })).toBeUndefined();
  expect(unknown.isUnknown).toBe(true);
});
