import { statement, type Tx } from '#engines/database/work.ts';
import type { KeyedPack } from '../stored-pack.ts';

const ownPacks = statement<Omit<KeyedPack, 'keyId' | 'wrapped'>>(
  'own_packs',
  `select p.id, p.creator_id as "creatorId", p.media_id as "mediaId", p.rendition, p.path, p.columns, p.rows
from unnest($1::uuid[], $2::text[]) with ordinality as w(media_id, rendition, n)
join media m on m.id = w.media_id and m.state in ('ready', 'processing') and m.deleted_at is null
join packs p on p.media_id = w.media_id and p.rendition = w.rendition
order by w.n`,
);

const wrappedKeys = statement<{ mediaId: string; keyId: string; wrapped: Buffer }>(
  'wrapped_keys',
  `select media_id as "mediaId", key_id as "keyId", wrapped from media_keys where media_id = any($1::uuid[])`,
);

/** The wrapped keys of media that were found to be the asking creator's own. */
export const findWrappedKeys = (tx: Tx, mediaIds: readonly string[]) =>
  tx.asSystem(({ query }) => query(wrappedKeys, [mediaIds]));

/** Packs of the asking creator's own media with their keys, in the order asked for; what is not theirs is left out. */
export async function findOwnPacks(
  tx: Tx,
  wanted: readonly { mediaId: string; rendition: string }[],
): Promise<KeyedPack[]> {
  const [mediaIds, renditions] = [wanted.map(({ mediaId }) => mediaId), wanted.map(({ rendition }) => rendition)];
  const packs = await tx.query(ownPacks, [mediaIds, renditions]);
  const keys = await findWrappedKeys(
    tx,
    packs.map(({ mediaId }) => mediaId),
  );
  return packs.flatMap((pack) => {
    const key = keys.find(({ mediaId }) => mediaId === pack.mediaId);
    return key === undefined ? [] : [{ ...pack, keyId: key.keyId, wrapped: key.wrapped }];
  });
}
