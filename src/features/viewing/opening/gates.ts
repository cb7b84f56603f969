import type { Engines } from '#engines/engines.ts';
import { type Decision, decide, type Facts } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import type { Context } from '#wire/context.ts';
import type { OpenRequest } from '../contract.ts';
import { isNotYet } from '../reminding/reminding.ts';
import type { Passed } from './admissions-store.ts';
import { meetAgreement } from './agreement-gate.ts';
import { type EmailMet, meetEmail } from './email-gate.ts';
import { meetProof, type Unproven } from './password-proof.ts';
import { findLock, type TooMany, type Trier, tryPassword, type Wrong } from './password-tries.ts';
import { canRequest, type RequestStep, requestStepOf } from './request-access.ts';

/** What became of the gates with this call. */
export interface Judged {
  decision: Decision;
  facts: Facts;
  passed: Passed;
  /** The viewer wants this screen instead of the other one. */
  takesOver: boolean;
  wrong?: Wrong;
  /** An address is to be proven: before a password is typed on, or because the link asks for one. */
  unproven?: Unproven;
  /** The creator is to be asked for access, or asked no longer. */
  requestStep?: RequestStep | undefined;
  /** An address that was proven with this call, which is not written down yet. */
  provenEmail?: string;
}

/** What the call brings to the gates. */
export interface Brought extends Trier {
  context: Context;
  body: OpenRequest;
  /** Passed earlier in this call, when it had to begin again. */
  passed: Passed;
}

/** Decides with what was typed and tapped: each gate is only looked at when it is the one that is in the way. */
export async function judge(
  engines: Engines,
  question: Question | undefined,
  brought: Brought,
): Promise<Judged | TooMany> {
  const { body } = brought;
  const link = question?.link;
  const version = question?.password?.version;
  let facts = withPassed(question?.facts ?? nobodysFacts(brought.now), brought.passed, version);
  let decision = decide(link, facts);
  let { passed } = brought;
  const meets = (reason: string) => !decision.ok && decision.reason === reason;
  const goOn = (more: Partial<Passed>) => {
    passed = { ...passed, ...more };
    facts = withPassed(facts, passed, version);
    decision = decide(link, facts);
  };
  if (meets('NEED_AGE') && body.isAdult === true) goOn({ age: true });
  let short: Pick<Judged, 'wrong' | 'unproven' | 'provenEmail'> = {};
  if (meets('NEED_PASSWORD') && question?.password !== undefined) {
    const met = await meetPassword(engines, question, brought);
    if ('retryAfterSeconds' in met) return met;
    if ('right' in met) goOn({ passwordVersion: question.password.version });
    else short = met;
  }
  short = { ...short, ...(await askAddress(engines, question, brought, decision)) };
  const agreed = await askAgreement(engines, question, brought, decision);
  if (agreed !== undefined) goOn({ agreed });
  const takesOver = meets('CONCURRENT') && body.takeOver === true;
  if (takesOver) decision = decide(link, { ...facts, concurrent: 0 });
  const asks = question !== undefined && !facts.isProgram && facts.keepsCookie;
  const requestStep = asks ? requestStepOf(decision, { ...question, facts }, body) : undefined;
  return { decision, facts, passed, takesOver, requestStep, ...short };
}

const reasonOf = (decision: Decision) => (decision.ok ? undefined : decision.reason);

/** Where the link asks for an address, or for another one than was proven; and where a request for access or a reminder takes one. */
async function askAddress(
  engines: Engines,
  question: Question | undefined,
  brought: Brought,
  decision: Decision,
): Promise<EmailMet> {
  const reason = reasonOf(decision);
  if (question === undefined) return {};
  if (reason === 'NEED_EMAIL' || reason === 'EMAIL_NOT_ALLOWED')
    return meetEmail(engines, question, brought, reason === 'EMAIL_NOT_ALLOWED');
  const { email, emailCode } = brought.body;
  const isTyped = email !== undefined || emailCode !== undefined;
  return isTyped && (isNotYet(decision) || canRequest(decision, question))
    ? meetEmail(engines, question, brought, false)
    : {};
}

/** Where the link asks to agree to a text. @returns what was agreed to */
async function askAgreement(
  engines: Engines,
  question: Question | undefined,
  { body }: Brought,
  decision: Decision,
): Promise<Passed['agreed']> {
  return reasonOf(decision) === 'NEED_AGREEMENT' ? meetAgreement(engines, question, body.agreed) : undefined;
}

type Met = { right: true } | TooMany | Pick<Judged, 'wrong' | 'unproven'>;

/** What was typed is tried; where nothing was, a browser that comes back is told of the tries it has used up. */
async function meetPassword(engines: Engines, question: Question, brought: Brought): Promise<Met> {
  const { password, linkId, facts } = question;
  if (password === undefined) return { right: true };
  const unproven = await meetProof(engines, question, brought);
  if (unproven !== undefined) return { unproven };
  const typed = brought.body.password;
  if (typed === undefined) return withWrong(facts.keepsCookie ? await findLock(engines, linkId, brought) : undefined);
  const tried = await tryPassword(engines, { ...question, password }, typed, brought);
  return 'right' in tried || 'retryAfterSeconds' in tried ? tried : withWrong(tried);
}

const withWrong = (wrong: Wrong | undefined) => (wrong === undefined ? {} : { wrong });

/** @param version of the password as it is now: another one may have been set since it was typed */
const withPassed = (facts: Facts, { age, passwordVersion, agreed }: Passed, version: number | undefined): Facts => ({
  ...facts,
  passed: {
    ...facts.passed,
    age: facts.passed.age || age,
    password: facts.passed.password || (passwordVersion !== undefined && passwordVersion === version),
    agreementId: facts.passed.agreementId ?? agreed?.agreementId,
  },
});

/** For a slug that is nobody's: the decision is made over these, so that it costs what every decision costs. */
export const nobodysFacts = (now: Date): Facts => ({
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
  keepsCookie: true,
  isProgram: false,
  isDesktop: false,
  concurrent: 0,
});
