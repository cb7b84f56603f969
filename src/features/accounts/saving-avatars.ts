import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageMissing } from '#engines/storage/storage.ts';
import { insertAudit } from '#features/audit/store.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { replaceAvatar } from './avatars/avatar-store.ts';
import {
  type Avatar,
  avatarPath,
  avatarUrl,
  forgetAvatarQueue,
  isAvatarName,
  newAvatarName,
  openAvatar,
  sealAvatar,
} from './stored-avatar.ts';

/** A picture of a person in both sizes, WebP. */
export interface AvatarPictures {
  large: Buffer;
  small: Buffer;
}

/**
 * Stores a picture and shows it from now on; the one before is removed. A crash in between leaves ciphertext whose name
 * nobody has, until the sweep finds it.
 * @returns the address of the picture
 */
export async function saveAvatar(
  { storage, database, jobs }: Engines,
  userId: string,
  { large, small }: AvatarPictures,
  requestId: string,
): Promise<string> {
  const name = newAvatarName();
  await storage.put(avatarPath(name), sealAvatar(name, large));
  await database.work({ kind: 'user', userId }, (tx) =>
    changeAvatar(tx, jobs, userId, { avatar: { name, small }, requestId }),
  );
  return avatarUrl(name);
}

/** Takes the picture of a person away in a unit of work; the job that removes its file belongs to it. */
export async function changeAvatar(
  tx: Tx,
  jobs: Engines['jobs'],
  userId: string,
  { avatar, requestId }: { avatar: Avatar | undefined; requestId?: string },
): Promise<void> {
  const before = await replaceAvatar(tx, userId, avatar);
  if (before === undefined && avatar === undefined) return;
  if (before !== undefined) await tx.asSystem((own) => jobs.send(own, forgetAvatarQueue, { path: avatarPath(before) }));
  const action = avatar === undefined ? 'account.avatar_removed' : 'account.avatar_changed';
  await insertAudit(tx, {
    actor: { type: 'creator', id: userId },
    action,
    ...(requestId !== undefined && { requestId }),
  });
}

/** Background work of pictures. */
export function declareAvatarJobs({ jobs, storage }: Engines): void {
  jobs.handle<{ path: string }>(forgetAvatarQueue, ({ path }) => storage.remove(path), { retryLimit: 12 });
}

/**
 * GET /api/avatars/:name is the picture for whoever has its name, which stands in no address that can be guessed and is asked
 * of no table: it says nothing about creators. DELETE /api/profile/avatar takes one's own away.
 */
export function mountAvatars(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  app.get('/api/avatars/:name', { config: { who: ['anybody'] } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    return isAvatarName(name) ? sendAvatar(engines, name, reply) : sayRefusal(reply, 'NOT_FOUND');
  });
  const config = { who: ['creator', 'admin'], subject: 'none' } as const;
  app.delete('/api/profile/avatar', { config }, async (request, reply) => {
    const { actor, requestId } = contextOf(request, reply);
    const who = await actor();
    if (who.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    await engines.database.work({ kind: 'user', userId: who.userId }, (tx) =>
      changeAvatar(tx, engines.jobs, who.userId, { avatar: undefined, requestId }),
    );
    return reply.send({ url: null });
  });
}

async function sendAvatar({ storage }: Engines, name: string, reply: FastifyReply): Promise<FastifyReply> {
  try {
    const picture = openAvatar(name, await storage.read(avatarPath(name)));
    // Another picture gets another name, so what was fetched once stays right.
    return reply
      .headers({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=31536000, immutable' })
      .send(picture);
  } catch (error) {
    if (error instanceof StorageMissing) return sayRefusal(reply, 'NOT_FOUND');
    throw error;
  }
}
