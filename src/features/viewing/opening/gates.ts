import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { type Decision, decide, type Facts } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { isPassword } from '#features/accounts/password.ts';
import { hashKey, type RateAnswer, takeRate } from '#features/audit/store.ts';
import { createSemaphore, type Semaphore } from '#kit/semaphore.ts';
import type { OpenRequest } from '../contract.ts';
import type { Passed } from './admissions-store.ts';
import { noteWrongPassword } from './password-alerts.ts';
import { takePasswordTurn } from './password-store.ts';

/** Wrong passwords and codes of one browser on one link, in a quarter of an hour. */
const triesPerDevice = { limit: 5, windowSeconds: 900 };
const mostWaiting = 20;

const hashSlots = createSemaphore(2);
/** One queue per link: strangers try its password one at a time. */
const queues = new Map<string, Semaphore>();

/** What became of the gates with this call. */
export interface Judged {
  decision: Decision;
  facts: Facts;
  passed: Passed;
  /** The viewer wants this screen instead of the other one. */
  takesOver: boolean;
  wrong?: { triesLeft: number };
}

/** Too many tries: the call is answered 429. */
export interface TooMany {
  retryAfterSeconds: number;
}

/** What the call brings to the gates. */
export interface Brought {
  body: OpenRequest;
  secretHash: Buffer;
  now: Date;
  /** Passed earlier in this call, when it had to begin anew. */
  passed: Passed;
  /** Said before a wait, which must hold no place that others need. */
  waitOutside(): void;
}

/** Decides with what was typed and tapped: each gate is only looked at when it is the one that is in the way. */
export async function judge(
  engines: Engines,
  question: Question | undefined,
  brought: Brought,
): Promise<Judged | TooMany> {
  const { body } = brought;
  const link = question?.link;
  let facts = withPassed(question?.facts ?? nobodysFacts(brought.now), brought.passed);
  let decision = decide(link, facts);
  let { passed } = brought;
  const meets = (reason: string) => !decision.ok && decision.reason === reason;
  const goOn = (more: Partial<Passed>) => {
    passed = { ...passed, ...more };
    facts = withPassed(facts, passed);
    decision = decide(link, facts);
  };
  if (meets('NEED_AGE') && body.isAdult === true) goOn({ age: true });
  let wrong: Judged['wrong'];
  if (meets('NEED_PASSWORD') && body.password !== undefined && question?.password !== undefined) {
    const tried = await tryPassword(engines, question, { ...brought, typed: body.password });
    if ('retryAfterSeconds' in tried) return tried;
    if ('triesLeft' in tried) wrong = tried;
    else goOn({ passwordVersion: question.password.version });
  }
  const takesOver = meets('CONCURRENT') && body.takeOver === true;
  if (takesOver) decision = decide(link, { ...facts, concurrent: 0 });
  return { decision, facts, passed, takesOver, ...(wrong && { wrong }) };
}

const withPassed = (facts: Facts, { age, passwordVersion }: Passed): Facts => ({
  ...facts,
  passed: {
    ...facts.passed,
    age: facts.passed.age || age,
    password: facts.passed.password || passwordVersion !== undefined,
  },
});

/** For a slug that is nobody's: the decision is made over these, so that it costs what every decision costs. */
const nobodysFacts = (now: Date): Facts => ({
  now: now.getTime(),
  takenDown: false,
  viewerBlocked: false,
  creatorPaused: false,
  albumReady: false,
  passed: { age: false, password: false },
  grants: [],
  tips: [],
  fanSubs: [],
  watchedMs: 0,
  lentMs: 0,
  visits: 0,
  visitOpen: false,
  viewersKnown: 0,
  isKnownViewer: false,
  concurrent: 0,
});

/** One more try of this browser on this link. */
export async function takeTry(
  engines: Engines,
  what: 'password' | 'code',
  { about, secretHash, now }: { about: string; secretHash: Buffer; now: Date },
): Promise<RateAnswer & { triesLeft: number }> {
  const key = hashKey(engines.keys, `viewing.${what}`, `${about} ${secretHash.toString('base64url')}`);
  const rate = await engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, { key, now, ...triesPerDevice }));
  return { ...rate, triesLeft: Math.max(0, triesPerDevice.limit - rate.count) };
}

type Tried = { right: true } | { triesLeft: number } | TooMany;

async function tryPassword(
  engines: Engines,
  { linkId, creatorId, password }: Question,
  { typed, secretHash, now, waitOutside }: Omit<Brought, 'body' | 'passed'> & { typed: string },
): Promise<Tried> {
  if (password === undefined) return { right: true };
  const { version, hash } = password;
  const taken = await takeTry(engines, 'password', { about: linkId, secretHash, now });
  if (taken.isOver) return { retryAfterSeconds: taken.retryAfterSeconds };
  waitOutside();
  const queue = queues.get(linkId) ?? createSemaphore(1);
  queues.set(linkId, queue);
  const isRight = await queue.tryRun(async () => {
    const at = await takePasswordTurn(engines.database, { linkId, version, now });
    if (at === undefined) return undefined;
    await pause(Math.max(0, at.getTime() - now.getTime()));
    return hashSlots.run(() => isPassword(typed, hash));
  }, mostWaiting);
  if (queue.isFree()) queues.delete(linkId);
  if (isRight === undefined) return { retryAfterSeconds: 100 };
  if (isRight) return { right: true };
  await noteWrongPassword(engines, { linkId, creatorId, version, now });
  return { triesLeft: taken.triesLeft };
}

/** A code as it is stored. */
export const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest();
