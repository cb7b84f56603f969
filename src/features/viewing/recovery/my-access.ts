import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { readViewerCookie } from '../viewer-cookie.ts';
import { joinPayer } from './joining.ts';
import type { MyAccess } from './my-access-contract.ts';
import { listAccesses, type MyAccessRow } from './my-access-store.ts';

/** Returns how far a request is; undefined for one that waits at a link that is gone. */
function stateOf({ status, isAlive, isOpen }: MyAccessRow): MyAccess['state'] | undefined {
  if (status === 'denied') return 'denied';
  if (status === 'pending') return isAlive ? 'pending' : undefined;
  return isAlive && isOpen ? 'open' : 'ended';
}

/** What was asked for in this browser, or with the address that it has proven. */
export async function listMyAccesses(context: Context): Promise<{ rows: MyAccess[] }> {
  const { engines } = context;
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) return { rows: [] };
  const rows = await listAccesses(engines.database, secretHash, new Date(engines.linkClock()));
  return {
    rows: rows.flatMap((row) => {
      const { requestId, creatorName, at, until, decisionText } = row;
      const state = stateOf(row);
      if (state === undefined) return [];
      return [{ requestId, creatorName, state, at, until: state === 'open' ? until : null, decisionText }];
    }),
  };
}

/** The viewer of something that is open, for a browser that has just proven their address. */
export async function findLetIn({ engines }: Context, secretHash: Buffer): Promise<string | undefined> {
  const rows = await listAccesses(engines.database, secretHash, new Date(engines.linkClock()));
  return rows.find((row) => stateOf(row) === 'open')?.viewerId;
}

/**
 * Where something that a creator has opened opens in this browser, which becomes one more device of the viewer whom it was opened for.
 * @throws NOT_FOUND for whatever this browser may not open
 */
export async function openAccess(
  context: Context,
  requestId: string,
  timeZone: string | undefined,
): Promise<{ viewPath: string }> {
  const { engines } = context;
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) throw refuse('NOT_FOUND');
  const rows = await listAccesses(engines.database, secretHash, new Date(engines.linkClock()));
  const row = rows.find((one) => one.requestId === requestId);
  if (row === undefined || stateOf(row) !== 'open') throw refuse('NOT_FOUND');
  if (!row.isOwn) await joinPayer(context, { secretHash, viewerId: row.viewerId, timeZone });
  return { viewPath: `/view/${row.slug}` };
}
