import { closeSync, readSync } from 'node:fs';
import type { Workbench } from '#engines/children/workbench.ts';
import { withoutUserData } from './init-segment.ts';
import { rungsOf } from './plan.ts';
import { readPlaylist } from './playlist.ts';
import { type Probe, type TrackFile, type VideoFiles, VideoRefused } from './video.ts';

/** One output of a transcode: its files' name, and the label of the filter that feeds it; the sound has none. */
interface Output {
  name: string;
  label: string | undefined;
}

/** The outputs of a transcode, both variants of a rung beside each other. */
export function tracksOf(probe: Probe): Output[] {
  const pictures = rungsOf(probe).flatMap(({ track }, n) =>
    (['a', 'b'] as const).map((variant) => ({ name: `${track}-${variant}`, label: `[${variant}${n}]` })),
  );
  return probe.audioStream === undefined ? pictures : [...pictures, { name: 'audio', label: undefined }];
}

/** No track of an hour comes near this. */
const mostBytes = 8e9;
/** A playlist of an hour has 300 kB. */
const playlistBytes = 4e6;

/**
 * Reads where everything lies that a transcode made, and checks what a player relies on: variants begin with the same bytes
 * and are cut at the same moments, so any mix of them plays.
 * @throws VideoRefused when nothing was made, Error when variants do not match
 */
export function collectTracks(bench: Workbench, probe: Probe): VideoFiles {
  const rungs = rungsOf(probe).map((rung) => {
    const [a, b] = [readTrack(bench, `${rung.track}-a`), readTrack(bench, `${rung.track}-b`)];
    if (!a.init.equals(b.init)) throw new Error(`the variants of ${rung.track} begin differently`);
    return { ...rung, a, b };
  });
  const [first] = rungs;
  const times = ({ segments }: TrackFile) => segments.map(({ microseconds }) => microseconds).join();
  const cuts = new Set(rungs.flatMap(({ a, b }) => [times(a), times(b)]));
  if (first === undefined || cuts.size !== 1) throw new Error('the variants are cut at different moments');
  const audio = probe.audioStream === undefined ? undefined : findTrack(bench, 'audio');
  const seconds = first.a.segments.reduce((sum, { microseconds }) => sum + microseconds, 0) / 1e6;
  return { rungs, audio, seconds };
}

function readTrack(bench: Workbench, name: string): TrackFile {
  const track = findTrack(bench, name);
  if (track === undefined) throw new VideoRefused('CORRUPT', `nothing of ${name} could be read`);
  return track;
}

function findTrack(bench: Workbench, name: string): TrackFile | undefined {
  const file = bench.open(`${name}.m4s`, mostBytes);
  if (file === undefined) return undefined;
  try {
    const playlist = bench.read(`${name}.m3u8`, playlistBytes)?.toString('latin1') ?? '';
    const read = readPlaylist(playlist, file.sizeBytes);
    if (read === undefined) return undefined;
    const init = Buffer.alloc(read.initBytes);
    readSync(file.descriptor, init, 0, init.length, 0);
    return { name: `${name}.m4s`, init: withoutUserData(init), segments: read.segments };
  } finally {
    closeSync(file.descriptor);
  }
}
