import type { Engines } from '#engines/engines.ts';
import { unwrapKey } from '#engines/keys/wrapped-key.ts';
import { pictureSegmentSeconds, soundSegmentSeconds } from '#engines/video/plan.ts';
import { newId } from '#kit/ids.ts';
import { codewordsOf, type Grant } from './codewords.ts';
import type { VideoLease, VideoLeases, VideoTrack, WantedSegments } from './contract.ts';
import { writeMainPlaylist, writeTrackPlaylist } from './delivery/playlist.ts';
import { segmentKeysOf } from './formats/keys.ts';
import { packIdBytes } from './formats/pack.ts';
import { signLease } from './lease-token.ts';
import { insertLeases, type LeaseRow } from './leases-store.ts';
import type { PlayableTrack } from './playable-track.ts';
import { personalLeaseMs } from './send-pictures.ts';

/** One rendition of a video with the wrapped key of its medium. */
export interface KeyedTrack {
  id: string;
  track: VideoTrack;
  segments: number;
  keyId: string;
  wrapped: Buffer;
}

/** Some segments that are lent. */
export interface LentSegments extends KeyedTrack {
  leaseId: string;
  mediaId: string;
  from: number;
  count: number;
}

/** Sound has one variant. */
const bitsOf = async (engines: Engines, grant: Grant, mediaId: string, track: VideoTrack, segments: number) =>
  track === 'audio' ? new Uint8Array(segments) : codewordsOf(engines).segmentsOf(grant, mediaId, segments);

/**
 * What a player has to know to play a video, made for one grant. It holds no key and gives no right to a byte.
 * @param playlist `main.m3u8`, or `<track>.m3u8`
 * @returns undefined for one that does not exist
 */
export async function writeVideoPlaylist(
  engines: Engines,
  grant: Grant,
  { mediaId, tracks, playlist }: { mediaId: string; tracks: readonly PlayableTrack[]; playlist: string },
): Promise<string | undefined> {
  if (tracks.length === 0) return undefined;
  if (playlist === 'main.m3u8') return writeMainPlaylist(tracks);
  const wanted = tracks.find(({ track }) => playlist === `${track}.m3u8`);
  return (
    wanted && writeTrackPlaylist(wanted, await bitsOf(engines, grant, mediaId, wanted.track, wanted.durationsUs.length))
  );
}

/** Seconds of video that are asked for or lent: picture and sound of the same seconds are heard and seen together. */
export function secondsOf(parts: readonly { track: string; count: number }[]): number {
  const all = (isSound: boolean) => parts.filter(({ track }) => (track === 'audio') === isSound);
  const sum = (some: typeof parts) => some.reduce((total, { count }) => total + count, 0);
  return Math.max(pictureSegmentSeconds * sum(all(false)), soundSegmentSeconds * sum(all(true)));
}

/** Returns what of the request there is, each part with the id of its lease. */
export function pickSegments(
  mediaId: string,
  tracks: readonly KeyedTrack[],
  wanted: WantedSegments,
  now: Date,
): LentSegments[] {
  return wanted.flatMap((part) => {
    const track = tracks.find((each) => each.track === part.track);
    const count = Math.min(part.count, (track?.segments ?? 0) - part.from);
    return track === undefined || count <= 0
      ? []
      : [{ ...track, mediaId, from: part.from, count, leaseId: newId(now.getTime()) }];
  });
}

/** Returns how a lent part is written down. */
export function leaseRowOf({ leaseId, mediaId, track, id, from, count }: LentSegments): LeaseRow {
  const length = track === 'audio' ? soundSegmentSeconds : pictureSegmentSeconds;
  return { leaseId, mediaId, rendition: track, packId: id, seconds: [length * from, length * (from + count)] };
}

/** The keys of a lent part: exactly the variants that this grant's codeword names. */
export async function showVideoLease(
  engines: Engines,
  grant: Grant,
  { id, leaseId, mediaId, track, segments, keyId, wrapped, from, count }: LentSegments,
  expiresAt: Date,
): Promise<VideoLease> {
  const bits = await bitsOf(engines, grant, mediaId, track, segments);
  const mediaKey = unwrapKey(engines.keys, mediaId, { keyId, wrapped });
  const keys = segmentKeysOf(mediaKey, packIdBytes(id), track, bits.subarray(from, from + count), from);
  const token = signLease(engines.keys, { leaseId, packId: id, grantId: grant.grantId }, expiresAt);
  return { leaseId, track, packId: id, token, from, keys: keys.toString('base64url') };
}

/** Lends some seconds of a video to a look without a link; written down before any key leaves. */
export async function lendSegments(
  engines: Engines,
  grant: Grant,
  { mediaId, tracks, wanted }: { mediaId: string; tracks: readonly KeyedTrack[]; wanted: WantedSegments },
  now: Date,
): Promise<VideoLeases> {
  const lent = pickSegments(mediaId, tracks, wanted, now);
  const expiresAt = new Date(now.getTime() + personalLeaseMs);
  const holder = { grantId: grant.grantId, creatorId: grant.creatorId, visitId: undefined };
  await insertLeases(engines.database, holder, lent.map(leaseRowOf), { now, expiresAt });
  const leases = await Promise.all(lent.map((part) => showVideoLease(engines, grant, part, expiresAt)));
  return { leases, expiresInMs: personalLeaseMs };
}
