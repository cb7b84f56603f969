import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { openFfmpeg } from '#engines/video/ffmpeg.ts';
import { openNodeAv } from '#engines/video/node-av.ts';
import { patternSize } from '#engines/video/plan.ts';
import type { Probe, VideoEngine } from '#engines/video/video.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoKinds } from '#tests/support/media/video-kinds.ts';
import { guards } from '../counts.ts';

guards('src/engines/video/**', 'src/engines/children/**');

/** Videos of every kind, and of real cameras where `PF_MEDIA` says where they lie, made by each engine. */
if (!canDrawClips) warnNoClips();
const walls = await openWalls({ hidden: [] });
const engines: [string, VideoEngine | undefined][] = [
  ['ffmpeg', await openFfmpeg(walls)],
  ['node-av', openNodeAv()],
];
const cameras = new Map(findCameraMaterial()?.map(({ name, path }) => [name, path]));

/** Patterns that say nothing. */
async function* greyOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  for (;;) yield new Uint8Array(new Uint16Array(width * height).fill(2048).buffer);
}

/** @returns the size of the video, or why there is none */
async function make(engine: VideoEngine, bytes: Buffer): Promise<unknown> {
  const bench = await openWorkbench(walls, Readable.from([bytes]));
  try {
    const probe = await engine.probe(bench);
    const job = { probe, patterns: greyOf(probe), seconds: 400, mostSeconds: 60 };
    const [first] = (await engine.transcode(bench, job, () => undefined)).rungs;
    return [first?.width, first?.height];
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  } finally {
    await bench.close();
  }
}

const ofCameras = [
  ['made__portrait_gps.mov', [360, 640]],
  ['made__vfr.mp4', [640, 360]],
  ['made__sar_2x1.mp4', [1280, 360]],
  ['androidx__sample_rotate_and_reflect.mp4', [720, 1080]],
  ['androidx__h265_with_metadata_track.mp4', [720, 1280]],
  ['androidx__hlg10-color-test.mp4', [1280, 720]],
  ['androidx__hdr10-av1.mp4', [720, 1280]],
  ['androidx__roadtrip-vp92-10bit.webm', [426, 240]],
  ['mdx__sample.3gp', [176, 144]],
  ['made__truncated_faststart.mp4', 'CORRUPT'],
  ['made__audio_only.mp4', 'NO_VIDEO_TRACK'],
] as const;

describe.each(engines)('videos by %s', { timeout: 600_000 }, (_, engine) => {
  it.runIf(canDrawClips).for(videoKinds)(
    '$kind come out upright, square and even',
    async ({ wish, size }, { skip }) => {
      if (engine === undefined) return skip('this engine is not here');
      expect(await make(engine, drawClip(wish))).toEqual(size);
    },
  );

  it.for(ofCameras)('of a real camera come out as its reference says: %s', async ([name, outcome], { skip }) => {
    if (engine === undefined) return skip('this engine is not here');
    const file = cameras.get(name);
    if (file === undefined) return skip('there are no camera files here');
    expect(await make(engine, readFileSync(file))).toEqual(outcome);
  });
});
