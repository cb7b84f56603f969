import type { Engines } from '#engines/engines.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { countWrongCode } from '../refused-store.ts';
import { readResumeCode } from '../rules.ts';
import { giveViewerCookie } from '../viewer-cookie.ts';
import { findViewerByCode, keepViewer } from './admissions-store.ts';
import type { Opener } from './admit.ts';
import { hashCode } from './code-hash.ts';
import { takeTry } from './password-tries.ts';

/** What a typed code leads to: this browser becomes one more device of the viewer, or it does not. */
export type Resumed = { secretHash: Buffer } | { wrongCode: { triesLeft: number } } | { retryAfterSeconds: number };

/**
 * Comes back from another browser, because in-app browsers lose their cookies. A code opens nothing by itself: it says which
 * viewer this is, and only together with the link's slug.
 */
export async function resume(
  engines: Engines,
  context: Context,
  { slug, typed, opener }: { slug: string; typed: string; opener: Opener },
): Promise<Resumed> {
  const { now } = context;
  const taken = await takeTry(engines, 'code', { about: slug, secretHash: opener.secretHash, now });
  if (taken.isOver) return { retryAfterSeconds: taken.retryAfterSeconds };
  const code = readResumeCode(typed);
  const viewerId = await findViewerByCode(engines.database, slug, hashCode(code ?? ''), now);
  if (viewerId === undefined) {
    await engines.database.work({ kind: 'system' }, (tx) => countWrongCode(tx, slug, now));
    return { wrongCode: { triesLeft: taken.triesLeft } };
  }
  // This browser may be somebody already, so it gets a new secret: one of a viewer's devices never becomes another viewer's.
  const secretHash = giveViewerCookie(context);
  const { device, place, timeZone, screen } = opener;
  const row = {
    ...device,
    deviceId: newId(now.getTime()),
    viewerId,
    secretHash,
    country: place.country,
    timeZone,
    screen,
  };
  await engines.database.work({ kind: 'system' }, (tx) => keepViewer(tx, row, false, now));
  return { secretHash };
}
