import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMade, keepMade } from './material.ts';

/** Clips are drawn by the ffmpeg program; without it tests of videos say so and are skipped. */
export const canDrawClips = spawnSync('ffmpeg', ['-version']).status === 0;

/**
 * Says once why nothing is tested here.
 * @throws where nobody reads along: in CI a test of videos that is missing fails, unless TEST_WITHOUT_VIDEOS=1 allows it
 */
export const warnNoClips = (): void => leaveOutVideos('there is no ffmpeg on this machine');

/** The same of playing them. @param said which browser it is @throws as `warnNoClips` */
export const warnNoPlayer = (said: string): void => leaveOutVideos(`this browser plays no H.264 (${said})`);

function leaveOutVideos(why: string): void {
  const { CI: ci = '', TEST_WITHOUT_VIDEOS: allowed } = process.env;
  const isUnwatched = ci !== '' && ci !== 'false' && ci !== '0';
  if (isUnwatched && allowed !== '1')
    throw new Error(
      `Videos cannot be tested: ${why}. Give this machine what is missing, or say TEST_WITHOUT_VIDEOS=1.`,
    );
  process.stdout.write(`Videos are not tested: ${why}.\n`);
}

export interface ClipParams {
  seconds?: number;
  width?: number;
  height?: number;
  fps?: number;
  hasSound?: boolean;
  /** Further arguments of ffmpeg, before the file's name. */
  also?: readonly string[];
  /** Ending of the file: its container. */
  ending?: string;
}

/** A small moving picture with a tone, all made by ffmpeg itself; drawn once in a run of tests. */
export function drawClip(wish: ClipParams = {}): Buffer {
  const recipe = ['clip', wish];
  return findMade(recipe) ?? keepMade(recipe, draw(wish));
}

function draw({
  seconds = 2,
  width = 320,
  height = 180,
  fps = 30,
  hasSound = true,
  also = [],
  ending = 'mp4',
}: ClipParams): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-clip-'));
  const file = path.join(folder, `clip.${ending}`);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`];
  const sound = hasSound ? ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`] : [];
  try {
    execFileSync('ffmpeg', ['-v', 'error', '-threads', '1', ...picture, ...sound, ...also, file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
