import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { decideLockedAlbum } from './deciding.ts';
import { adminConsentsContract } from './desk-contract.ts';
import { listWaiting } from './store.ts';

const answer = implement(adminConsentsContract).$context<Context>();
const moderation = requireScope('moderation');

/** Opens a locked album or keeps it. @throws NOT_FOUND when it does not wait, or somebody else has just decided */
async function decide(context: AdminContext, order: { personId: string; isOpen: boolean; reason: string }) {
  const { asSystem, engines, admin, requestId } = context;
  const { personId, isOpen, reason } = order;
  const verdict = {
    isOpen,
    reason,
    actor: { type: 'admin', id: admin.userId },
    requestId,
    now: new Date(engines.clock()),
  } as const;
  const done = await asSystem((tx) => decideLockedAlbum(tx, engines, personId, verdict));
  if (done === undefined)
    throw refuse('NOT_FOUND', { message: 'It does not wait any more: somebody has decided, or the album is gone.' });
  return { isOpen: done.isOpen };
}

/** Albums that a withdrawn consent has locked, for moderators. */
export const adminConsentsApi = answer.router({
  waiting: answer.waiting.use(moderation).handler(async ({ context: { asSystem } }) => ({
    albums: (await asSystem(listWaiting)).map(({ id, userId, ...album }) => ({
      ...album,
      personId: id,
      creatorId: userId,
    })),
  })),
  decide: answer.decide.use(moderation).handler(({ context, input }) => decide(context, input)),
});
