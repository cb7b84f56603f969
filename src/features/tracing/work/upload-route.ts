import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { creationOf, findMade } from '#features/audit/creations.ts';
import type { Creation } from '#features/audit/creations-store.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { settingRules } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { openPlaces } from '#kit/places.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorRefusal } from '#wire/answer.ts';
import type { Actor, Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import type { TraceBilling } from '../paying.ts';
import { findTrace, isOwnAlbum } from '../store.ts';
import { takeCopy } from '../take-copy.ts';

/** Copies of one creator in an hour, and in a day: they are no part of the storage that a plan counts. */
const rates = [
  { name: 'trace', limit: 30, windowSeconds: 3600, words: 'an hour' },
  { name: 'trace-day', limit: 50, windowSeconds: 86_400, words: 'a day' },
] as const;
/** Large ones are clips, and take as much room as ten photos. */
const clipRate = { name: 'trace-clip', limit: 10, windowSeconds: 86_400, words: 'a day' } as const;
/** Copies of one creator that may be on their way at once. */
const mostOfOne = 2;
/** Of everybody: they go to the store as they come, so what one holds is a line to it. */
const arrivingLimits = { most: 64, mostOf: { network: 16 } };

/** `credits`: the price that its sender has read and agrees to. */
const Query = z.object({
  albumId: Uuid.optional(),
  with: Uuid.optional(),
  credits: z.coerce.number().int().min(1).max(100_000).optional(),
});

/** Who submits a copy, and what it shall be compared with. */
interface Admitted {
  actor: Extract<Actor, { userId: string }>;
  albumId: string | undefined;
  /** Another copy of the same leak. */
  withId: string | undefined;
  sizeBytes: number;
  agreed: number | undefined;
  creation: Creation | undefined;
}

/**
 * POST /api/traces: a leaked copy as the body, compared with the photos and videos of `?albumId=`, or with all of theirs, and
 * weighed together with another copy of the same leak, `?with=`. Sent again with its key, it answers with the trace it has made. The bytes go encrypted
 * into storage as they come; what they are is found out later by a walled child.
 */
export async function mountTraceUpload(
  app: FastifyInstance,
  { engines, contextOf }: Mounting,
  billing: TraceBilling,
): Promise<void> {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const takePlace = openCopyPlaces();
  /** Whoever may not is told so before a byte of the file is read. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request, reply);
    const actor = await context.actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const no = creatorRefusal(actor.access);
    if (no !== undefined) return sayRefusal(reply, no);
    const params = await readUploadParams(engines, request, actor.userId);
    if (typeof params === 'string') return sayRefusal(reply, params, { message: paramsFaults[params] });
    if (params.sizeBytes > (await mostBytes(engines))) return sayTooBig(engines, reply);
    const { userId } = actor;
    const { agreed, ...copy } = params;
    // Who agrees to a price sends the same copy.
    const creation = creationOf(context, userId, 'traces', copy);
    // Submitted before by a sender who did not hear the answer: nothing is read, compared or counted twice.
    const made = creation && (await engines.database.work({ kind: 'user', userId }, (tx) => findMade(tx, creation)));
    if (made !== undefined) return reply.code(201).send({ traceId: made });
    const full =
      (await billing.refuse(engines, { creatorId: userId, agreed })) ??
      takePlace(userId, request, reply) ??
      (await takeRates(engines, context, userId, params.sizeBytes));
    if (full !== undefined) return sayRefusal(reply, full.code, full.data);
    admitted.set(request, { actor, creation, ...params });
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The bytes are read by the handler, as they come.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const config = { who: ['creator', 'admin'], subject: 'album', isUpload: true } as const;
    const bodyLimit = settingRules['limits.clipBytes'].max;
    scope.post('/api/traces', { config, bodyLimit, onRequest: admit }, async (request, reply) => {
      const known = admitted.get(request);
      if (known === undefined) return sayRefusal(reply, 'VALIDATION');
      const { actor, agreed, ...params } = known;
      const { userId: creatorId } = actor;
      const pay = (tx: Tx, traceId: string) => billing.pay(tx, engines, { creatorId, agreed, traceId });
      try {
        const copy = { ...params, creatorId, bytes: request.raw, requestId: request.id, pay };
        const traceId = await takeCopy(engines, copy);
        return reply.code(201).send({ traceId });
      } catch (error) {
        if (!request.raw.errored) throw error;
        return sayRefusal(reply, 'VALIDATION'); // the sender has gone, and nobody hears it
      }
    });
  });
}

/** The places of copies on their way. @returns what gives a copy one until its answer has gone, or says the refusal when there is none */
function openCopyPlaces() {
  const ofCreators = openPlaces({ most: Number.POSITIVE_INFINITY, mostOf: { creator: mostOfOne } });
  const arriving = openPlaces(arrivingLimits);
  return (creator: string, { ip }: FastifyRequest, { raw }: FastifyReply) => {
    const message = `${mostOfOne} copies are already uploading. Please wait until one has finished.`;
    const leaveOwn = ofCreators.take({ creator });
    if (leaveOwn === undefined) return { code: 'RATE_LIMITED', data: { retryAfter: 5, message } } as const;
    // Who has gone already will not close again.
    const leave = raw.destroyed ? undefined : arriving.take({ network: networkOf(ip) });
    if (leave === undefined) leaveOwn();
    if (leave === undefined) return { code: 'UNAVAILABLE', data: { retryAfter: 5 } } as const;
    raw.once('close', leaveOwn).once('close', leave);
    return undefined;
  };
}

/** Counts a copy. @returns the refusal when there were too many */
async function takeRates(engines: Engines, { asSystem, now }: Context, userId: string, sizeBytes: number) {
  const { keys } = engines;
  const isClip = sizeBytes > (await settingsOf(engines))['limits.photoBytes'];
  for (const { name, words, ...rate } of isClip ? [...rates, clipRate] : rates) {
    const key = hashKey(keys, name, userId);
    const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, { key, ...rate, now }));
    const what = name === clipRate.name ? 'large clips' : 'copies';
    const message = `You can upload ${rate.limit} ${what} in ${words}. Please try again later.`;
    if (isOver) return { code: 'RATE_LIMITED', data: { retryAfter: retryAfterSeconds, message } } as const;
  }
  return undefined;
}

