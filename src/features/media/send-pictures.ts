import type { ServerResponse } from 'node:http';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { packCacheOf, trackOf } from './cache/pack-cache.ts';
import { codewordsOf, type Grant } from './codewords.ts';
import { keysOf } from './formats/keys.ts';
import { packIdBytes } from './formats/pack.ts';
import { writePicture } from './frames.ts';
import { composePack } from './packs/composed-pack.ts';
import type { KeyedPack } from './stored-pack.ts';

/** One picture of an answer. */
export interface Sendable {
  /** The number under which the browser knows it. */
  n: number;
  pack: KeyedPack;
  /** The browser still has the ciphertext and only needs keys. */
  isKeysOnly: boolean;
}

/** In place of keys: the browser knows pictures by their order. */
const nothing = Buffer.alloc(0);

function keysFor({ keys }: Engines, pack: KeyedPack, bits: Uint8Array): Buffer {
  return keysOf(unwrapKey(keys, pack.mediaId, pack), packIdBytes(pack.id), trackOf(pack), bits);
}

/** Looks whether the store answers, before the head of an answer is sent. @throws StorageAway */
export const readAhead = (engines: Engines, pictures: readonly Sendable[]): Promise<void> =>
  packCacheOf(engines).readAhead(pictures.filter(({ isKeysOnly }) => !isKeysOnly).map(({ pack }) => pack));

/**
 * Sends pictures one after another: keys of exactly those variants that this grant's codeword names, and their ciphertext.
 * @param guard asked before every picture: the answer ends where it may not go on, and leaves the place of what is gone empty
 * @returns whether all of them were sent
 */
export async function sendPictures(
  engines: Engines,
  response: ServerResponse,
  grant: Grant,
  pictures: readonly Sendable[],
  guard: { mayGoOn(): Promise<boolean>; isGone(mediaId: string): boolean },
): Promise<boolean> {
  const [cache, codewords] = [packCacheOf(engines), codewordsOf(engines)];
  for (const { n, pack, isKeysOnly } of pictures) {
    const { bits } = await codewords.shareOf(grant, pack);
    const cached = isKeysOnly ? undefined : await cache.take(pack);
    const body = cached && composePack(cached.bytes, cached.header, bits);
    if (!(await guard.mayGoOn())) return false;
    const isSent = guard.isGone(pack.mediaId)
      ? await writePicture(response, n, nothing, undefined)
      : await writePicture(response, n, keysFor(engines, pack, bits), body);
    if (!isSent) return false;
  }
  return true;
}
