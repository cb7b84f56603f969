import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { patternSize } from '#engines/video/plan.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { drawVideoPatterns } from '#features/media/watermark/video-pattern.ts';
import { readSmallFrames } from '#features/tracing/clips/clip-frames.ts';
import { openClipReader } from '#features/tracing/clips/clip-reader.ts';
import { readClip } from '#features/tracing/clips/read-clip.ts';
import type { VideoCandidate, VideoRung } from '#features/tracing/clips/video-candidates.ts';
import type { Reading } from '#features/tracing/findings.ts';

/** A video as the product makes it, kept open, so that many clips of it can be read. */
export interface TracedVideo {
  candidate: VideoCandidate;
  seconds: number;
  /** Returns what a player gets whose codeword these bits are: 1 is A. */
  mixture(bits: Uint8Array, track?: VideoRung['track']): Promise<Buffer>;
  /** Finds and reads a clip, as a trace does; undefined when the video is not found in it. */
  read(clip: Buffer): Promise<Reading | undefined>;
  close(): Promise<void>;
}

const walls = await openWalls({ hidden: [] });
const engine = (await openVideoEngine(walls)) as VideoEngine;
const limits = { fileBytes: 1e9, minutes: 10, sidePx: 8192, fps: 120, jobSeconds: 1, jobSecondsPerSecond: 1 };
const [mostJobSeconds, mostVideoSeconds] = [7200, 600];

/** Makes both variants of a video. */
export async function openTracedVideo(video: Buffer): Promise<TracedVideo> {
  const bench = await openWorkbench(walls, Readable.from([video]));
  const probe = await engine.probe(bench);
  const patterns = drawVideoPatterns(patternSize(probe));
  const job = { probe, patterns, seconds: mostJobSeconds, mostSeconds: mostVideoSeconds };
  const made = await engine.transcode(bench, job, () => undefined);
  const rungs = made.rungs.map(({ track, width, height, a, b }): VideoRung => {
    const files = [b, a].map((file) => ({ ...file, bytes: bench.read(file.name, 2e9) as Buffer }));
    const open: VideoRung['open'] = async (slot, from, count) => {
      const { bytes, segments, init } = files[slot] as (typeof files)[0];
      const parts = segments.slice(from, from + count);
      return Buffer.concat([init, ...parts.map(({ offset, sizeBytes }) => bytes.subarray(offset, offset + sizeBytes))]);
    };
    return { track, width, height, segments: a.segments.length, open };
  });
  await bench.close();
  const candidate = { mediaId: randomUUID(), rungs };
  const clipReader = openClipReader(walls, engine);
  const rungOf = (track: VideoRung['track']) => rungs.find((rung) => rung.track === track) ?? (rungs[0] as VideoRung);
  return {
    candidate,
    seconds: rungOf('v720').segments,
    async mixture(bits, track = 'v720') {
      const rung = rungOf(track);
      const first = await rung.open(0, 0, 0);
      const parts = await Promise.all(
        Array.from(bits, async (bit, n) => (await rung.open(bit ? 1 : 0, n, 1)).subarray(first.length)),
      );
      return Buffer.concat([first, ...parts]);
    },
    async read(clip) {
      const copy = { sizeBytes: clip.length, open: () => Readable.from([clip]), limits };
      const read = await clipReader.withClip(copy, async (laid) =>
        readClip(clipReader, laid, await readSmallFrames(laid), [candidate]),
      );
      if (read.outcome === 'failed') throw new Error(`${read.code}: ${read.words}`);
      return read.result.items[0]?.readings[0];
    },
    close: () => clipReader.close(),
  };
}
