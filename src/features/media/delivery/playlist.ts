import type { VideoTrack } from '../contract.ts';
import type { PlayableTrack } from '../playable-track.ts';

/** Returns where segments of one rendition lie. */
const partOf = (packId: string, part: number | 'init') => `/m/s/${packId}/${part}`;

/** What the loader in the browser answers out of the keys that it was lent. */
const keyOf = (track: VideoTrack, n: number) => `pfkey:${track}/${n}`;

/** The list of a video's rungs and its sound (RFC 8216 §4.3.4); the playlists it names lie beside it. */
export function writeMainPlaylist(tracks: readonly PlayableTrack[]): string {
  const sound = tracks.find(({ track }) => track === 'audio');
  const soundRate = sound === undefined ? { most: 0, mean: 0 } : rateOf(sound);
  const rungs = tracks
    .filter(({ track }) => track !== 'audio')
    .toSorted((one, other) => (one.height ?? 0) - (other.height ?? 0));
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];
  if (sound !== undefined)
    lines.push('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"');
  for (const rung of rungs) {
    const { most, mean } = rateOf(rung);
    const facts = [
      `BANDWIDTH=${most + soundRate.most}`,
      `AVERAGE-BANDWIDTH=${mean + soundRate.mean}`,
      `RESOLUTION=${rung.width}x${rung.height}`,
      ...(sound === undefined ? [] : ['AUDIO="sound"']),
    ];
    lines.push(`#EXT-X-STREAM-INF:${facts.join(',')}`, `${rung.track}.m3u8`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The playlist of one rendition for one grant: of every segment the variant that its codeword names, as a range of that
 * variant's file, under a key of its own.
 * @param bits one 0 or 1 per segment
 */
export function writeTrackPlaylist({ packId, track, durationsUs, lengths }: PlayableTrack, bits: Uint8Array): string {
  const longest = Math.max(1, Math.ceil(Math.max(...durationsUs) / 1e6));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-MAP:URI="${partOf(packId, 'init')}"`,
  ];
  const bySlot = new Map(lengths.map((file) => [file.slot, offsetsOf(file.lengths)]));
  for (const [n, microseconds] of durationsUs.entries()) {
    const slot = bits[n] ?? 0;
    const [from = 0, end = 0] = bySlot.get(slot)?.slice(n, n + 2) ?? [];
    lines.push(
      `#EXT-X-KEY:METHOD=AES-128,URI="${keyOf(track, n)}"`,
      `#EXTINF:${(microseconds / 1e6).toFixed(6)},`,
      `#EXT-X-BYTERANGE:${end - from}@${from}`,
      partOf(packId, slot),
    );
  }
  return `${lines.join('\n')}\n#EXT-X-ENDLIST\n`;
}

/** Where each segment begins, and behind the last one where the file ends. */
function offsetsOf(lengths: readonly number[]): number[] {
  const offsets = [0];
  for (const length of lengths) offsets.push((offsets.at(-1) ?? 0) + length);
  return offsets;
}

/** Bits a second: of the dearest segment, and on the whole. */
function rateOf({ durationsUs, lengths }: PlayableTrack): { most: number; mean: number } {
  const seconds = durationsUs.reduce((sum, us) => sum + us, 0) / 1e6;
  const rates = lengths.flatMap((file) => file.lengths.map((bytes, n) => bytes / ((durationsUs[n] ?? 1e6) / 1e6)));
  const most = rates.reduce((sum, rate) => Math.max(sum, rate), 0);
  const largest = lengths.map((file) => file.lengths.reduce((sum, bytes) => sum + bytes, 0));
  return { most: Math.ceil(8 * most), mean: Math.ceil((8 * Math.max(0, ...largest)) / Math.max(seconds, 0.001)) };
}
