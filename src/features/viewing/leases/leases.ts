import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsOfVisit, type Question } from '#features/access/store.ts';
import { windowOf } from '#features/audit/rules.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import type { Grant } from '#features/media/codewords.ts';
import { insertLeases } from '#features/media/leases-store.ts';
import { isFullRendition } from '#features/media/rules.ts';
import { readAhead } from '#features/media/send-pictures.ts';
import type { KeyedPack } from '#features/media/stored-pack.ts';
import type { Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { LeaseRequest } from '../contract.ts';
import { decideGoing } from '../refusals.ts';
import { deviceOf, isDesktop } from '../user-agent.ts';
import { readViewerCookie } from '../viewer-cookie.ts';
import type { Changes } from '../visits/change-watch.ts';
import { answerNo, answerPictures, termsOf } from './answering.ts';
import { findPacksOfLink } from './items-store.ts';
import { noteKeyRate } from './key-rate.ts';
import { countLeasedPhotos } from './leased-time-store.ts';
import { guardStream, leaseEndsAt, lend, showLeases } from './lending.ts';

const minuteSeconds = 60;

/** What a call of an open screen brings: who it says it is. */
export const askerOf = async (context: Context, deviceSecretHash: Buffer | undefined): Promise<Asker> => ({
  now: context.now,
  realm: context.engines.payments.realm,
  aliveSince: await aliveSinceOf(context),
  deviceSecretHash,
  country: context.engines.geoip.countryOf(context.caller.address),
  isDesktop: isDesktop(deviceOf(context.caller.userAgent)),
});

/** POST /api/view/leases: keys, and packs where the browser lacks them, of what comes onto the screen. */
export function mountLeases(app: FastifyInstance, { engines, contextOf }: Mounting, changes: Changes): void {
  const config = { who: ['viewer'] as const, subject: 'visit' as const };
  app.post('/api/view/leases', { config }, async (request, reply) => {
    const context = contextOf(request, reply);
    const { now } = context;
    const { data: wanted } = LeaseRequest.safeParse(request.body);
    if (wanted === undefined) return sayRefusal(reply, 'VALIDATION');
    const { visitId, items } = wanted;
    const asker = await askerOf(context, readViewerCookie(context));
    const mark = changes.mark();
    const question = await findFactsOfVisit(engines.database, visitId, asker);
    const going = decideGoing(question, now);
    if (!going.ok) return answerNo(reply, going);
    if (context.isShedding('renewals')) return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1 });
    const { linkId, creatorId, grantId, viewer, link } = question as Question;
    const terms = await termsOf(engines);
    const grant: Grant = { grantId: grantId ?? '', creatorId, linkId };
    const { packs, tooManyUntil } = await findPacks(
      engines,
      question as Question,
      items,
      terms.fullPhotosPerMinute,
      now,
    );
    if (tooManyUntil !== undefined) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter: tooManyUntil });
    const pictures = packs.map((pack) => placeOf(items, pack));
    await readAhead(engines, pictures); // what cannot be sent is neither lent nor counted
    const lendings = lend(packs, now);
    const times = { now, expiresAt: leaseEndsAt(now, terms, going.until) };
    const rows = lendings.map(({ row }) => row);
    const time = { question: question as Question, viewBudgetMs: going.viewBudgetMs, now };
    const isUsedUp = await countLeasedPhotos(engines.database, time, rows, terms.fullPhotosPerMinute);
    if (isUsedUp !== undefined) return answerNo(reply, isUsedUp);
    await insertLeases(engines.database, { grantId: grant.grantId, creatorId, visitId }, rows, times);
    const head = {
      leases: await showLeases(engines, grant, lendings, terms, times),
      renewAfterMs: terms.renewMs,
      expiresInMs: terms.leaseMs,
    };
    const guard = guardStream(engines, changes, {
      visitId,
      ids: [linkId, viewer?.viewerId ?? '', visitId, ...link.albumIds],
      asker,
      mark,
    });
    return answerPictures(engines, reply, { head, grant, pictures, guard });
  });
}

/** Which of the items asked for a pack belongs to, and whether the browser still has it. */
function placeOf(items: LeaseRequest['items'], pack: KeyedPack) {
  const n = items.findIndex(({ mediaId, rendition }) => mediaId === pack.mediaId && rendition === pack.rendition);
  return { n, pack, isKeysOnly: items[n]?.with === 'keys' };
}

/** Reads the packs and counts full photos: nobody looks at more than one a second for long. */
async function findPacks(engines: Engines, question: Question, items: LeaseRequest['items'], limit: number, now: Date) {
  const { startsAt, leftSeconds } = windowOf(now, minuteSeconds);
  const count = items.filter(({ rendition }) => isFullRendition(rendition)).length;
  const full = { key: `viewing.full:${question.grantId}`, windowStart: startsAt, count };
  const { packs, fullPhotos } = await findPacksOfLink(engines.database, question.linkId, items, full);
  if (fullPhotos <= limit) return { packs, tooManyUntil: undefined };
  if (fullPhotos - count <= limit) await noteKeyRate(engines, question, { fullPhotos }, now);
  return { packs: [], tooManyUntil: leftSeconds };
}
