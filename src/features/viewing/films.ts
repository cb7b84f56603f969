import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { pictureSegmentSeconds, soundSegmentSeconds } from '#engines/video/plan.ts';
import { type Asker, findFactsOfVisit, type Question } from '#features/access/store.ts';
import { windowOf } from '#features/audit/rules.ts';
import { codewordsOf, type Grant } from '#features/media/codewords.ts';
import { segmentKeysOf } from '#features/media/keys.ts';
import { signLease } from '#features/media/lease-token.ts';
import { insertLeases } from '#features/media/leases-store.ts';
import { packIdBytes } from '#features/media/pack-shelf.ts';
import { type PlayedTrack, writeMainPlaylist, writeTrackPlaylist } from '#features/media/playlist.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { sendCompressed } from '#wire/compressed.ts';
import type { Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { refuse } from '#wire/refusals.ts';
import { answerNo, termsOf } from './answering.ts';
import type { FilmKeysRequest, FilmLease } from './contract.ts';
import { findFilmOfLink, findTracksOfLink, type KeyedTrack } from './films-store.ts';
import { noteKeyRate } from './key-rate.ts';
import { askerOf } from './leases.ts';
import { leaseEndsAt } from './lending.ts';
import { countSecondsLent } from './lent-store.ts';
import { decideGoing, type No } from './refusing.ts';
import { readViewerCookie } from './visitor.ts';

const minuteSeconds = 60;

const grantOf = ({ grantId, creatorId, linkId }: Question): Grant => ({ grantId: grantId ?? '', creatorId, linkId });

/**
 * GET /api/view/films/:visitId/:mediaId/:playlist: what a player has to know to play a film, made for one grant. It holds no
 * key and gives no right to a byte; nobody else can use it, and nobody keeps it.
 */
export function mountFilms(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['viewer'] as const, subject: 'visit' as const };
  const options = { config, exposeHeadRoute: false };
  app.get<{ Params: { visitId: string; mediaId: string; playlist: string } }>(
    '/api/view/films/:visitId/:mediaId/:playlist',
    options,
    async (request, reply) => {
      const context = contextOf(request, reply);
      const { visitId, mediaId, playlist } = request.params;
      if (!isUuid(visitId) || !isUuid(mediaId)) return sayRefusal(reply, 'NOT_FOUND');
      const asker = askerOf(context, readViewerCookie(context));
      const question = await findFactsOfVisit(engines.database, visitId, asker);
      const going = decideGoing(question, context.now);
      if (!going.ok) return answerNo(reply, going);
      const { linkId } = question as Question;
      const tracks = await findFilmOfLink(engines.database, linkId, mediaId);
      const text = await writePlaylist(engines, grantOf(question as Question), { mediaId, tracks, playlist });
      if (text === undefined) return sayRefusal(reply, 'NOT_FOUND');
      reply.header('cache-control', 'no-store').type('application/vnd.apple.mpegurl');
      // Of an hour it is half a megabyte, and nearly every line says the same.
      return sendCompressed(request, reply, text);
    },
  );
}

async function writePlaylist(
  engines: Engines,
  grant: Grant,
  { mediaId, tracks, playlist }: { mediaId: string; tracks: readonly PlayedTrack[]; playlist: string },
): Promise<string | undefined> {
  if (tracks.length === 0) return undefined;
  if (playlist === 'main.m3u8') return writeMainPlaylist(tracks);
  const wanted = tracks.find(({ track }) => playlist === `${track}.m3u8`);
  return (
    wanted && writeTrackPlaylist(wanted, await bitsOf(engines, grant, mediaId, wanted.track, wanted.durationsUs.length))
  );
}

/** Sound has one variant. */
const bitsOf = async (engines: Engines, grant: Grant, mediaId: string, track: KeyedTrack['track'], segments: number) =>
  track === 'audio' ? new Uint8Array(segments) : codewordsOf(engines).segmentsOf(grant, mediaId, segments);

/** Keys of some seconds of a film. */
export interface LentSegments {
  leases: FilmLease[];
  expiresInMs: number;
}

/**
 * Lends the keys of some seconds of a film: the facts anew, the lease written down, then exactly the variants that this
 * grant's codeword names.
 * @throws NOT_FOUND for a film that the link does not show, RATE_LIMITED for one who takes keys faster than anybody looks
 * @returns the refusal when access has ended
 */
