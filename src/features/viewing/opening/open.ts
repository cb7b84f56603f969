import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsBySlug, type Question } from '#features/access/store.ts';
import { networkOf } from '#features/audit/rules.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { formatCount } from '#kit/text.ts';
import type { Context } from '#wire/context.ts';
import { firstFaultOf, type Mounting, sayRefusal } from '#wire/raw.ts';
import { OpenRequest } from '../contract.ts';
import { answerNo, termsOf } from '../leases/answering.ts';
import { withRefund } from '../paying/ended-payment.ts';
import { withSale } from '../paying/sale.ts';
import { codeWrong, forPrograms, proofNo, sayNo } from '../refusals.ts';
import { addReminder, isNotYet, withReminder } from '../reminding/reminding.ts';
import { callerKindOf, isDesktop } from '../user-agent.ts';
import { certainCountryOf, type OpenersCookie, openersCookie, withoutCookie } from '../viewer-cookie.ts';
import type { Changes } from '../visits/change-watch.ts';
import type { Passed } from './admissions-store.ts';
import { type Admitting, admit, keepGates, type Opener } from './admit.ts';
import { withAgreement } from './agreement-gate.ts';
import { type DoorEvents, noteAutomation, noteRefusal, openDoorEvents } from './door-events.ts';
import { keepProvenEmail } from './email-gate.ts';
import { type Judged, judge } from './gates.ts';
import { meet } from './meet.ts';
import { comeAgain, type NetworkQueues, namedNetworkOf, waitAside } from './network-queues.ts';
import { hasPassed, isNewcomer } from './newcomers.ts';
import { stream } from './open-stream.ts';
import { ownLook } from './own-look.ts';
import { requestAccess, tooManyRequests, withdrawRequest } from './request-access.ts';
import { answerReturning, askForCookie } from './return-code.ts';
import { openRobotCount, type RobotCount } from './robots.ts';
import { settlePayment } from './settle-payment.ts';

/** The neutral no comes no sooner than this after the call, whatever had to be looked up for it. */
const neutralMs = 30;
/** Races are lost to somebody: the facts are then read again, this often. */
const mostRounds = 4;
const slugPattern = /^[A-Za-z0-9_-]{1,80}$/;
/** No slug is shorter than 12 letters. */
const nobodys = 'nobody';

interface Call {
  engines: Engines;
  robots: RobotCount;
  door: DoorEvents;
  networkQueues: NetworkQueues;
  changes: Changes;
  reply: FastifyReply;
  context: Context;
  body: OpenRequest;
  slug: string;
  opener: Opener;
  cookie: OpenersCookie;
  asker: Asker;
  /** Over when the neutral answer may leave. */
  earliest: Promise<unknown>;
  /** A resume code was typed and it is nobody's. */
  wrongCode: { triesLeft: number } | undefined;
  /** Passed with this call so far. */
  passed: Passed;
  /** Has waited among the newcomers of a network. */
  isInTurn: boolean;
  /** What this viewer was paying for was asked about. */
  hasSettled: boolean;
  /** An address was proven with this call. */
  hasProven: boolean;
}

/**
 * POST /api/view/:slug/open: the tap. Who is this, may they see it, and then one stream: the list, and keys and packs of the
 * first screen. Unknown, revoked, expired and blocked links answer strangers alike: same bytes, same headers, same time.
 */
export function mountOpen(
  app: FastifyInstance,
  { engines, contextOf }: Mounting,
  changes: Changes,
  networkQueues: NetworkQueues,
): void {
  const config = { who: ['visitor', 'viewer'] as const, subject: 'link' as const };
  const [robots, door] = [openRobotCount(engines), openDoorEvents(engines)];
  for (const { write } of [robots, door]) app.addHook('onClose', write);
  app.post<{ Params: { slug: string } }>('/api/view/:slug/open', { config }, async (request, reply) => {
    const earliest = pause(neutralMs);
    const context = contextOf(request, reply);
    const { data: body, error } = OpenRequest.safeParse(request.body ?? {});
    if (body === undefined) return sayRefusal(reply, 'VALIDATION', firstFaultOf(error));
    const slug = slugPattern.test(request.params.slug) ? request.params.slug : nobodys;
    if (callerKindOf(request.headers) === 'robot') {
      robots.note(slug, context.now);
      await earliest;
      return answerNo(reply, forPrograms);
    }
    await waitAside(context, networkQueues.slow(context.caller.address, context.now));
    const brought = openersCookie(context);
    if (body.returnEmail !== undefined)
      return answerReturning(reply, context, { slug, returnEmail: body.returnEmail, cookie: brought });
    const { opener, cookie, wrongCode, retryAfterSeconds } = await meet(engines, context, brought, slug, body);
    if (retryAfterSeconds !== undefined) return sayTooMany(reply, retryAfterSeconds);
    const { isBrought: keepsCookie } = cookie;
    if (body.resumeCode !== undefined && !keepsCookie) return askForCookie(reply, context, cookie);
    const { place, secretHash, suspect } = opener;
    const country = certainCountryOf(place);
    const aliveSince = await aliveSinceOf(context);
    const isProgram = suspect === 'automation';
    const kind = { isDesktop: isDesktop(opener.device) };
    const now = nowOf(engines);
    const { realm } = engines.payments;
    const asker = { now, realm, aliveSince, deviceSecretHash: secretHash, country, keepsCookie, isProgram, ...kind };
    const call = {
      engines,
      robots,
      door,
      networkQueues,
      changes,
      reply,
      context,
      body,
      slug,
      opener,
      cookie,
      asker,
      earliest,
      wrongCode,
    };
    return answerOpen({ ...call, ...atFirst });
  });
}

