import { mostSegmentBytes, type TrackFile } from './video.ts';

type Segment = TrackFile['segments'][number];

/** Nothing that encoders of ours make comes near these. */
const [mostInitBytes, mostSegmentMicroseconds] = [65_536, 10_000_000];

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
  const init = /#EXT-X-MAP:URI="[^"]*",BYTERANGE="(\d{1,6})@0"/.exec(text);
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
    const isFine = segment.microseconds > 0 && segment.microseconds <= mostSegmentMicroseconds;
    if (segment.offset !== at || !isFine || segment.sizeBytes === 0 || segment.sizeBytes >= mostSegmentBytes)
      return undefined;
    at += segment.sizeBytes;
    segments.push(segment);
  }
  return segments.length > 0 && initBytes <= mostInitBytes && at <= sizeBytes ? { initBytes, segments } : undefined;
}
