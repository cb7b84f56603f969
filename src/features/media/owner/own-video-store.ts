import { statement, type Tx } from '#engines/database/work.ts';
import type { PlayableTrack } from '../playable-track.ts';
import type { KeyedTrack } from '../video-lending.ts';
import { findWrappedKeys } from './preview-store.ts';

/** Row-level security leaves the asking creator's own. $1 medium */
const own = `from media m join packs p on p.media_id = m.id and p.rendition in ('v720', 'v480', 'audio')
where m.id = $1 and m.state = 'ready' and m.deleted_at is null`;

const ownVideo = statement<PlayableTrack>(
  'own_video',
  `select p.id as "packId", p.rendition as track, p.width, p.height, p.durations_us as "durationsUs",
  (select json_agg(json_build_object('slot', f.slot, 'lengths', f.lengths)) from segment_files f where f.pack_id = p.id) as lengths
${own}`,
);

/** Everything of one's own video that is played; nothing of somebody else's. */
export const findOwnVideo = (tx: Tx, mediaId: string): Promise<PlayableTrack[]> => tx.query(ownVideo, [mediaId]);

const ownTracks = statement<Omit<KeyedTrack, 'keyId' | 'wrapped'>>(
  'own_tracks',
  `select p.id, p.rendition as track, p.segments ${own}`,
);

/** The renditions of one's own video with the key of its medium; nothing of somebody else's. */
export async function findOwnTracks(tx: Tx, mediaId: string): Promise<KeyedTrack[]> {
  const tracks = await tx.query(ownTracks, [mediaId]);
  const [key] = tracks.length === 0 ? [] : await findWrappedKeys(tx, [mediaId]);
  return key === undefined ? [] : tracks.map((track) => ({ ...track, keyId: key.keyId, wrapped: key.wrapped }));
}
