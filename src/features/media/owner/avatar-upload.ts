import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openWalls } from '#engines/children/walls.ts';
import type { Engines } from '#engines/engines.ts';
import { openOnce } from '#engines/once.ts';
import { saveAvatar } from '#features/accounts/saving-avatars.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { settingRules } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { openPlaces, type Places } from '#kit/places.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import type { RefusalCode } from '#wire/refusals.ts';
import { type AvatarDecoder, type AvatarOutcome, openAvatarDecoder } from '../decoding/avatar-decoder.ts';
import type { PhotoFailure, PhotoLimits } from '../formats/photo-shapes.ts';
import { photoLimitsOf } from '../photo-limits.ts';
import { failTextOf } from '../to-api.ts';
import { type ReceivedFile, receiveFile } from './received-file.ts';

/** Tries of one person in ten minutes. */
const tries = { limit: 20, windowSeconds: 600 };
/** Files of one person and of one network that may be on their way at once: they lie on the disk. */
const arrivingLimits = { most: 64, mostOf: { person: 2, network: 16 } };
/** Files that may be in memory at once, in work and waiting for it. Only a whole one takes such a place. */
const workLimits = { most: 4, mostOf: { person: 1, network: 2 } };
/** How long a whole file waits for a place, and how often it looks. */
const [patienceMs, lookMs] = [10_000, 100];

/**
 * PUT /api/profile/avatar: a file as the body becomes one's picture, replacing the one before. It is read where every photo is
 * read, in a walled child, and nothing of the file itself is kept.
 */
export async function mountAvatarUpload(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const { engines, contextOf } = mounting;
  const decoder = lendDecoder(engines, app);
  const known = new WeakMap<FastifyRequest, Holder>();
  const arriving = openPlaces(arrivingLimits);
  const working = openPlaces(workLimits);
  /** Who has gone while it was looked up who they are will not close again, and would keep a place for ever. */
  const letArrive = (holder: Holder, { raw }: FastifyReply): boolean => {
    const leave = raw.destroyed ? undefined : arriving.take(holder);
    if (leave !== undefined) raw.once('close', leave);
    return leave !== undefined;
  };
  /** Whoever may not is told so before a byte of the file is read. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request, reply);
    const actor = await context.actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    if (actor.access.isStopped) return sayRefusal(reply, 'FORBIDDEN');
    if (!actor.access.isEmailConfirmed) return sayRefusal(reply, 'EMAIL_UNCONFIRMED');
    const { fileBytes } = await limitsOf(engines);
    if (Number(request.headers['content-length'] ?? 0) > fileBytes) return sayTooBig(engines, reply);
    const key = hashKey(engines.keys, 'avatar', actor.userId);
    const rate = await context.asSystem((tx) => takeRate(tx, { key, ...tries, now: context.now }));
    if (rate.isOver)
      return sayRefusal(reply, 'RATE_LIMITED', {
        retryAfter: rate.retryAfterSeconds,
        message: 'Too many pictures. Please wait a few minutes.',
      });
    const holder = { person: actor.userId, network: networkOf(request.ip) };
    if (!letArrive(holder, reply)) return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 5 });
    known.set(request, holder);
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The bytes are read by the handler, as they come.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const config = { who: ['creator', 'admin'], subject: 'none', isUpload: true } as const;
    const bodyLimit = settingRules['limits.avatarBytes'].max;
    scope.put('/api/profile/avatar', { config, bodyLimit, onRequest: admit }, async (request, reply) => {
      const holder = known.get(request);
      if (holder === undefined) return sayRefusal(reply, 'VALIDATION', { message: 'Choose a photo.' });
      const limits = await limitsOf(engines);
      const file = await receive(request, limits.fileBytes);
      if (file === 'broken') return sayRefusal(reply, 'VALIDATION');
      if (file === undefined) return sayTooBig(engines, reply);
      return turnIntoAvatar(request, reply, { holder, file, limits }).finally(file.close);
    });
  });

  /** Waits for a place, and only then takes the file into memory. */
  async function turnIntoAvatar(request: FastifyRequest, reply: FastifyReply, { holder, file, limits }: Arrived) {
    if (file.sizeBytes === 0) return sayRefusal(reply, 'VALIDATION', { message: 'Choose a photo.' });
    const leave = await waitForPlace(working, holder, reply);
    if (leave === undefined) return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 5 });
    const make = async () => (await decoder()).make(await file.read(), limits);
    return answer(engines, reply, { userId: holder.person, requestId: request.id }, await make().finally(leave));
  }
}

