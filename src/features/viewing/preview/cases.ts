import type { Reason } from '#features/access/contract.ts';
import type { Question } from '#features/access/store.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import type { Unproven } from '../opening/password-proof.ts';
import type { Words } from '../refusals.ts';
import type { PreviewId, PreviewState } from './preview-contract.ts';
import {
  abroad,
  admitted,
  asked,
  beforeStart,
  expired,
  letIn,
  revoked,
  strangersEmail,
  withFacts,
  withPassed,
} from './staging.ts';

/** How one screen comes about: somebody for whom `decide` gives this reason. */
export interface Case {
  id: Exclude<PreviewId, 'OPEN' | 'CODE_WRONG'>;
  label: string;
  group: PreviewState['group'];
  /** @param calm somebody new who has passed every gate; @param now when the preview is looked at */
  stage(calm: Question, now: number): Question | undefined;
  /** What was typed before. */
  wrong?: Words['wrong'];
  unproven?: Unproven;
  /** A payment is under way at the bank. */
  waitsFor?: string;
  /** Only where the creator can be asked, or was asked. */
  asking?: 'pending';
}

const nothingPassed = { age: false, password: false, email: undefined, agreementId: undefined };
const untilPassword = { password: false, email: undefined, agreementId: undefined };
const untilEmail = { email: undefined, agreementId: undefined };

/** The creator's own words of a no are shown where these stand. */
const exampleNo = 'Not this time.';

