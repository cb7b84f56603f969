import type { Context } from '#wire/context.ts';
import type { NewSession } from '../browser-session.ts';
import { visitorOf } from '../visitor.ts';
import { insertConversion, linkVisitor } from '../visits-store.ts';

interface Arrival {
  type?: 'signup' | 'signin';
  /** The page that led here. */
  page: string;
}

/**
 * Notes that a visitor who agreed to be measured has signed in: what they looked at before is theirs from now on. Nobody waits at a
 * closed door for it: what goes wrong is logged, and no more.
 */
export async function noteArrival(
  { caller, engines, now, asSystem, requestId }: Context,
  { userId, sessionId }: Pick<NewSession, 'userId' | 'sessionId'>,
  { type, page }: Arrival,
): Promise<void> {
  const vid = visitorOf(caller.cookie);
  if (vid === undefined) return;
  try {
    await asSystem(async (tx) => {
      await linkVisitor(tx, { vid, userId, now });
      if (type !== undefined) await insertConversion(tx, { sessionId, type, userId, page, now });
    });
  } catch (error) {
    engines.log.warn({ requestId, err: error }, 'an arrival was not noted');
  }
}