export async function lendSegments(
  { engines, isShedding }: Pick<Context, 'engines' | 'isShedding'>,
  wanted: FilmKeysRequest,
  asker: Asker,
): Promise<LentSegments | No> {
  const { visitId, mediaId } = wanted;
  const { now } = asker;
  const question = await findFactsOfVisit(engines.database, visitId, asker);
  const going = decideGoing(question, now);
  if (!going.ok) return going;
  if (isShedding('renewals')) throw refuse('UNAVAILABLE', { retryAfter: 1 });
  const terms = await termsOf(engines);
  const grant = grantOf(question as Question);
  const tracks = await findTracks(engines, grant, wanted, { limit: terms.filmSecondsPerMinute, now });
  const expiresAt = leaseEndsAt(now, terms, going.until);
  const lent = wanted.tracks.flatMap((part) => {
    const track = tracks.find((each) => each.track === part.track);
    const count = Math.min(part.count, (track?.segments ?? 0) - part.from);
    return track === undefined || count <= 0
      ? []
      : [{ ...track, from: part.from, count, leaseId: newId(now.getTime()) }];
  });
  const rows = lent.map(({ leaseId, track, id }) => ({ leaseId, mediaId, rendition: track, packId: id }));
  const time = { question: question as Question, viewBudgetMs: going.viewBudgetMs, now };
  const isUsedUp = await countSecondsLent(engines.database, time, secondsOf(lent), terms.filmSecondsPerMinute);
  if (isUsedUp !== undefined) return isUsedUp;
  const holder = { grantId: grant.grantId, creatorId: grant.creatorId, visitId };
  await insertLeases(engines.database, holder, rows, { now, expiresAt });
  const leases = await Promise.all(lent.map((part) => showLease(engines, grant, { ...part, mediaId, expiresAt })));
  return { leases, expiresInMs: expiresAt.getTime() - now.getTime() };
}

/** Reads the film and counts what is asked for: nobody watches several times as fast as time goes by. */
async function findTracks(
  engines: Engines,
  grant: Grant,
  { mediaId, tracks: parts }: FilmKeysRequest,
  { limit, now }: { limit: number; now: Date },
): Promise<KeyedTrack[]> {
  const { startsAt, leftSeconds } = windowOf(now, minuteSeconds);
  const count = secondsOf(parts);
  const seconds = { key: `viewing.film:${grant.grantId}`, windowStart: startsAt, count };
  const { tracks, filmSeconds } = await findTracksOfLink(engines.database, grant.linkId ?? '', mediaId, seconds);
  if (tracks.length === 0) throw refuse('NOT_FOUND');
  if (filmSeconds <= limit) return tracks;
  if (filmSeconds - count <= limit) await noteKeyRate(engines, grant, { filmSeconds });
  throw refuse('RATE_LIMITED', { retryAfter: leftSeconds });
}

/** Seconds of film that are asked for or lent: picture and sound of the same seconds are heard and seen together. */
function secondsOf(parts: readonly { track: string; count: number }[]): number {
  const all = (isSound: boolean) => parts.filter(({ track }) => (track === 'audio') === isSound);
  const sum = (some: typeof parts) => some.reduce((total, { count }) => total + count, 0);
  return Math.max(pictureSegmentSeconds * sum(all(false)), soundSegmentSeconds * sum(all(true)));
}

interface Lent extends KeyedTrack {
  leaseId: string;
  mediaId: string;
  from: number;
  count: number;
  expiresAt: Date;
}

async function showLease(
  engines: Engines,
  grant: Grant,
  { id, leaseId, mediaId, track, segments, keyId, wrapped, from, count, expiresAt }: Lent,
): Promise<FilmLease> {
  const bits = await bitsOf(engines, grant, mediaId, track, segments);
  const mediaKey = unwrapKey(engines.keys, mediaId, { keyId, wrapped });
  const keys = segmentKeysOf(mediaKey, packIdBytes(id), track, bits.subarray(from, from + count), from);
  const token = signLease(engines.keys, { leaseId, packId: id, grantId: grant.grantId }, expiresAt);
  return { leaseId, track, packId: id, token, from, keys: keys.toString('base64url') };
}
