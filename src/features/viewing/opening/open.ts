import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsBySlug, type Question } from '#features/access/store.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { formatCount } from '#kit/text.ts';
import type { Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { OpenRequest } from '../contract.ts';
import { answerNo, answerPictures, termsOf } from '../leases/answering.ts';
import { guardStream, leaseEndsAt, showLeases } from '../leases/lending.ts';
import { codeWrong, sayNo } from '../refusals.ts';
import { showOpened } from '../to-api.ts';
import { giveViewerCookie, placeOf, readViewerCookie } from '../viewer-cookie.ts';
import type { Changes } from '../visits/change-watch.ts';
import { type Admitted, admit, keepGates, type Opener } from './admit.ts';
import { judge } from './gates.ts';
import { resume } from './resume.ts';
import { openRobotTally } from './robots.ts';
import { callerKindOf, deviceOf } from './user-agent.ts';

/** The neutral no comes no sooner than this after the call, whatever had to be looked up for it. */
const neutralMs = 30;
/** Races are lost to somebody: the facts are then read anew, this often. */
const mostRounds = 4;
const slugPattern = /^[A-Za-z0-9_-]{1,80}$/;
/** No slug is shorter than 12 letters. */
const nobodys = 'nobody';

interface Call {
  engines: Engines;
  changes: Changes;
  reply: FastifyReply;
  context: Context;
  body: OpenRequest;
  slug: string;
  opener: Opener;
  asker: Asker;
  /** Over when the neutral answer may leave. */
  earliest: Promise<unknown>;
  /** A resume code was typed and it is nobody's. */
  wrongCode: { triesLeft: number } | undefined;
}

/**
 * POST /api/view/:slug/open: the tap. Who is this, may they see it, and then one stream: the list, and keys and packs of the
 * first screen. Unknown, revoked, expired and blocked links answer strangers alike: same bytes, same headers, same time.
 */
export function mountOpen(app: FastifyInstance, { engines, contextOf }: Mounting, changes: Changes): void {
  const config = { who: ['visitor', 'viewer'] as const, subject: 'link' as const };
  const robots = openRobotTally(engines);
  app.addHook('onClose', robots.write);
  app.post<{ Params: { slug: string } }>('/api/view/:slug/open', { config }, async (request, reply) => {
    const earliest = pause(neutralMs);
    const context = contextOf(request, reply);
    const { data: body } = OpenRequest.safeParse(request.body ?? {});
    if (body === undefined) return sayRefusal(reply, 'VALIDATION');
    const slug = slugPattern.test(request.params.slug) ? request.params.slug : nobodys;
    if (callerKindOf(request.headers) === 'robot') {
      robots.note(slug, context.now);
      await earliest;
      return answerNo(reply, sayNo(undefined, { ok: false, reason: 'NOT_FOUND' }, context.now));
    }
    const { opener, wrongCode, retryAfterSeconds } = await meet(engines, context, slug, body);
    if (retryAfterSeconds !== undefined) return sayTooMany(reply, retryAfterSeconds);
    const { place, secretHash } = opener;
    const country = place.source === 'timezone' ? undefined : place.country;
    const aliveSince = await aliveSinceOf(context);
    const asker = { now: context.now, aliveSince, deviceSecretHash: secretHash, country };
    return answerOpen({ engines, changes, reply, context, body, slug, opener, asker, earliest, wrongCode });
  });
}

const sayTooMany = (reply: FastifyReply, seconds: number) =>
  sayRefusal(reply, 'RATE_LIMITED', {
    retryAfter: seconds,
    message: `Too many attempts. Please wait ${formatCount(Math.ceil(seconds), 'second')}.`,
  });

/** Who comes, and what a resume code that was typed led to. */
interface Met {
  opener: Opener;
  wrongCode?: { triesLeft: number };
  retryAfterSeconds?: number;
}

/** By the cookie, by a resume code, or as somebody new. */
async function meet(engines: Engines, context: Context, slug: string, body: OpenRequest): Promise<Met> {
  const { caller } = context;
  const known = readViewerCookie(context);
  const opener: Opener = {
    secretHash: known ?? giveViewerCookie(context),
    device: deviceOf(caller.userAgent),
    place: placeOf(engines, caller, body.timeZone),
    timeZone: body.timeZone,
    screen: body.screen,
    // Whoever says so lowers the count of this visit and nothing else: it passes the same gates and takes the same place.
    suspect: body.isDriven || callerKindOf(caller.headers) === 'driven' ? 'automation' : undefined,
  };
  if (body.resumeCode === undefined) return { opener };
  const resumed = await resume(engines, context, { slug, typed: body.resumeCode, opener, isNew: known === undefined });
  return 'secretHash' in resumed ? { opener: { ...opener, ...resumed } } : { opener, ...resumed };
}

async function answerOpen(call: Call): Promise<FastifyReply> {
  const { engines, changes, reply, context, body, slug, asker } = call;
  const { now } = context;
  let passed: Parameters<typeof judge>[2]['passed'] = { age: false, passwordVersion: undefined };
  for (let round = 0; round < mostRounds; round++) {
    const mark = changes.mark();
    const question = await findFactsBySlug(engines.database, slug, asker);
    const brought = { body, secretHash: call.opener.secretHash, now, passed, waitOutside: context.waitOutside };
    const judged = await judge(engines, question, brought);
    if ('retryAfterSeconds' in judged) return sayTooMany(reply, judged.retryAfterSeconds);
    passed = judged.passed;
    const { decision, takesOver } = judged;
    const isRefused = !decision.ok || question === undefined || call.wrongCode !== undefined;
    if (isRefused) return refuse(call, question, judged);
    if (context.isShedding('opens')) break;
    const opener = { ...call.opener, suspect: call.opener.suspect ?? (await ownLook(context, question)) };
    const terms = await termsOf(engines);
    const { firstScreen } = body;
    const admitted = await admit(engines, opener, { question, decision, passed, takesOver, firstScreen, terms, now });
    if (admitted !== undefined) return stream(call, { question, admitted, until: decision.until, terms, mark });
  }
  return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1 });
}

