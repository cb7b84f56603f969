import type { Facts } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import type { Policy } from '#features/links/policy.ts';
import { minuteMs } from '#kit/time.ts';
import { nobodysFacts } from '../opening/gates.ts';

/** Not given to any country (ISO 3166-1, user-assigned). */
const nowhere = 'ZZ';

/** A country in which a link opens. */
const insideOf = ({ geo }: Policy) => (geo?.mode === 'allow' ? geo.countries[0] : nowhere);
/** A country in which it does not. */
const outsideOf = ({ geo }: Policy) => (geo?.mode === 'block' ? geo.countries[0] : nowhere);

/** An address that a link lets in. */
function allowedOf({ email }: Policy): string {
  const [first = ''] = email?.allow ?? [];
  return first === '' || first.startsWith('@') ? `name${first || '@example.com'}` : first;
}

/** No list of a creator's has it: nobody can own it (RFC 2606). */
const foreignEmail = 'name@elsewhere.invalid';

const notAsked: Question['asked'] = { request: undefined, asksAgainAt: undefined, decisionText: '' };

/** A moment at which a link has begun and is not over. */
function aliveAt({ link: { expiresAt, policy } }: Question, now: number): number {
  const opensAt = policy.notBefore === undefined ? now : Date.parse(policy.notBefore);
  return Math.max(Math.min(now, (expiresAt ?? Number.POSITIVE_INFINITY) - minuteMs), opensAt);
}

/** Somebody new who has passed every gate of a link that stands open, and has paid nothing. */
export function stageCalm(question: Question, now: number): Question {
  const { link } = question;
  const { policy } = link;
  return {
    ...question,
    viewer: undefined,
    grantId: undefined,
    visit: undefined,
    asked: notAsked,
    link: { ...link, revokedAt: undefined },
    facts: {
      ...nobodysFacts(new Date(aliveAt(question, now))),
      albumReady: true,
      country: insideOf(policy),
      passed: { age: true, password: true, email: allowedOf(policy), agreementId: policy.agreementId },
    },
  };
}

export const withFacts = (question: Question, facts: Partial<Facts>): Question => ({
  ...question,
  facts: { ...question.facts, ...facts },
});

export const withPassed = (question: Question, passed: Partial<Facts['passed']>): Question =>
  withFacts(question, { passed: { ...question.facts.passed, ...passed } });

/** Somebody who was let in before. */
export const admitted = (question: Question): Question => ({ ...question, grantId: 'preview' });

/** Somebody whom the creator has let in by hand: that meets every offer, and no limit. */
export const letIn = (question: Question): Question =>
  admitted(withFacts(question, { grants: [{ albumIds: question.link.albumIds, source: 'manual' }] }));

export const asked = (question: Question, state: Partial<Question['asked']>): Question =>
  withFacts({ ...question, asked: { ...notAsked, ...state } }, { request: state.request });

export const abroad = (question: Question): Question =>
  withFacts(question, { country: outsideOf(question.link.policy) });

export const strangersEmail = (question: Question): Question => withPassed(question, { email: foreignEmail });

export const revoked = (question: Question): Question => ({
  ...question,
  link: { ...question.link, revokedAt: question.facts.now },
});

/** The link's end is over; one without an end stays as it is. */
export const expired = (question: Question): Question =>
  withFacts(question, { now: Math.max(question.facts.now, question.link.expiresAt ?? 0) });

/** @param now when it is looked at: a start that lies ahead is as far away as it is */
export function beforeStart(question: Question, now: number): Question {
  const { notBefore } = question.link.policy;
  const opensAt = notBefore === undefined ? now : Date.parse(notBefore);
  return withFacts(question, { now: opensAt > now ? now : opensAt - exampleWaitMs });
}

/** Where a start is over, it is shown as it was so long before. */
const exampleWaitMs = 134 * minuteMs;
