import type { Question } from '#features/access/store.ts';
import type { Context } from '#wire/context.ts';

/** A creator who opens their own link, and an administrator, look like viewers but are not counted. */
export async function ownLook({ actor }: Context, { creatorId }: Question): Promise<'own' | 'admin' | undefined> {
  const who = await actor();
  // Behind their app lock they are no less themselves.
  if (who.kind === 'visitor') return who.lockedUserId === creatorId ? 'own' : undefined;
  if (who.userId === creatorId) return 'own';
  return who.kind === 'admin' ? 'admin' : undefined;
}
