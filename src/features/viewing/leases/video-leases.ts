import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsOfVisit, type Question } from '#features/access/store.ts';
import { windowOf } from '#features/audit/rules.ts';
import type { Grant } from '#features/media/codewords.ts';
import type { VideoLeases } from '#features/media/contract.ts';
import { insertLeases } from '#features/media/leases-store.ts';
import {
  type KeyedTrack,
  leaseRowOf,
  pickSegments,
  secondsOf,
  showVideoLease,
  writeVideoPlaylist,
} from '#features/media/video-lending.ts';
import { isUuid } from '#kit/ids.ts';
import { sendCompressed } from '#wire/compressed.ts';
import type { Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { refuse } from '#wire/refusals.ts';
import type { VideoKeysRequest } from '../contract.ts';
import { decideGoing, type No } from '../refusals.ts';
import { readViewerCookie } from '../viewer-cookie.ts';
import { answerNo, termsOf } from './answering.ts';
import { noteKeyRate } from './key-rate.ts';
import { countLeasedSeconds } from './leased-time-store.ts';
import { askerOf } from './leases.ts';
import { leaseEndsAt } from './lending.ts';
import { findTracksOfLink, findVideoOfLink } from './videos-store.ts';

const minuteSeconds = 60;

const grantOf = ({ grantId, creatorId, linkId }: Question): Grant => ({ grantId: grantId ?? '', creatorId, linkId });

/**
 * GET /api/view/videos/:visitId/:mediaId/:playlist: what a player has to know to play a video, made for one grant. It holds no
 * key and gives no right to a byte; nobody else can use it, and nobody keeps it.
 */
export function mountVideos(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['viewer'] as const, subject: 'visit' as const };
  const options = { config, exposeHeadRoute: false };
  app.get<{ Params: { visitId: string; mediaId: string; playlist: string } }>(
    '/api/view/videos/:visitId/:mediaId/:playlist',
    options,
    async (request, reply) => {
      const context = contextOf(request, reply);
      const { visitId, mediaId, playlist } = request.params;
      if (!isUuid(visitId) || !isUuid(mediaId)) return sayRefusal(reply, 'NOT_FOUND');
      const asker = await askerOf(context, readViewerCookie(context));
      const question = await findFactsOfVisit(engines.database, visitId, asker);
      const going = decideGoing(question, context.now);
      if (!going.ok) return answerNo(reply, going);
      const { linkId } = question as Question;
      const tracks = await findVideoOfLink(engines.database, linkId, mediaId);
      const text = await writeVideoPlaylist(engines, grantOf(question as Question), { mediaId, tracks, playlist });
      if (text === undefined) return sayRefusal(reply, 'NOT_FOUND');
      reply.header('cache-control', 'no-store').type('application/vnd.apple.mpegurl');
      // Of an hour it is half a megabyte, and nearly every line says the same.
      return sendCompressed(request, reply, text);
    },
  );
}

/**
 * Lends the keys of some seconds of a video: the facts again, the lease written down, then exactly the variants that this
 * grant's codeword names.
 * @throws NOT_FOUND for a video that the link does not show, RATE_LIMITED for one who takes keys faster than anybody looks
 * @returns the refusal when access has ended
 */
export async function lendSegments(
  { engines, isShedding }: Pick<Context, 'engines' | 'isShedding'>,
  wanted: VideoKeysRequest,
  asker: Asker,
): Promise<VideoLeases | No> {
  const { visitId, mediaId } = wanted;
  const { now } = asker;
  const question = await findFactsOfVisit(engines.database, visitId, asker);
  const going = decideGoing(question, now);
  if (!going.ok) return going;
  if (isShedding('renewals')) throw refuse('UNAVAILABLE', { retryAfter: 1 });
  const terms = await termsOf(engines);
  const grant = grantOf(question as Question);
  const tracks = await findTracks(engines, question as Question, wanted, { limit: terms.videoSecondsPerMinute, now });
  const expiresAt = leaseEndsAt(now, terms, going.until);
  const lent = pickSegments(mediaId, tracks, wanted.tracks, now);
  const time = { question: question as Question, viewBudgetMs: going.viewBudgetMs, now };
  const isUsedUp = await countLeasedSeconds(engines.database, time, secondsOf(lent), terms.videoSecondsPerMinute);
  if (isUsedUp !== undefined) return isUsedUp;
  const holder = { grantId: grant.grantId, creatorId: grant.creatorId, visitId };
  await insertLeases(engines.database, holder, lent.map(leaseRowOf), { now, expiresAt });
  const leases = await Promise.all(lent.map((part) => showVideoLease(engines, grant, part, expiresAt)));
  return { leases, expiresInMs: expiresAt.getTime() - now.getTime() };
}

/** Reads the video and counts what is asked for: nobody watches several times as fast as time goes by. */
async function findTracks(
  engines: Engines,
  question: Question,
  { mediaId, tracks: parts }: VideoKeysRequest,
  { limit, now }: { limit: number; now: Date },
): Promise<KeyedTrack[]> {
  const { startsAt, leftSeconds } = windowOf(now, minuteSeconds);
  const count = secondsOf(parts);
  const seconds = { key: `viewing.video:${question.grantId}`, windowStart: startsAt, count };
  const { tracks, videoSeconds } = await findTracksOfLink(engines.database, question.linkId, mediaId, seconds);
  if (tracks.length === 0) throw refuse('NOT_FOUND');
  if (videoSeconds <= limit) return tracks;
  if (videoSeconds - count <= limit) await noteKeyRate(engines, question, { filmSeconds: videoSeconds }, now);
  throw refuse('RATE_LIMITED', { retryAfter: leftSeconds });
}