/** A file that is whole, and whose it is. */
interface Arrived {
  holder: Holder;
  file: ReceivedFile;
  limits: PhotoLimits;
}

/** @returns the whole file; undefined when it is too large, `broken` when its sender has gone and nobody hears the answer */
const receive = ({ raw }: FastifyRequest, mostBytes: number) =>
  receiveFile(raw, mostBytes).catch((error: unknown) => {
    if (!raw.errored) throw error;
    return 'broken' as const;
  });

/** Whose file it is, and from where it comes. */
interface Holder extends Record<string, string> {
  person: string;
  network: string;
}

/** @returns how to give the place back; undefined when there was none in time, or the sender has gone */
async function waitForPlace(places: Places, holder: Holder, { raw }: FastifyReply): Promise<(() => void) | undefined> {
  for (let waitedMs = 0; waitedMs <= patienceMs && !raw.destroyed; waitedMs += lookMs) {
    const leave = places.take(holder);
    if (leave !== undefined) return leave;
    await pause(lookMs);
  }
  return undefined;
}

async function answer(
  engines: Engines,
  reply: FastifyReply,
  { userId, requestId }: { userId: string; requestId: string },
  outcome: AvatarOutcome,
): Promise<FastifyReply> {
  if (outcome.outcome === 'made')
    return reply.send({ url: await saveAvatar(engines, userId, outcome.pictures, requestId) });
  engines.log.info({ requestId, code: outcome.code, words: outcome.words }, 'an avatar was refused');
  if (outcome.code === 'TOO_BIG') return sayTooBig(engines, reply);
  if (outcome.code === 'TIMEOUT') return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 60 });
  return sayRefusal(reply, refusalFor[outcome.code], { message: failTextOf(outcome.code) ?? '' });
}

const refusalFor: Record<Exclude<PhotoFailure, 'TOO_BIG'>, RefusalCode> = {
  UNSUPPORTED: 'UNSUPPORTED_MEDIA',
  CORRUPT: 'VALIDATION',
};

/** What a person photographs themselves with; larger ones would only keep the others waiting. */
async function limitsOf(engines: Engines): Promise<PhotoLimits> {
  const settings = await settingsOf(engines);
  const limits = photoLimitsOf(settings);
  const most = (pixels: number) => Math.min(50e6, pixels);
  return {
    ...limits,
    fileBytes: settings['limits.avatarBytes'],
    pixels: most(limits.pixels),
    heicPixels: most(limits.heicPixels),
    avifPixels: most(limits.avifPixels),
  };
}

async function sayTooBig(engines: Engines, reply: FastifyReply): Promise<FastifyReply> {
  const { fileBytes, pixels } = await limitsOf(engines);
  return sayRefusal(reply, 'FILE_TOO_BIG', {
    message: `This picture can be up to ${fileBytes / 1e6} MB and ${pixels / 1e6} megapixels.`,
  });
}

/** The decoder comes with the first file and ends with the server. */
function lendDecoder({ installation, log }: Engines, app: FastifyInstance): () => Promise<AvatarDecoder> {
  const decoder = openOnce(async () => {
    const { dataDir, backupDir } = installation;
    const walls = await openWalls({ hidden: backupDir === undefined ? [dataDir] : [dataDir, backupDir] });
    log.info({ wall: walls.wall.name }, 'avatars are decoded behind this wall');
    return openAvatarDecoder(walls);
  });
  app.addHook('onClose', async () => (await decoder.opened())?.close());
  return decoder;
}
