import { createHash } from 'node:crypto';
import { closeSync, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { PlainFile } from '#engines/children/plain-file.ts';
import type { Workbench } from '#engines/children/workbench.ts';
import type { Storage } from '#engines/storage/storage.ts';
import type { TrackFile, VideoFiles } from '#engines/video/video.ts';
import type { VideoTrack } from '../contract.ts';
import { type Slot, sealedSegmentBytes, sealVideo, type VideoSeal } from '../formats/keys.ts';
import { packIdText } from '../formats/pack.ts';

/** One stored file of segments. */
export interface SegmentFile {
  slot: Slot;
  path: string;
  sizeBytes: number;
  sha256: Buffer;
  /** Ciphertext bytes of each segment. */
  lengths: number[];
}

/** A stored rendition, as its rows name it. */
export interface StoredTrack {
  packId: string;
  track: VideoTrack;
  width: number | null;
  height: number | null;
  init: { path: string; sizeBytes: number; sha256: Buffer };
  durationsUs: number[];
  files: SegmentFile[];
}

/** What is to become one rendition; sound has one variant. */
interface Track {
  track: VideoTrack;
  width: number | null;
  height: number | null;
  variants: { slot: Slot; file: TrackFile }[];
}

const readAt = promisify(read);

/** The renditions of a transcoded video, variant A in slot 1. */
function renditionsOf({ rungs, audio }: VideoFiles): Track[] {
  const pictures = rungs.map(({ track, width, height, a, b }): Track => {
    const variants = [{ slot: 1, file: a } as const, { slot: 0, file: b } as const];
    return { track, width, height, variants };
  });
  const sound: Track[] = audio
    ? [{ track: 'audio', width: null, height: null, variants: [{ slot: 0, file: audio }] }]
    : [];
  return [...pictures, ...sound];
}

/**
 * Encrypts every segment under a key of its own and stores one file per track and slot. Each call draws new packs, so a
 * repeated job never encrypts under old keys.
 * @throws the signal's reason, or what storing threw; what is stored by then no row names
 */
export async function storeVideo(
  storage: Storage,
  bench: Workbench,
  video: VideoFiles,
  { mediaId, mediaKey, signal }: { mediaId: string; mediaKey: Buffer; signal: AbortSignal },
): Promise<StoredTrack[]> {
  const stored: StoredTrack[] = [];
  for (const { track, width, height, variants } of renditionsOf(video)) {
    const seal = sealVideo(mediaKey, track);
    const packId = packIdText(seal.packId);
    const folder = `media/${mediaId}/${packId}/${track}`;
    const [first] = variants;
    if (first === undefined) continue;
    const { init, segments } = first.file;
    await storage.put(`${folder}/init`, init);
    const files: SegmentFile[] = [];
    for (const { slot, file } of variants) {
      signal.throwIfAborted();
      files.push(await storeSegments(storage, bench, file, { seal, slot, path: `${folder}/${slot}`, signal }));
      await bench.discard(file.name); // a long video is large, and lies in the clear here
    }
    const sha256 = createHash('sha256').update(init).digest();
    const durationsUs = segments.map(({ microseconds }) => microseconds);
    stored.push({
      packId,
      track,
      width,
      height,
      init: { path: `${folder}/init`, sizeBytes: init.length, sha256 },
      durationsUs,
      files,
    });
  }
  return stored;
}

async function storeSegments(
  storage: Storage,
  bench: Workbench,
  { name, segments }: TrackFile,
  to: { seal: VideoSeal; slot: Slot; path: string; signal: AbortSignal },
): Promise<SegmentFile> {
  const last = segments.at(-1);
  const source = bench.open(name, (last?.offset ?? 0) + (last?.sizeBytes ?? 0) + mostTrailingBytes);
  if (source === undefined) throw new Error(`${name} is gone from the bench`);
  const hash = createHash('sha256');
  const lengths = segments.map(({ sizeBytes }) => sealedSegmentBytes(sizeBytes));
  const sizeBytes = lengths.reduce((sum, length) => sum + length, 0);
  async function* sealed() {
    for (const [n, segment] of segments.entries()) {
      to.signal.throwIfAborted();
      const ciphertext = to.seal.encryptSegment(to.slot, n, await readSegment(source as PlainFile, segment));
      hash.update(ciphertext);
      yield ciphertext;
    }
  }
  try {
    await storage.put(to.path, Readable.from(sealed()), sizeBytes);
  } finally {
    closeSync(source.descriptor);
  }
  return { slot: to.slot, path: to.path, sizeBytes, sha256: hash.digest(), lengths };
}

/** Behind the last segment a muxer writes its index. */
const mostTrailingBytes = 16e6;

async function readSegment(
  { descriptor }: PlainFile,
  { offset, sizeBytes }: TrackFile['segments'][number],
): Promise<Buffer> {
  const segment = Buffer.alloc(sizeBytes);
  const { bytesRead } = await readAt(descriptor, segment, 0, sizeBytes, offset);
  if (bytesRead !== sizeBytes) throw new Error('a segment ends before its end');
  return segment;
}
