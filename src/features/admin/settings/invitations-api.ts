import { implement } from '@orpc/server';
import { endInvitation, invitationState, listMadeInvitations, makeInvitation } from '#features/accounts/invitations.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { adminInvitationsContract } from '../invitations-contract.ts';

const answer = implement(adminInvitationsContract).$context<Context>();
const owner = requireScope('owner');

const actorOf = ({ admin, requestId, now }: AdminContext) => ({
  actor: { type: 'admin', id: admin.userId } as const,
  requestId,
  now,
});

/** Links by which people join with a free account, as `pf invite` makes and ends them. */
export const adminInvitationsApi = answer.router({
  list: answer.list.use(owner).handler(async ({ context: { asSystem, now } }) => ({
    invitations: (await asSystem(listMadeInvitations)).map((one) => ({ ...one, state: invitationState(one, now) })),
  })),
  make: answer.make
    .use(owner)
    .handler(({ context, input }) =>
      context.asSystem((tx) => makeInvitation(context.engines, tx, actorOf(context), input)),
    ),
  revoke: answer.revoke.use(owner).handler(async ({ context, input }) => {
    const isEnded = await context.asSystem((tx) => endInvitation(tx, actorOf(context), input.invitationId));
    if (!isEnded) throw refuse('CONFLICT', { message: 'It is revoked already, or was never made.' });
    return {};
  }),
});