/** A creator who opens her own link, and an administrator, look like viewers but are not counted. */
async function ownLook({ actor }: Context, { creatorId }: Question): Promise<'own' | 'admin' | undefined> {
  const who = await actor();
  if (who.kind === 'visitor') return undefined;
  if (who.userId === creatorId) return 'own';
  return who.kind === 'admin' ? 'admin' : undefined;
}

type Judged = Exclude<Awaited<ReturnType<typeof judge>>, { retryAfterSeconds: number }>;

async function refuse(
  call: Call,
  question: Question | undefined,
  { decision, passed, wrong }: Judged,
): Promise<FastifyReply> {
  const { engines, reply, context, body, earliest, wrongCode } = call;
  if (decision.ok && wrongCode !== undefined) return answerNo(reply, codeWrong(wrongCode.triesLeft));
  if (question !== undefined && (passed.age || passed.passwordVersion !== undefined))
    await keepGates(engines, question, call.opener, passed, context.now);
  const refused = decision.ok ? ({ ok: false, reason: 'NOT_FOUND' } as const) : decision;
  const no = sayNo(question, refused, context.now, { timeZone: body.timeZone, wrong });
  if (no.refusal.reason === 'NOT_FOUND') await earliest;
  return answerNo(reply, no);
}

interface Going {
  question: Question;
  admitted: Admitted;
  until: number | undefined;
  terms: Awaited<ReturnType<typeof termsOf>>;
  mark: number;
}

async function stream({ engines, changes, reply, asker }: Call, { question, admitted, until, terms, mark }: Going) {
  const { grant, visitId, viewerId, lendings } = admitted;
  const leases = await showLeases(engines, grant, lendings, terms, {
    now: asker.now,
    expiresAt: leaseEndsAt(asker.now, terms, until),
  });
  const head = showOpened({ question, admitted, leases, terms, endsInMs: until && until - asker.now.getTime() });
  const numberOf = new Map(head.items.map(({ mediaId, n }) => [mediaId, n]));
  const pictures = lendings.map(({ pack }) => ({ n: numberOf.get(pack.mediaId) ?? 0, pack, isKeysOnly: false }));
  const ids = [question.linkId, viewerId, visitId, ...question.link.albumIds];
  const guard = guardStream(engines, changes, { visitId, ids, asker, mark });
  return answerPictures(engines, reply, { head, grant, pictures, guard });
}
