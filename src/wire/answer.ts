import { os } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { type AccountAccess, type Actor, type Context, hasAccess, hasScope } from './context.ts';
import type { AdminScope } from './promise.ts';
import { type RefusalCode, refuse } from './refusals.ts';

const middleware = os.$context<Context>().middleware;

async function requireActor(context: Context): Promise<Extract<Actor, { userId: string }>> {
  const actor = await context.actor();
  if (actor.kind === 'visitor') throw refuse('UNAUTHENTICATED');
  return actor;
}

const creatorContext = (context: Context, creator: Extract<Actor, { userId: string }>) => ({
  creator,
  work: <T>(run: (tx: Tx) => Promise<T>) =>
    context.engines.database.work({ kind: 'user', userId: creator.userId }, run),
});

/** Requires a signed-in user, whatever the state of their account or plan. */
export const requireSignIn = middleware(async ({ context, next }) =>
  next({ context: creatorContext(context, await requireActor(context)) }),
);

/** Returns why an account may do nothing whatever its plan: suspended or being deleted, email unconfirmed, or not set up; else undefined. */
function accountRefusal(access: AccountAccess): RefusalCode | undefined {
  if (access.isStopped) return 'SUBSCRIPTION_REQUIRED';
  if (!access.isEmailConfirmed) return 'EMAIL_UNCONFIRMED';
  return access.isSetUp ? undefined : 'SETUP_REQUIRED';
}

/** Returns why a signed-in user may not act as a creator, for typed calls and raw routes alike; undefined when they may. */
export function creatorRefusal(access: AccountAccess): RefusalCode | undefined {
  return accountRefusal(access) ?? (hasAccess(access) ? undefined : 'SUBSCRIPTION_REQUIRED');
}

/** Requires an account that is set up and not suspended, with a confirmed email; the plan may be in any state. */
export const requireSetUp = middleware(async ({ context, next }) => {
  const creator = await requireActor(context);
  const no = accountRefusal(creator.access);
  if (no !== undefined) throw refuse(no);
  return next({ context: creatorContext(context, creator) });
});

/** Requires a creator with a confirmed email, an account that is set up and not suspended, and access by plan or role. */
export const requireCreator = middleware(async ({ context, next }) => {
  const creator = await requireActor(context);
  const no = creatorRefusal(creator.access);
  if (no !== undefined) throw refuse(no);
  return next({ context: creatorContext(context, creator) });
});

/** Returns why somebody may not act as an administrator with one of these scopes, for typed calls and raw routes alike; undefined when they may. */
export function adminRefusal(actor: Actor, scopes: readonly AdminScope[]): RefusalCode | undefined {
  if (actor.kind === 'visitor') return 'UNAUTHENTICATED';
  if (accountRefusal(actor.access) !== undefined || actor.kind !== 'admin') return 'FORBIDDEN';
  return scopes.some((scope) => hasScope(actor.adminScopes, scope)) ? undefined : 'FORBIDDEN';
}

/** Requires an administrator who has given their second factor in this session, and has one of these scopes. */
export const requireScope = (...scopes: AdminScope[]) =>
  middleware(async ({ context, next }) => {
    const admin = await requireActor(context);
    const no = adminRefusal(admin, scopes);
    if (no !== undefined) throw refuse(no);
    return next({ context: { admin } });
  });
