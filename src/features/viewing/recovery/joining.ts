import { slowCrowd } from '#features/accounts/limits.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { keepViewer } from '../opening/admissions-store.ts';
import { deviceOf } from '../opening/user-agent.ts';
import { giveViewerCookie, placeOf } from '../viewer-cookie.ts';
import { findBrowser, keepProof } from './recovery-store.ts';

interface Joining {
  secretHash: Buffer;
  viewerId: string;
  timeZone: string | undefined;
}

/** A browser that has proven the address of a payment becomes one more device of the viewer who paid. */
export async function join(
  context: Context,
  { secretHash, viewerId, buyerId, timeZone }: Joining & { buyerId: string },
): Promise<void> {
  const { engines, caller, now, asSystem } = context;
  const device = {
    ...deviceOf(caller.userAgent),
    deviceId: newId(now.getTime()),
    viewerId,
    secretHash,
    country: placeOf(engines, caller, timeZone).country,
    timeZone,
    screen: undefined,
  };
  await asSystem(async (tx) => {
    await keepViewer(tx, device, false, now);
    await keepProof(tx, { secretHash, buyerId, isJoined: true, now });
  });
}

/** The same for a browser that opens something of a viewer whose device it is not. @throws NOT_FOUND for one that has proven nothing */
export async function joinPayer(context: Context, { secretHash, viewerId, timeZone }: Joining): Promise<void> {
  await slowCrowd(context, 'open_purchase');
  const { buyerId, isKnown } = await findBrowser(context.engines.database, secretHash);
  if (buyerId === undefined) throw refuse('NOT_FOUND');
  // One of a viewer's devices never becomes another viewer's, so it gets a new secret.
  const own = isKnown ? giveViewerCookie(context) : secretHash;
  await join(context, { secretHash: own, viewerId, buyerId, timeZone });
}