const paramsFaults = {
  VALIDATION: 'Choose a photo, a screenshot or a clip.',
  NOT_FOUND: "This album doesn't exist, or isn't yours.",
  CONFLICT: "The other copy doesn't have a result yet, so this one can't be added to it.",
};

/** What a copy shall be compared with, and how large it says it is. */
async function readUploadParams(
  { database }: Engines,
  { query, headers }: FastifyRequest,
  userId: string,
): Promise<Pick<Admitted, 'albumId' | 'withId' | 'sizeBytes' | 'agreed'> | keyof typeof paramsFaults> {
  const { data: params } = Query.safeParse(query);
  const sizeBytes = Number(headers['content-length'] ?? 0);
  if (params === undefined || !(sizeBytes > 0)) return 'VALIDATION';
  const { albumId, with: withId, credits: agreed } = params;
  return database.work({ kind: 'user', userId }, async (tx) => {
    if (albumId !== undefined && !(await isOwnAlbum(tx, albumId))) return 'NOT_FOUND';
    const other = withId === undefined ? undefined : await findTrace(tx, withId);
    if (withId !== undefined && other === undefined) return 'NOT_FOUND';
    return other === undefined || other.state === 'done' ? { albumId, withId, sizeBytes, agreed } : 'CONFLICT';
  });
}

/** What a copy is shows when it is read: until then the larger of both limits holds. */
async function mostBytes(engines: Engines): Promise<number> {
  const settings = await settingsOf(engines);
  return Math.max(settings['limits.photoBytes'], settings['limits.clipBytes']);
}

async function sayTooBig(engines: Engines, reply: FastifyReply): Promise<FastifyReply> {
  const message = `A copy can be up to ${(await mostBytes(engines)) / 1e6} MB.`;
  return sayRefusal(reply, 'FILE_TOO_BIG', { message });
}
