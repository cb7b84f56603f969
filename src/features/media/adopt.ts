import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import { newMediaKey } from './keys.ts';
import { insertMediaKey } from './keys-store.ts';
import { encryptOriginal, storedOriginalBytes } from './original.ts';
import { insertUploadedMedium } from './store.ts';

/** A whole file in staging that becomes a medium. */
export interface StagedFile {
  /** The medium gets the upload's id, so that adopting twice after a crash makes one medium. */
  id: string;
  creatorId: string;
  originalName: string;
  path: string;
  sizeBytes: number;
  /** Hex, when the sender could compute it. */
  declaredSha256?: string | undefined;
}

/**
 * Encrypts a staged file into storage and notes it as a medium; `also` runs in the same transaction.
 * @returns `damaged` when the bytes are not those that the sender had
 */
export async function adoptFile(
  { keys, storage, database }: Engines,
  file: StagedFile,
  now: Date,
  also: (tx: Tx) => Promise<void>,
): Promise<'adopted' | 'damaged'> {
  const mediaKey = newMediaKey();
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const originalPath = `media/${file.id}/original.pfo`;
  const source = createReadStream(file.path, { highWaterMark: 2 ** 20 });
  source.on('error', (error) => hashing.destroy(error));
  const encrypting = encryptOriginal(mediaKey);
  hashing.on('error', (error) => encrypting.destroy(error));
  await storage.put(originalPath, source.pipe(hashing).pipe(encrypting), storedOriginalBytes(file.sizeBytes));
  const sha256 = hash.digest();
  if (file.declaredSha256 !== undefined && sha256.toString('hex') !== file.declaredSha256) {
    await storage.remove(originalPath);
    return 'damaged';
  }
  await database.work({ kind: 'system' }, async (tx) => {
    const { id, creatorId, originalName, sizeBytes } = file;
    await insertUploadedMedium(tx, {
      id,
      creatorId,
      kind: 'photo',
      originalName,
      sizeBytes,
      sha256,
      originalPath,
      now,
    });
    await insertMediaKey(tx, { mediaId: id, creatorId, ...wrapKey(keys, id, mediaKey) });
    await also(tx);
  });
  return 'adopted';
}
