import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Transform } from 'node:stream';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import type { Storage } from '#engines/storage/storage.ts';
import { newToken } from '#kit/ids.ts';
import { newMediaKey } from './formats/keys.ts';
import { sniffVideo } from './formats/sniff.ts';
import { insertMediaKey } from './keys-store.ts';
import { encryptOriginal, storedOriginalBytes } from './original.ts';
import { insertUploadedMedium } from './store.ts';

/** A whole file in staging that becomes a medium. */
export interface StagedFile {
  /** The medium gets the upload's id, so that ingesting twice after a crash makes one medium. */
  id: string;
  creatorId: string;
  originalName: string;
  path: string;
  sizeBytes: number;
  /** Hex, when the sender could compute it. */
  declaredSha256?: string | undefined;
}

/** What the caller does in the transaction that makes the medium. */
export interface IngestSteps {
  /** Takes the upload for itself; false when somebody else was quicker, and then nothing is made. */
  claim(tx: Tx): Promise<boolean>;
  /** Runs when the medium's row is there. */
  also(tx: Tx, kind: 'photo' | 'video'): Promise<void>;
}

/**
 * Encrypts a staged file into storage and notes it as a medium. Each try has a file and a key of its own, so that two that
 * race never spoil each other's.
 * @returns `damaged` when the bytes are not those that the sender had, `taken` when another try has made the medium
 */
export async function ingestFile(
  { keys, storage, database }: Engines,
  file: StagedFile,
  now: Date,
  { claim, also }: IngestSteps,
): Promise<'ingested' | 'damaged' | 'taken'> {
  const mediaKey = newMediaKey();
  const originalPath = `media/${file.id}/${newToken(12)}.pfo`;
  const videoMime = await sniffVideo(file.path);
  const kind = videoMime === undefined ? 'photo' : 'video';
  const sha256 = await storeEncrypted(storage, file, mediaKey, originalPath);
  const isWhole = file.declaredSha256 === undefined || sha256.toString('hex') === file.declaredSha256;
  const isMade =
    isWhole &&
    (await database.work({ kind: 'system' }, async (tx) => {
      if (!(await claim(tx))) return false;
      const { id, creatorId, originalName, sizeBytes } = file;
      await insertUploadedMedium(tx, {
        id,
        creatorId,
        kind,
        mime: videoMime,
        originalName,
        sizeBytes,
        sha256,
        originalPath,
        now,
      });
      await insertMediaKey(tx, { mediaId: id, creatorId, ...wrapKey(keys, id, mediaKey) });
      await also(tx, kind);
      return true;
    }));
  if (isMade) return 'ingested';
  await storage.remove(originalPath);
  return isWhole ? 'taken' : 'damaged';
}

/** Reads a staged file once: hashed and encrypted on its way into storage. @returns SHA-256 of its bytes */
async function storeEncrypted(storage: Storage, file: StagedFile, mediaKey: Buffer, path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const source = createReadStream(file.path, { highWaterMark: 2 ** 20 });
  // The store hears of whatever breaks on the way.
  const encrypted = pipeline(source, hashing, encryptOriginal(mediaKey), () => undefined);
  try {
    await storage.put(path, encrypted, storedOriginalBytes(file.sizeBytes));
  } finally {
    source.destroy(); // a store that takes no more leaves no open file behind
  }
  return hash.digest();
}
