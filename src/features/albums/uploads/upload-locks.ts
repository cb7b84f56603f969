import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Locker } from '@tus/server';
import { openSessionLocks } from '#engines/database/session-locks.ts';
import type { Engines } from '#engines/engines.ts';
import { newToken } from '#kit/ids.ts';

const pauseMs = 100;
/** How long somebody waits for the one before: a dead connection of theirs is cut, which takes no time. */
const patienceMs = 30_000;
const askAgainMs = 1000;

/** Locks of uploads that hold in every process; see `openUploadLocks`. */
export interface UploadLocks {
  locker: Locker;
  close(): Promise<void>;
}

type LockDatabase = Pick<Engines['database'], 'connection' | 'work' | 'listen'>;

/** Begins to hear which uploads are wanted, once; where that failed, the next call tries again. */
function listenOnce(database: LockDatabase, onEvent: Parameters<LockDatabase['listen']>[0]): () => Promise<unknown> {
  let listening: Promise<unknown> | undefined;
  return () => {
    listening ??= database
      .listen(
        onEvent,
        () => undefined, // who still wants it asks again
      )
      .catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
    return listening;
  };
}

/**
 * One process at a time writes to an upload, whichever process the parts of it reach. Who wants an upload that another
 * request holds asks it, in any process, to let go: mostly it is the same browser's, on a connection that has died.
 */
export function openUploadLocks({ database }: { database: LockDatabase }): UploadLocks {
  const senderId = newToken(12);
  const locks = openSessionLocks(database.connection);
  const holders = new Map<string, () => void>();
  const letGo = (id: string | undefined) => holders.get(id ?? '')?.();
  const listen = listenOnce(
    database,
    // Its own question comes back as well, by when its own asker may be the one who has it.
    (event) => event.kind === 'upload.wanted' && event.senderId !== senderId && letGo(event.mediaId),
  );
  const ask = async (id: string) => {
    letGo(id);
    // The medium will have the upload's id.
    await database.work({ kind: 'system' }, (tx) => tx.publish({ kind: 'upload.wanted', mediaId: id, senderId }));
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
        let letGoOfIt: (() => void) | undefined;
        return {
          async lock(signal, requestRelease) {
            letGoOfIt = () => void requestRelease();
            held = await take(id, signal, letGoOfIt);
          },
          async unlock() {
            // After a lost session somebody else here may have it.
            if (holders.get(id) === letGoOfIt) holders.delete(id);
            await held?.release();
          },
        };
      },
    },
    close: () => locks.close(),
  };
}
