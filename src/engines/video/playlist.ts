import type { TrackFile } from './video.ts';

type Segment = TrackFile['segments'][number];

/** A playlist of one file: where its beginning ends, and where its segments lie. */
export interface ReadPlaylist {
  initBytes: number;
  segments: Segment[];
}

/**
 * Reads the playlist that an HLS muxer of ours wrote with `single_file` (RFC 8216). It comes out of a process that read
 * foreign bytes: what is not exactly as expected is no playlist.
 * @param sizeBytes of the file that it speaks of
 */
export function readPlaylist(text: string, sizeBytes: number): ReadPlaylist | undefined {
  const init = /#EXT-X-MAP:URI="[^"]*",BYTERANGE="(\d{1,9})@0"/.exec(text);
  if (!init || !text.includes('#EXT-X-ENDLIST')) return undefined;
  const initBytes = Number(init[1]);
  const segments: Segment[] = [];
  let at = initBytes;
  for (const [, seconds, size, offset] of text.matchAll(
    /#EXTINF:([\d.]{1,20}),\n#EXT-X-BYTERANGE:(\d{1,12})@(\d{1,12})\n/g,
  )) {
    const segment = {
      offset: Number(offset),
      sizeBytes: Number(size),
      microseconds: Math.round(Number(seconds) * 1e6),
    };
    if (segment.offset !== at || segment.sizeBytes === 0 || !(segment.microseconds > 0)) return undefined;
    at += segment.sizeBytes;
    segments.push(segment);
  }
  return segments.length > 0 && at <= sizeBytes ? { initBytes, segments } : undefined;
}