/** Nothing was passed, waited for or proven yet. */
const atFirst = {
  passed: { age: false, passwordVersion: undefined },
  isInTurn: false,
  hasSettled: false,
  hasProven: false,
};

const nowOf = ({ linkClock }: Engines) => new Date(linkClock());

const sayTooMany = (reply: FastifyReply, seconds: number) =>
  sayRefusal(reply, 'RATE_LIMITED', {
    retryAfter: seconds,
    message: `Too many attempts. Please wait ${formatCount(Math.ceil(seconds), 'second')}.`,
  });

async function answerOpen(call: Call): Promise<FastifyReply> {
  const { engines, changes, reply, context, slug, asker } = call;
  const { waitOutside, caller } = context;
  const brought = {
    ...call,
    ...asker,
    secretHash: call.opener.secretHash,
    network: networkOf(caller.address),
    waitOutside,
  };
  let { passed } = call;
  for (let round = 0; round < mostRounds; round++) {
    const mark = changes.mark();
    const question = await findFactsBySlug(engines.database, slug, asker);
    const judged = await judge(engines, question, { ...brought, passed });
    if ('retryAfterSeconds' in judged) return sayTooMany(reply, judged.retryAfterSeconds);
    const hasTyped = judged.passed.passwordVersion !== passed.passwordVersion;
    passed = judged.passed;
    const elsewhere =
      goOnLater(call, question, judged, hasTyped) ??
      waitAsNewcomer(call, question, judged) ??
      takeRequestStep(call, question, judged);
    if (elsewhere !== undefined) return elsewhere;
    if (!isIn(call, judged) || question === undefined) return refuse(call, question, judged);
    if (context.isShedding('opens')) break;
    const going = await letIn(call, question, judged);
    if (going !== undefined) return stream(call, { ...going, mark });
  }
  return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1 });
}

/** Asks the creator for access, or takes the question back. @returns undefined when this call does neither */
const takeRequestStep = (call: Call, question: Question | undefined, judged: Judged) =>
  question === undefined || judged.requestStep === undefined ? undefined : request(call, question, judged);

/** What is answered is what holds after it, so everything is decided again. */
async function request(call: Call, question: Question, { passed, requestStep }: Judged): Promise<FastifyReply> {
  const { engines, context, reply, cookie, opener, body, asker } = call;
  if (context.isShedding('opens')) return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1 });
  const { accessRequest: asked, withdrawsRequest: _, ...rest } = body;
  if (requestStep === 'withdraw' || asked === undefined) {
    await withdrawRequest(engines, question);
    return decideAnew(call, { passed, body: rest });
  }
  const network = namedNetworkOf(context.caller.address);
  const requested = await requestAccess(engines, { question, opener, passed, request: asked, network, now: asker.now });
  if (typeof requested === 'object') {
    // Strangers who ask together lock nobody out: each further one shows an address.
    const proof = { step: 'address', isForRequest: true } as const;
    if (requested.over === 'strangers') return answerNo(reply, proofNo(question, proof, asker.now));
    return sayRefusal(reply, 'RATE_LIMITED', tooManyRequests);
  }
  // Another call of this browser was quicker: what it has written is read now, and the request is sent once more.
  if (requested === 'again') return decideAnew(call, { passed });
  cookie.keep();
  return decideAnew(call, { passed, body: rest });
}

/** Writes down what was proven, and decides again: a password may have waited for its turn, and what was decided before a wait is old. */
function goOnLater(
  call: Call,
  question: Question | undefined,
  judged: Judged,
  hasTyped: boolean,
): Promise<FastifyReply> | undefined {
  const { provenEmail, passed } = judged;
  if (provenEmail !== undefined && question !== undefined) return goOnProven(call, question, judged, provenEmail);
  return hasTyped ? decideAnew(call, { passed }) : undefined;
}

