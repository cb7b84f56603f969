import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Locker } from '@tus/server';
import { openSessionLocks } from '#engines/database/session-locks.ts';
import type { Engines } from '#engines/engines.ts';

const pauseMs = 100;
/** How long somebody waits for the one before: a dead connection of theirs is cut, which takes no time. */
const patienceMs = 30_000;
const askAgainMs = 1000;

/** Locks of uploads that hold in every process; see `openUploadLocks`. */
export interface UploadLocks {
  locker: Locker;
  close(): Promise<void>;
}

/**
 * One process at a time writes to an upload, whichever process the parts of it reach. Who wants an upload that another
 * request holds asks it, in any process, to let go: mostly it is the same browser's, on a connection that has died.
 */
export function openUploadLocks({ database }: Pick<Engines, 'database'>): UploadLocks {
  const locks = openSessionLocks(database.connection);
  const holders = new Map<string, () => void>();
  const letGo = (id: string | undefined) => holders.get(id ?? '')?.();
  let listening: Promise<unknown> | undefined;
  const listen = () => {
    listening ??= database
      .listen(
        ({ kind, mediaId }) => kind === 'upload.wanted' && letGo(mediaId),
        () => undefined, // who still wants it asks again
      )
      .catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
    return listening;
  };
  const ask = async (id: string) => {
    letGo(id);
    // The medium will have the upload's id.
    await database.work({ kind: 'system' }, (tx) => tx.tell({ kind: 'upload.wanted', mediaId: id }));
  };

  const take = async (id: string, signal: AbortSignal, letGoOfIt: () => void) => {
    await listen();
    const until = performance.now() + patienceMs;
    for (let askAt = 0; performance.now() < until; await wait(pauseMs)) {
      if (signal.aborted) throw ERRORS.ABORTED;
      const lock = await locks.tryTake(id, letGoOfIt);
      if (lock !== undefined) {
        holders.set(id, letGoOfIt);
        return lock;
      }
      if (performance.now() < askAt) continue;
      askAt = performance.now() + askAgainMs;
      await ask(id);
    }
    throw ERRORS.ERR_LOCK_TIMEOUT;
  };
  return {
    locker: {
      newLock(id) {
        let held: Awaited<ReturnType<typeof take>> | undefined;
        return {
          async lock(signal, requestRelease) {
            held = await take(id, signal, () => void requestRelease());
          },
          async unlock() {
            holders.delete(id);
            await held?.release();
          },
        };
      },
    },
    close: () => locks.close(),
  };
}
