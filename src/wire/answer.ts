import { os } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { type Actor, type Context, hasAccess } from './context.ts';
import { refuse } from './refusals.ts';

const middleware = os.$context<Context>().middleware;

async function signedIn(context: Context): Promise<Extract<Actor, { userId: string }>> {
  const actor = await context.actor();
  if (actor.kind === 'visitor') throw refuse('UNAUTHENTICATED');
  return actor;
}

const asCreator = (context: Context, creator: Extract<Actor, { userId: string }>) => ({
  creator,
  work: <T>(run: (tx: Tx) => Promise<T>) =>
    context.engines.database.work({ kind: 'user', userId: creator.userId }, run),
});

/** Lets a signed-in person in, whatever the state of the plan. */
export const requireSignIn = middleware(async ({ context, next }) =>
  next({ context: asCreator(context, await signedIn(context)) }),
);

/** Lets a creator in whose e-mail is confirmed, whose account is set up and who has access. */
export const requireCreator = middleware(async ({ context, next }) => {
  const creator = await signedIn(context);
  const { standing } = creator;
  if (standing.isStopped) throw refuse('SUBSCRIPTION_REQUIRED');
  if (!standing.isEmailConfirmed) throw refuse('EMAIL_UNCONFIRMED');
  if (!standing.isSetUp) throw refuse('SETUP_REQUIRED');
  if (!hasAccess(standing)) throw refuse('SUBSCRIPTION_REQUIRED');
  return next({ context: asCreator(context, creator) });
});
