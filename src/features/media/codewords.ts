import { createSecretKey } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { newId } from '#kit/ids.ts';
import { createLru } from '#kit/lru.ts';
import { trackOf } from './cache/pack-cache.ts';
import {
  type CodewordSeeds,
  commitment,
  grantSeed,
  linkSeed,
  packTag,
  segmentCodeword,
  tileCodeword,
} from './formats/codeword.ts';
import { packIdBytes } from './formats/pack.ts';
import { ensureTraceKey } from './keys-store.ts';
import { findPersonalGrant, insertPersonalGrant, type PersonalGrant } from './leases-store.ts';
import { findGrant, type GrantRow } from './packs/packs-store.ts';
import type { StoredPack } from './stored-pack.ts';

/** The owner of a codeword. */
export interface Grant extends GrantRow {
  grantId: string;
}

/** What one grant gets of one pack. */
export interface Share {
  /** One 0 or 1 per tile. */
  bits: Uint8Array;
  /** Part of the address of its composed form. */
  tag: string;
}

/** How a pack is cut. */
type Cut = Pick<StoredPack, 'id' | 'mediaId' | 'rendition'> & { columns: number; rows: number };

/** Codewords from memory where they are known; everything in them is derived, so losing them costs time only. */
export interface Codewords {
  /** The grant of a token, for a process that has not seen it. */
  findGrant(grantId: string): Promise<Grant | undefined>;
  /** What the append-only log keeps of a new grant. */
  commit(grant: Grant): Promise<Buffer>;
  shareOf(grant: Grant, pack: Cut): Promise<Share>;
  /** Returns which variant of each of a video's segments a grant gets, 1 = A: the same on both rungs. */
  segmentsOf(grant: Grant, mediaId: string, segments: number): Promise<Uint8Array>;
}

function createCodewords({ database, keys }: Engines): Codewords {
  const traceKeys = createLru<string, Promise<Buffer>>(2000);
  const grants = createLru<string, Grant>(20_000);
  const seeds = createLru<string, CodewordSeeds>(20_000);
  const keep = (seed: Buffer) => createSecretKey(seed);
  const shares = createLru<string, Share>(20_000);
  const videos = createLru<string, Uint8Array>(2000);

  const traceKeyOf = (creatorId: string) => {
    const known = traceKeys.get(creatorId);
    if (known !== undefined) return known;
    const read = database.work({ kind: 'system' }, (tx) => ensureTraceKey(tx, keys, creatorId));
    read.catch(() => traceKeys.delete(creatorId));
    return traceKeys.set(creatorId, read);
  };
  const seedsOf = async ({ grantId, creatorId, linkId }: Grant) => {
    const known = seeds.get(grantId);
    if (known !== undefined) return known;
    const traceKey = await traceKeyOf(creatorId);
    return seeds.set(grantId, {
      grantSeed: keep(grantSeed(traceKey, grantId)),
      linkSeed: linkId === undefined ? undefined : keep(linkSeed(traceKey, linkId)),
    });
  };
  return {
    async findGrant(grantId) {
      const known = grants.get(grantId);
      if (known !== undefined) return known;
      const row = await findGrant(database, grantId);
      return row && grants.set(grantId, { grantId, ...row });
    },
    commit: async ({ grantId, creatorId }) => commitment(grantId, grantSeed(await traceKeyOf(creatorId), grantId)),
    async shareOf(grant, pack) {
      const key = `${grant.grantId} ${pack.id}`;
      const known = shares.get(key);
      if (known !== undefined) return known;
      const grantSeeds = await seedsOf(grant);
      const bits = tileCodeword(grantSeeds, pack.mediaId, trackOf(pack), pack);
      return shares.set(key, { bits, tag: packTag(grantSeeds.grantSeed, packIdBytes(pack.id)) });
    },
    async segmentsOf(grant, mediaId, segments) {
      const key = `${grant.grantId} ${mediaId} ${segments}`;
      return videos.get(key) ?? videos.set(key, segmentCodeword(await seedsOf(grant), mediaId, 'v720', segments));
    },
  };
}

const made = new WeakMap<Engines, Codewords>();

/** The codewords of this process. */
export function codewordsOf(engines: Engines): Codewords {
  const known = made.get(engines) ?? createCodewords(engines);
  made.set(engines, known);
  return known;
}

/** Makes the grant of somebody's first look without a link, with its codewords in the log. @returns its id, or of the one that was made meanwhile */
export async function makePersonalGrant(engines: Engines, whose: PersonalGrant, now: Date): Promise<string> {
  const grantId = newId(now.getTime());
  const { creatorId } = whose;
  const commitment = await codewordsOf(engines).commit({ grantId, creatorId, linkId: undefined });
  return engines.database.work({ kind: 'system' }, async (tx) => {
    await insertPersonalGrant(tx, whose, { grantId, commitment, now });
    return (await findPersonalGrant(tx, whose)) ?? grantId;
  });
}
