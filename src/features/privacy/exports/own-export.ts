import { confirmPassword, requireFreshCodeIfOn } from '#features/accounts/confirm-password.ts';
import { insertAudit } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { OwnExport } from '../contract.ts';
import { downloadMs, mayHoldExport, nextExportAt } from '../rules.ts';
import { exportQueue } from './build-export.ts';
import {
  countOriginals,
  type DataExport,
  findNewestExport,
  insertExport,
  lockNewestExport,
  openExport,
} from './exports-store.ts';

/** Shows how far a creator's newest export is, and what the next one would hold. */
export async function showOwnExport({ creator, now, work }: CreatorContext): Promise<OwnExport> {
  const newest = await work((tx) => findNewestExport(tx, creator.userId));
  const originals = await work((tx) => countOriginals(tx, creator.userId));
  return {
    newest: newest === undefined ? null : show(newest, creator.sessionId, now),
    originals,
    nextAt: nextExportAt(newest, now),
  };
}

function show(found: DataExport, sessionId: string, now: Date): NonNullable<OwnExport['newest']> {
  const { id, hasOriginals, requestedAt, doneBytes, totalBytes, sizeBytes, expiresAt, failure } = found;
  const isOver = found.state === 'ready' && expiresAt !== null && expiresAt <= now;
  const state = isOver ? 'expired' : found.state;
  const isOpen = state === 'ready' && isOpenTo(found, sessionId, now);
  return {
    state,
    hasOriginals,
    requestedAt,
    doneBytes,
    totalBytes,
    sizeBytes,
    expiresAt,
    failure,
    path: isOpen ? pathOf(id) : null,
  };
}

/** Returns whether a session has entered the password lately for this export. */
export const isOpenTo = ({ openedBy, openedUntil }: DataExport, sessionId: string, now: Date): boolean =>
  openedBy === sessionId && openedUntil !== null && openedUntil > now;

const pathOf = (id: string) => `/api/account/data/export/${id}`;

/**
 * Asks for an export of one's own data, which a job builds.
 * @throws CONFLICT while there is one, or within a day of the last
 */
export async function requestOwnExport(context: CreatorContext, hasOriginals: boolean): Promise<void> {
  const { engines, asSystem, creator, now, requestId } = context;
  const { userId } = creator;
  const free = await engines.storage.freeBytes();
  await asSystem(async (tx) => {
    const newest = await lockNewestExport(tx, userId);
    if (nextExportAt(newest, now) !== null)
      throw refuse('CONFLICT', { message: 'There was an export in the last 24 hours.' });
    const totalBytes = hasOriginals ? (await countOriginals(tx, userId)).bytes : 0;
    if (!mayHoldExport(free, totalBytes))
      throw refuse('CONFLICT', {
        message: 'There is no room for that now. Try again later, or leave the originals out.',
      });
    const id = newId<'export'>(now.getTime());
    await insertExport(tx, { id, userId, hasOriginals, now, totalBytes });
    await engines.jobs.send(tx, exportQueue, { exportId: id }, { singletonKey: id });
    await insertAudit(tx, {
      actor: { type: 'creator', id: userId },
      action: 'account.export_requested',
      target: { type: 'user', id: userId },
      details: { hasOriginals },
      requestId,
    });
  });
}

/**
 * Opens the download for this session, by password and, where there is a second factor, a fresh code.
 * @throws VALIDATION for a wrong password, RATE_LIMITED after several, CODE_REQUIRED, NOT_FOUND
 */
export async function openOwnExport(context: CreatorContext, password: string): Promise<string> {
  await requireFreshCodeIfOn(context);
  const forget = await confirmPassword(context, password, 'export');
  const { asSystem, creator, now, requestId } = context;
  const { userId, sessionId } = creator;
  const until = new Date(now.getTime() + downloadMs);
  const id = await asSystem(async (tx) => {
    await forget(tx);
    const newest = await findNewestExport(tx, userId);
    if (newest === undefined || !(await openExport(tx, { id: newest.id, userId, sessionId, until, now })))
      return undefined;
    await insertAudit(tx, {
      actor: { type: 'creator', id: userId },
      action: 'account.export_opened',
      target: { type: 'user', id: userId },
      requestId,
    });
    return newest.id;
  });
  if (id === undefined) throw refuse('NOT_FOUND');
  return pathOf(id);
}
