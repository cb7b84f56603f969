import type { Question } from '#features/access/store.ts';
import type { Context } from '#wire/context.ts';

/** A creator who opens her own link, and an administrator, look like viewers but are not counted. */
export async function ownLook({ actor }: Context, { creatorId }: Question): Promise<'own' | 'admin' | undefined> {
  const who = await actor();
  // Behind her app lock she is no less herself.
  if (who.kind === 'visitor') return who.lockedUserId === creatorId ? 'own' : undefined;
  if (who.userId === creatorId) return 'own';
  return who.kind === 'admin' ? 'admin' : undefined;
}
