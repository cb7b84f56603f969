import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { type Medium, mediaContract } from './contract.ts';
import { bringBack, markDeleted, noteRemovals, notifyRemovals } from './deletions-store.ts';
import { lendOwnSegments } from './owner/own-video.ts';
import { sendMedium } from './queues.ts';
import { undoMs } from './rules.ts';
import { findMedium, findMediumBySha256, findUploadOutcome, retryMedium } from './store.ts';
import { failTextOf, showMedium } from './to-api.ts';

const answer = implement(mediaContract).$context<Context>();

async function shown(tx: Tx, mediaId: string): Promise<Medium> {
  const row = await findMedium(tx, mediaId);
  if (row === undefined) throw refuse('NOT_FOUND');
  return showMedium(row);
}

const mediumStates = {
  uploaded: 'uploaded',
  scanning: 'processing',
  processing: 'processing',
  ready: 'ready',
  failed: 'failed',
  quarantined: 'failed',
  deleted: 'expired',
} as const;

export const mediaApi = answer.router({
  byUpload: answer.byUpload.use(requireSignIn).handler(({ context, input }) =>
    context.work(async (tx) => {
      const row = await findUploadOutcome(tx, input.uploadId);
      if (row === undefined) throw refuse('NOT_FOUND');
      const { medium_state, media_id, state } = row;
      if (media_id !== null && medium_state !== null)
        return {
          state: mediumStates[medium_state],
          mediaId: media_id,
          failText: failTextOf(row.medium_fail_code, row.medium_fail_text),
        };
      if (state === 'aborted' && row.fail_code !== null)
        return { state: 'failed', mediaId: null, failText: failTextOf(row.fail_code) };
      const isOver = state !== 'open' || row.expires_at <= context.now;
      return {
        state: isOver ? 'expired' : 'open',
        mediaId: null,
        failText: isOver ? 'This upload has expired. Please start again.' : null,
      };
    }),
  ),
  findSame: answer.findSame.use(requireSignIn).handler(({ context, input }) =>
    context.work(async (tx) => {
      const row = await findMediumBySha256(tx, Buffer.from(input.sha256, 'hex'));
      return { medium: row === undefined ? null : showMedium(row) };
    }),
  ),
  videoKeys: answer.videoKeys
    .use(requireSignIn)
    .handler(({ context: { engines, creator, now }, input }) => lendOwnSegments(engines, creator.userId, input, now)),
  retry: answer.retry.use(requireSignIn).handler(({ context, input }) =>
    context.work(async (tx) => {
      await shown(tx, input.mediaId);
      const medium = await retryMedium(tx, input.mediaId);
      if (medium === undefined) throw refuse('CONFLICT');
      const { mediaId } = input;
      await sendMedium(context.engines, tx, { mediaId, creatorId: context.creator.userId, kind: medium.kind });
      return shown(tx, input.mediaId);
    }),
  ),
  remove: answer.remove.use(requireSignIn).handler(({ context, input }) =>
    context.work(async (tx) => {
      await shown(tx, input.mediaId);
      const [mediaId] = await markDeleted(tx, [input.mediaId], context.now);
      if (mediaId === undefined) throw refuse('NOT_FOUND');
      const { userId } = context.creator;
      await tx.publish({ kind: 'media.removed', creatorId: userId, mediaId });
      await notifyRemovals(tx, userId, await noteRemovals(tx, [mediaId], context.now));
      return { undoUntil: new Date(context.now.getTime() + undoMs) };
    }),
  ),
  restore: answer.restore.use(requireSignIn).handler(async ({ context, input }) => {
    const { now, engines, creator } = context;
    const itemsPerAlbum = (await settingsOf(engines))['limits.itemsPerAlbum'];
    return context.work(async (tx) => {
      const [refused] = (await bringBack(engines, tx, [input.mediaId], { now, itemsPerAlbum })).refused;
      if (refused?.because === 'full') throw refuse('CONFLICT', { message: refused.message });
      if (refused !== undefined) throw refuse('GONE', refused.because === 'over' ? { message: refused.message } : {});
      await tx.publish({ kind: 'media.ready', creatorId: creator.userId, mediaId: input.mediaId });
      return shown(tx, input.mediaId);
    });
  }),
});
