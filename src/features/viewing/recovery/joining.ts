import { slowNetwork } from '#features/accounts/limits.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { isDeviceConflict, keepViewer } from '../opening/admissions-store.ts';
import { deviceOf } from '../user-agent.ts';
import { giveViewerCookie, placeOf } from '../viewer-cookie.ts';
import { findBrowser, keepProof } from './recovery-store.ts';

interface Joining {
  secretHash: Buffer;
  viewerId: string;
  timeZone: string | undefined;
}

type ProvenJoining = Joining & { buyerId: string };

/**
 * A browser that has proven the address of a payment becomes one more device of the viewer who paid. Of two calls with the same
 * cookie at the same moment the second one finds it kept; when it was kept as another viewer's, the browser gets a new secret.
 */
export async function join(context: Context, joining: ProvenJoining): Promise<void> {
  try {
    await keepDevice(context, joining);
  } catch (error) {
    if (!isDeviceConflict(error)) throw error;
    const { viewerId } = await findBrowser(context.engines.database, joining.secretHash);
    if (viewerId !== joining.viewerId) await keepDevice(context, { ...joining, secretHash: giveViewerCookie(context) });
  }
}

async function keepDevice(context: Context, { secretHash, viewerId, buyerId, timeZone }: ProvenJoining): Promise<void> {
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
  await slowNetwork(context, 'open_purchase');
  const { buyerId, viewerId: ownViewerId } = await findBrowser(context.engines.database, secretHash);
  if (buyerId === undefined) throw refuse('NOT_FOUND');
  // One of a viewer's devices never becomes another viewer's, so it gets a new secret.
  const own = ownViewerId !== undefined ? giveViewerCookie(context) : secretHash;
  await join(context, { secretHash: own, viewerId, buyerId, timeZone });
}