/** Every reason of a refusal with the screens that it has, in the order in which a viewer meets them. */
export const casesByReason: Readonly<Record<Reason, readonly Case[]>> = {
  NEED_COOKIE: [
    {
      id: 'NEED_COOKIE',
      label: 'A browser that blocks cookies',
      group: 'trouble',
      stage: (calm) => withFacts(calm, { keepsCookie: false }),
    },
  ],
  NEED_AGE: [{ id: 'NEED_AGE', label: 'Age', group: 'way', stage: (calm) => withPassed(calm, nothingPassed) }],
  NEED_PASSWORD: [
    { id: 'NEED_PASSWORD', label: 'Password', group: 'way', stage: (calm) => withPassed(calm, untilPassword) },
    {
      id: 'PASSWORD_WRONG',
      label: 'A wrong password',
      group: 'trouble',
      stage: (calm) => withPassed(calm, untilPassword),
      wrong: { triesLeft: 4 },
    },
    {
      id: 'PASSWORD_LOCKED',
      label: 'Too many wrong passwords',
      group: 'trouble',
      stage: (calm) => withPassed(calm, untilPassword),
      wrong: { triesLeft: 0, waitMs: 15 * minuteMs },
    },
  ],
  NEED_EMAIL: [
    { id: 'NEED_EMAIL', label: 'Email address', group: 'way', stage: (calm) => withPassed(calm, untilEmail) },
    {
      id: 'NEED_EMAIL_CODE',
      label: 'Code from the email',
      group: 'way',
      stage: (calm) => withPassed(calm, untilEmail),
      unproven: { step: 'code', isJustSent: true },
    },
  ],
  EMAIL_NOT_ALLOWED: [
    { id: 'EMAIL_NOT_ALLOWED', label: 'An address that is not on your list', group: 'trouble', stage: strangersEmail },
  ],
  NEED_AGREEMENT: [
    {
      id: 'NEED_AGREEMENT',
      label: 'Agreement',
      group: 'way',
      stage: (calm) => withPassed(calm, { agreementId: undefined }),
    },
  ],
  NEED_APPROVAL: [{ id: 'NEED_APPROVAL', label: 'Asking for access', group: 'way', stage: (calm) => calm }],
  APPROVAL_PENDING: [
    {
      id: 'APPROVAL_PENDING',
      label: 'Waiting for your answer',
      group: 'way',
      stage: (calm) => asked(calm, { request: 'pending' }),
    },
  ],
  APPROVAL_DENIED: [
    {
      id: 'APPROVAL_DENIED',
      label: 'You said no',
      group: 'shut',
      stage: (calm) =>
        asked(calm, { request: 'denied', decisionText: exampleNo, asksAgainAt: calm.facts.now + 7 * dayMs }),
    },
  ],
  NEED_OFFER: [
    { id: 'NEED_OFFER', label: 'Price', group: 'way', stage: (calm) => calm },
    {
      id: 'OFFER_ASKED',
      label: 'Price, once you were asked',
      group: 'way',
      stage: (calm) => asked(calm, { request: 'pending' }),
      asking: 'pending',
    },
    {
      id: 'PAYMENT_WAITING',
      label: 'Payment under way',
      group: 'way',
      stage: (calm) => calm,
      waitsFor: 'preview',
    },
  ],
  CONCURRENT: [
    {
      id: 'CONCURRENT',
      label: 'Already open elsewhere',
      group: 'way',
      stage: (calm) => withFacts(letIn(calm), { isKnownViewer: true, concurrent: calm.link.policy.maxConcurrent }),
    },
  ],
  NEED_BROWSER: [
    {
      id: 'NEED_BROWSER',
      label: 'A browser that a program controls',
      group: 'trouble',
      stage: (calm) => withFacts(calm, { isProgram: true }),
    },
  ],
  NOT_YET: [{ id: 'NOT_YET', label: 'Not open yet', group: 'shut', stage: beforeStart }],
  GEO_BLOCKED: [{ id: 'GEO_BLOCKED', label: 'Not in their region', group: 'shut', stage: abroad }],
  NEED_PHONE: [
    {
      id: 'NEED_PHONE',
      label: 'On a computer',
      group: 'shut',
      stage: (calm) => withFacts(calm, { isDesktop: true }),
    },
  ],
  VIEWERS_FULL: [
    {
      id: 'VIEWERS_FULL',
      label: 'Full, for somebody you let in',
      group: 'over',
      stage: (calm) => ({ ...full(letIn(calm)), grantId: undefined }),
    },
    { id: 'FULL_FOR_STRANGER', label: 'Full, for a stranger', group: 'over', stage: (calm) => full(calm) },
  ],
  VISITS_USED: [
    {
      id: 'VISITS_USED',
      label: 'Visits used up',
      group: 'over',
      stage: (calm) => withFacts(letIn(calm), { isKnownViewer: true, visits: calm.link.policy.maxVisits ?? 0 }),
    },
  ],
  TIMED_OUT: [
    {
      id: 'TIMED_OUT',
      label: 'Their time is over',
      group: 'over',
      stage: (calm) =>
        withFacts(letIn(calm), {
          isKnownViewer: true,
          firstLookAt: calm.facts.now - (calm.link.policy.openForMs ?? 0),
        }),
    },
  ],
  TIME_USED: [
    {
      id: 'TIME_USED',
      label: 'Viewing time used up',
      group: 'over',
      stage: (calm) => withFacts(letIn(calm), { isKnownViewer: true, watchedMs: calm.link.policy.viewBudgetMs ?? 0 }),
    },
  ],
  EXPIRED: [
    {
      id: 'EXPIRED',
      label: 'Expired, for somebody who had access',
      group: 'over',
      stage: (calm) => admitted(expired(calm)),
    },
    { id: 'EXPIRED_FOR_STRANGER', label: 'Expired, for a stranger', group: 'over', stage: expired },
  ],
  REVOKED: [
    {
      id: 'REVOKED',
      label: 'Revoked, for somebody who had access',
      group: 'over',
      stage: (calm) => admitted(revoked(calm)),
    },
    { id: 'REVOKED_FOR_STRANGER', label: 'Revoked, for a stranger', group: 'over', stage: revoked },
  ],
  ON_HOLD: [
    {
      id: 'ON_HOLD',
      label: 'Their payment is disputed',
      group: 'trouble',
      stage: (calm) => withFacts(admitted(calm), { payback: 'disputed' }),
    },
  ],
  PAYMENT_RETURNED: [
    {
      id: 'PAYMENT_RETURNED',
      label: 'Their bank took the payment back',
      group: 'over',
      stage: (calm) => withFacts(admitted(calm), { payback: 'charged_back' }),
    },
  ],
  CREATOR_PAUSED: [
    {
      id: 'CREATOR_PAUSED',
      label: 'Your plan is paused',
      group: 'shut',
      stage: (calm) => withFacts(calm, { creatorPaused: true }),
    },
  ],
  ALBUM_UNAVAILABLE: [
    {
      id: 'ALBUM_UNAVAILABLE',
      label: 'Album unavailable',
      group: 'shut',
      stage: (calm) => withFacts(calm, { albumReady: false }),
    },
  ],
  TAKEN_DOWN: [
    { id: 'TAKEN_DOWN', label: 'Removed', group: 'over', stage: (calm) => withFacts(calm, { takenDown: true }) },
  ],
  VIEWER_BLOCKED: [
    {
      id: 'VIEWER_BLOCKED',
      label: 'Somebody you blocked',
      group: 'over',
      stage: (calm) => withFacts(calm, { viewerBlocked: true }),
    },
  ],
  NOT_FOUND: [{ id: 'NOT_FOUND', label: 'A mistyped address', group: 'over', stage: () => undefined }],
};

const full = (question: Question): Question => withFacts(question, { isKnownViewer: false, viewersKnown: 1000 });
