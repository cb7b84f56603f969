import { describe, expect, it } from 'vitest';
import { DolbyVisionOnly, type Probe, VideoRefused } from '#engines/video/video.ts';
import {
  describeVideoFailure,
  NoVideoEngine,
  NoVideoTime,
  refuseFile,
  refuseVideo,
  takenSecondsOf,
} from './video-limits.ts';

const limits = { fileBytes: 4e9, minutes: 60, sidePx: 8192, fps: 120, jobSeconds: 120, jobSecondsPerSecond: 20 };
const probe: Probe = {
  seconds: 10,
  tailSeconds: 0,
  width: 1920,
  height: 1080,
  sidePx: 1920,
  fps: 30,
  hdr: undefined,
  interlaced: undefined,
  turn: { isMirrored: false, degrees: 0 },
  guessedColours: undefined,
  videoStream: 0,
  audioStream: 1,
  personal: [],
};
const verdictOn = (changes: Partial<Probe>) => {
  try {
    refuseVideo({ ...probe, ...changes }, limits);
    return 'taken';
  } catch (error) {
    return (error as VideoRefused).code;
  }
};

describe('a video', () => {
  it.each([
    ['taken', { seconds: 3600.04 }],
    ['TOO_LONG', { seconds: 3602 }],
    ['taken', { sidePx: 8192 }],
    ['TOO_BIG', { sidePx: 8193 }],
    ['taken', { fps: 120.05 }],
    ['TOO_BIG', { fps: 240 }],
    ['taken', { seconds: 0.03, fps: 0 }],
  ])('is %s at %o', (verdict, changes) => expect(verdictOn(changes)).toBe(verdict));

  it('takes each second that it has begun, but for what clocks round, and at least one', () =>
    expect([0.02, 1.04, 1.2, 3599.2, 3600, 3600.04].map((seconds) => takenSecondsOf({ seconds }, limits))).toEqual([
      1, 1, 2, 3600, 3600, 3600,
    ]));

  it('is refused in words that name the limit in force', () => {
    const tell = (code: VideoRefused['code'], minutes = 60) =>
      describeVideoFailure(new VideoRefused(code, ''), { ...limits, minutes });
    expect(tell('TOO_LONG')).toBe('Videos can be up to 60 minutes.');
    expect(tell('TOO_LONG', 1)).toBe('Videos can be up to 1 minute.');
    expect(tell('TOO_BIG')).toBeUndefined();
    const toldOf = (refuse: () => void) => {
      try {
        refuse();
      } catch (error) {
        return describeVideoFailure(error as VideoRefused, limits);
      }
    };
    expect(toldOf(() => refuseFile(4e9, limits))).toBeUndefined();
    expect(toldOf(() => refuseFile(4e9 + 1, limits))).toBe('Videos can be up to 4 GB.');
    expect(toldOf(() => refuseVideo({ ...probe, sidePx: 8193 }, limits))).toBe(
      'Videos can be up to 8,192 pixels per side.',
    );
    expect(toldOf(() => refuseVideo({ ...probe, fps: 240 }, limits))).toBe(
      'Videos can be up to 120 frames per second.',
    );
    expect(tell('CORRUPT')).toBeUndefined();
    expect(describeVideoFailure(new DolbyVisionOnly(), limits)).toContain('Export it as HDR10');
    expect(describeVideoFailure(new NoVideoEngine(), limits)).toContain('install ffmpeg');
    expect(describeVideoFailure(new NoVideoTime(90, 60), limits)).toMatch(
      /^This video lasts 1 min 30 s, and you have /,
    );
    expect(describeVideoFailure(new NoVideoTime(undefined, 60), limits)).toMatch(
      /^This video lasts longer than its file says/,
    );
  });
});
