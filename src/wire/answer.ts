import { os } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { type AccountAccess, type Actor, type Context, hasAccess } from './context.ts';
import { type RefusalCode, refuse } from './refusals.ts';

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

/** Returns why an account may do nothing, with a plan or without: it is paused, or not set up yet. */
function whyNotSetUp(access: AccountAccess): RefusalCode | undefined {
  if (access.isStopped) return 'SUBSCRIPTION_REQUIRED';
  if (!access.isEmailConfirmed) return 'EMAIL_UNCONFIRMED';
  return access.isSetUp ? undefined : 'SETUP_REQUIRED';
}

/** Why somebody who is signed in may not work as a creator, for typed calls and raw routes alike; undefined when they may. */
export function whyNoCreator(access: AccountAccess): RefusalCode | undefined {
  return whyNotSetUp(access) ?? (hasAccess(access) ? undefined : 'SUBSCRIPTION_REQUIRED');
}

/** Lets a creator in whose account is set up and not paused, whatever the state of the plan. */
export const requireSetUp = middleware(async ({ context, next }) => {
  const creator = await signedIn(context);
  const no = whyNotSetUp(creator.access);
  if (no !== undefined) throw refuse(no);
  return next({ context: asCreator(context, creator) });
});

/** Lets a creator in whose email is confirmed, whose account is set up and who has access. */
export const requireCreator = middleware(async ({ context, next }) => {
  const creator = await signedIn(context);
  const no = whyNoCreator(creator.access);
  if (no !== undefined) throw refuse(no);
  return next({ context: asCreator(context, creator) });
});
