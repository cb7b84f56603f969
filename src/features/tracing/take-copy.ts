import { createHash, randomBytes } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import { makeOnce } from '#features/audit/creations.ts';
import type { Creation } from '#features/audit/creations-store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { putTraceFile, removeTraceFiles } from './progress/trace-files.ts';
import { insertTrace } from './store.ts';
import { queueTrace } from './work/queue.ts';

/** A copy and its answer are kept so long; what the log says of it stays. */
const keptMs = 30 * dayMs;

export interface Copy {
  creatorId: string;
  /** Only its photos are compared; without it all of theirs. */
  albumId?: string | undefined;
  /** Another copy of the same leak, weighed together with this one. */
  withId?: string | undefined;
  bytes: Readable;
  sizeBytes: number;
  requestId?: string;
  /** The key that its sender gave. */
  creation?: Creation | undefined;
  /** Pays what the trace costs, in the transaction that notes it. */
  pay?: (tx: Tx, traceId: string) => Promise<void>;
}

/**
 * Stores a leaked copy encrypted and notes it, with the job that reads it.
 * @param from a command reads it itself, so no job does
 * @returns the id of its trace; of the first one when its sender's key has made one already
 * @throws when the bytes break off: then nothing is kept
 */
export async function takeCopy(engines: Engines, copy: Copy, from: 'page' | 'command' = 'page'): Promise<string> {
  const { storage, database, jobs, keys, clock } = engines;
  const { creatorId, sizeBytes } = copy;
  const traceId = newId<'trace'>(clock());
  const key = randomBytes(32);
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      done(null, part);
    },
  });
  pipeline(copy.bytes, hashed, () => undefined); // the store hears of whatever breaks on the way
  try {
    await putTraceFile(storage, { traceId, key }, 'leak', hashed, sizeBytes);
    // It counts from when its last byte was there: what was disclosed while it came may be in it.
    const now = new Date(clock());
    const trace = {
      id: traceId,
      creatorId,
      albumId: copy.albumId,
      withId: copy.withId,
      sizeBytes,
      sha256: hash.digest(),
    };
    const note = async (tx: Tx) => {
      await copy.pay?.(tx, traceId);
      const expiresAt = new Date(now.getTime() + keptMs);
      await insertTrace(tx, { ...trace, key: wrapKey(keys, traceId, key), now, expiresAt });
      if (from === 'page') await queueTrace(tx, jobs, { traceId, creatorId });
      await insertAudit(tx, {
        actor: from === 'page' ? { type: 'creator', id: creatorId } : { type: 'system' },
        action: 'leak.uploaded',
        target: { type: 'trace', id: traceId },
        ...(copy.requestId !== undefined && { requestId: copy.requestId }),
      });
      await tx.publish({ kind: 'trace.begun', creatorId });
    };
    const made = await database.work({ kind: 'system' }, (tx) => makeOnce(tx, copy.creation, traceId, () => note(tx)));
    if (made !== traceId) await removeTraceFiles(storage, traceId);
    return made;
  } catch (error) {
    await removeTraceFiles(storage, traceId).catch(() => 0); // else the sweeper finds them
    throw error;
  }
}
