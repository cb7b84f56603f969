import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { newId } from '#kit/ids.ts';
import { Uuid } from '#kit/uuid.ts';
import { streamRaw } from '#wire/raw.ts';
import { packCacheOf, trackOf } from './cache/pack-cache.ts';
import { codewordsOf, type Grant } from './codewords.ts';
import { keysOf } from './formats/keys.ts';
import { packIdBytes } from './formats/pack.ts';
import { frameKind, writeJson, writePicture } from './frames.ts';
import { insertLeases } from './leases-store.ts';
import { composePack } from './packs/composed-pack.ts';
import { isFullRendition } from './rules.ts';
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

/** What is asked for where somebody looks without a link. */
export const WantedPictures = z
  .array(
    z.object({
      mediaId: Uuid,
      rendition: z.enum(['p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard']),
      with: z.enum(['pack', 'keys']).default('pack'),
    }),
  )
  .min(1)
  .max(24);
export type WantedPictures = z.infer<typeof WantedPictures>;

/** Counts the pictures that are as large as we have them. */
export const countFull = (wanted: WantedPictures): number =>
  wanted.filter(({ rendition }) => isFullRendition(rendition)).length;

/** So long somebody may look at what they were lent without a link. */
export const personalLeaseMs = 30_000;

/** Nobody can take their own pictures away from a creator while they come. */
const unguarded = { mayGoOn: async () => true, isGone: () => false };

/** Somebody's look without a link: what was found for them, and whose codeword it gets. */
export interface PersonalLook {
  packs: readonly KeyedPack[];
  grant: Grant;
  wanted: WantedPictures;
}

/** Writes down what is lent to a look without a link, and sends it. @param guard asked before every picture */
export async function lendPictures(
  engines: Engines,
  reply: FastifyReply,
  { packs, grant, wanted }: PersonalLook,
  now: Date,
  guard: { mayGoOn(): Promise<boolean>; isGone(mediaId: string): boolean } = unguarded,
): Promise<FastifyReply> {
  const isKeysOnly = ({ mediaId, rendition }: KeyedPack) =>
    wanted.some((item) => item.mediaId === mediaId && item.rendition === rendition && item.with === 'keys');
  const pictures = packs.map((pack, n) => ({ n, pack, isKeysOnly: isKeysOnly(pack) }));
  // What cannot be sent is not lent either.
  await readAhead(engines, pictures);
  const leases = packs.map(({ id, mediaId, rendition }) => ({ mediaId, rendition, packId: id }));
  const rows = leases.map((lease) => ({ ...lease, leaseId: newId(now.getTime()) }));
  const holder = { grantId: grant.grantId, creatorId: grant.creatorId, visitId: undefined };
  const expiresAt = new Date(now.getTime() + personalLeaseMs);
  await insertLeases(engines.database, holder, rows, { now, expiresAt });
  return streamRaw(reply, engines.log, async (response) => {
    await writeJson(response, frameKind.head, { leases });
    return sendPictures(engines, response, grant, pictures, guard);
  });
}