/** Writes down what was proven, and decides by what is known of this browser from now on. */
async function goOnProven(
  call: Call,
  question: Question,
  { passed, decision }: Judged,
  email: string,
): Promise<FastifyReply> {
  const { engines, context, opener, cookie, asker, body } = call;
  if (isNotYet(decision)) {
    await addReminder(engines, { question, decision, browserHash: opener.secretHash, email, now: asker.now });
    cookie.keep();
    return decideAnew(call, { passed, body: { ...body, email: undefined, emailCode: undefined } });
  }
  const proven = { question, opener, email, isAdult: passed.age, now: asker.now };
  const secretHash = await keepProvenEmail(engines, context, proven);
  const isMoved = !secretHash.equals(opener.secretHash);
  if (!isMoved) cookie.keep();
  const known = { ...opener, secretHash };
  const deviceSecretHash = secretHash;
  const change = { passed, opener: known, body: { ...body, email: undefined, emailCode: undefined }, hasProven: true };
  return decideAnew(
    { ...call, asker: { ...asker, deviceSecretHash }, cookie: isMoved ? withoutCookie(cookie) : cookie },
    change,
  );
}

/** A code that is nobody's is said to be wrong, also to who would be let in without one. */
const isIn = (call: Call, judged: Judged): judged is Judged & Pick<Admitting, 'decision'> =>
  judged.decision.ok && call.wrongCode === undefined;

/** Lets in who was decided to be. @returns undefined when another call was quicker */
async function letIn(call: Call, question: Question, judged: Judged & Pick<Admitting, 'decision'>) {
  const { engines, context, opener, body, asker } = call;
  const known = { ...opener, suspect: opener.suspect ?? (await ownLook(context, question)) };
  const terms = await termsOf(engines);
  const admitted = await admit(engines, known, { ...judged, ...body, question, terms, now: asker.now });
  noteAutomation(call, question, admitted);
  return admitted && { question, admitted, until: judged.decision.until, terms };
}

/** Of the newcomers of one network one comes in after the other. @returns undefined when nobody has to wait */
function waitAsNewcomer(
  call: Call,
  question: Question | undefined,
  judged: Judged,
): Promise<FastifyReply> | FastifyReply | undefined {
  const { networkQueues, context, reply, asker } = call;
  if (call.isInTurn || !isNewcomer(question, judged)) return undefined;
  const waitMs = networkQueues.queue(context.caller.address, asker.now);
  if (waitMs === undefined) return sayRefusal(reply, 'UNAVAILABLE', comeAgain);
  if (waitMs === 0) return undefined;
  return waitAside(context, waitMs).then(() => decideAnew(call, { passed: judged.passed, isInTurn: true }));
}

const decideAnew = (call: Call, change: Partial<Call>): Promise<FastifyReply> =>
  answerOpen({ ...call, ...change, asker: { ...call.asker, now: nowOf(call.engines) } });

async function refuse(call: Call, question: Question | undefined, judged: Judged): Promise<FastifyReply> {
  const { isSettled, waitsFor } = await settlePayment(call, question, judged.decision);
  const { decision, passed, wrong, unproven } = judged;
  if (isSettled) return decideAnew(call, { passed, hasSettled: true });
  if (question !== undefined) await noteRefusal(call, question, decision);
  const { engines, robots, networkQueues, reply, context, body, slug, cookie, asker, earliest, wrongCode } = call;
  const { now } = asker;
  if (decision.ok && wrongCode !== undefined) return answerNo(reply, codeWrong(wrongCode.triesLeft));
  const isForPeople = !decision.ok && decision.reason === 'NEED_BROWSER';
  if (isForPeople) robots.note(slug, now);
  const isPast = !isForPeople && question !== undefined && hasPassed(passed);
  if (isPast) await keepGates(engines, question, call.opener, passed, now);
  cookie.offer();
  if (unproven !== undefined) return answerNo(reply, proofNo(question, unproven, now));
  const refused = decision.ok ? ({ ok: false, reason: 'NOT_FOUND' } as const) : decision;
  const said = sayNo(question, refused, now, { timeZone: body.timeZone, wrong });
  const agreement = await withAgreement(engines, question, refused, said);
  const reminding = { browserHash: call.opener.secretHash, forgets: body.forgetsReminder === true };
  const shown = await withReminder(engines, question, refused, agreement, reminding);
  const no = await withRefund(engines, question, refused, await withSale(engines, question, refused, shown, waitsFor));
  if (no.refusal.reason === 'NOT_FOUND') {
    networkQueues.miss(context.caller.address, now);
    await earliest;
  }
  return answerNo(reply, no);
}
