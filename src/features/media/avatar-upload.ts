import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openWalls } from '#engines/children/walls.ts';
import type { Engines } from '#engines/engines.ts';
import { saveAvatar } from '#features/accounts/avatars.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { settingRules } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Actor } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import type { RefusalCode } from '#wire/refusals.ts';
import { type AvatarStudio, openAvatarStudio } from './avatar-studio.ts';
import type { PhotoFailure, PhotoLimits } from './photo-job.ts';
import { photoLimitsOf } from './photo-limits.ts';
import { failTextOf } from './show.ts';

/** Tries of one person in ten minutes. */
const tries = { limit: 20, windowSeconds: 600 };
/** Files that may be in memory at once, in work and waiting for it; of one person fewer, so that nobody slow takes all places. */
const [mostAtOnce, mostOfOne] = [4, 2];

/**
 * PUT /api/profile/avatar: a file as the body becomes one's picture, replacing the one before. It is read where every photo is
 * read, in a walled child, and nothing of the file itself is kept.
 */
export async function mountAvatarUpload(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const { engines, contextOf } = mounting;
  const studio = openOnce(engines, app);
  const known = new WeakMap<FastifyRequest, Extract<Actor, { userId: string }>>();
  const inside: string[] = [];
  /** Who has gone while it was looked up who they are will not close again, and would keep a place for ever. */
  const takePlace = (userId: string, { raw }: FastifyReply): boolean => {
    if (raw.destroyed || inside.length >= mostAtOnce) return false;
    if (inside.filter((other) => other === userId).length >= mostOfOne) return false;
    inside.push(userId);
    raw.once('close', () => inside.splice(inside.indexOf(userId), 1));
    return true;
  };
  /** Whoever may not is told so before a byte of the file is read. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request, reply);
    const actor = await context.actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    if (actor.standing.isStopped) return sayRefusal(reply, 'FORBIDDEN');
    if (!actor.standing.isEmailConfirmed) return sayRefusal(reply, 'EMAIL_UNCONFIRMED');
    const { fileBytes } = await limitsOf(engines);
    if (Number(request.headers['content-length'] ?? 0) > fileBytes) return sayTooBig(engines, reply);
    const key = hashKey(engines.keys, 'avatar', actor.userId);
    const rate = await context.asSystem((tx) => takeRate(tx, { key, ...tries, now: context.now }));
    if (rate.isOver)
      return sayRefusal(reply, 'RATE_LIMITED', {
        retryAfter: rate.retryAfterSeconds,
        message: 'Too many pictures. Please wait a few minutes.',
      });
    if (!takePlace(actor.userId, reply)) return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 5 });
    known.set(request, actor);
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const config = { who: ['creator', 'admin'], subject: 'none', isUpload: true } as const;
    const bodyLimit = settingRules['limits.avatarBytes'].max;
    scope.put('/api/profile/avatar', { config, bodyLimit, onRequest: admit }, async (request, reply) => {
      const actor = known.get(request);
      const { body } = request;
      if (actor === undefined || !Buffer.isBuffer(body) || body.length === 0)
        return sayRefusal(reply, 'VALIDATION', { message: 'Choose a photo.' });
      const limits = await limitsOf(engines);
      if (body.length > limits.fileBytes) return sayTooBig(engines, reply);
      const outcome = await (await studio()).make(body, limits);
      if (outcome.outcome === 'made')
        return reply.send({ url: await saveAvatar(engines, actor.userId, outcome.pictures, request.id) });
      engines.log.info({ requestId: request.id, code: outcome.code, words: outcome.words }, 'an avatar was refused');
      if (outcome.code === 'TOO_BIG') return sayTooBig(engines, reply);
      return sayRefusal(reply, refusalFor[outcome.code], { message: failTextOf(outcome.code) ?? '' });
    });
  });
}

const refusalFor: Record<Exclude<PhotoFailure | 'TIMEOUT', 'TOO_BIG'>, RefusalCode> = {
  UNSUPPORTED: 'UNSUPPORTED_MEDIA',
  CORRUPT: 'VALIDATION',
  TIMEOUT: 'VALIDATION',
};

/** What a person photographs herself with; larger ones would only keep the others waiting. */
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

/** The studio comes with the first file and ends with the server. */
function openOnce({ house, log }: Engines, app: FastifyInstance): () => Promise<AvatarStudio> {
  let opening: Promise<AvatarStudio> | undefined;
  app.addHook('onClose', async () => {
    await (await opening)?.close();
  });
  return () => {
    const { dataDir, backupDir } = house;
    opening ??= openWalls({ hidden: backupDir === undefined ? [dataDir] : [dataDir, backupDir] }).then((walls) => {
      log.info({ wall: walls.wall.name }, 'avatars are decoded behind this wall');
      return openAvatarStudio(walls);
    });
    return opening;
  };
}
