import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { drawClip } from '#tests/support/media/clips.ts';
import { accidentCount, damage, type HostileFile, numbersFrom } from './hostile-files.ts';

const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');

/** Writes numbers of 32 bits behind the names of boxes, as many times as a box of that name comes. */
function changed(video: Buffer, changes: readonly [box: string, offset: number, value: number][]): Buffer {
  const bytes = Buffer.from(video);
  for (const [box, offset, value] of changes)
    for (let at = bytes.indexOf(box); at >= 0; at = bytes.indexOf(box, at + 4)) bytes.writeUInt32BE(value, at + offset);
  return bytes;
}

const tenHours = 36_000;
/** Ticks of a second of sound, of which a length holds no ten hours with its sign, and the video's own second. */
const [mostTicks, videoTicks] = [0x7fff_ffff, 1000 * tenHours];

/** Videos of a second that say that they are ten hours long, in so few bytes (ISO/IEC 14496-12 §8.2.2, §8.4.2, §8.6.1). */
function sparseVideos(clip: Buffer): [string, Buffer, string?][] {
  const heads: [string, number, number][] = [
    ['mvhd', 20, videoTicks],
    ['tkhd', 24, videoTicks],
    ['elst', 12, videoTicks],
    ['mdhd', 20, mostTicks],
  ];
  const silent = drawClip({ seconds: 1, width: 160, height: 90, hasSound: false, also: ['-movflags', '+faststart'] });
  // One entry: 30 frames, 1/30 s each, in ticks of 1/15360 s.
  const slow = changed(silent, [['stts', 16, 15_360 * (tenHours / 30)]]);
  const many = changed(silent, [['stts', 12, 30 * tenHours]]);
  const promised = Buffer.alloc(16);
  promised.writeUInt32BE(1);
  promised.write('mdat', 4, 'latin1');
  promised.writeBigUInt64BE(2n ** 40n, 8);
  return [
    ['ten hours by its heads', changed(clip, heads)],
    ['ten hours by the length of a frame', changed(slow, heads), 'TOO_LONG'],
    ['a million frames that are not there', changed(many, heads)],
    ['a terabyte that is not there', Buffer.concat([silent.subarray(0, silent.indexOf('mdat') - 4), promised])],
  ];
}

const small = { seconds: 1, width: 160, height: 90 };
const drawSmall = () => drawClip({ ...small, also: ['-movflags', '+faststart'] });

/** Files that would have another file read, or that promise what no machine holds; `sink` is an address that nobody may ask. */
export function makeLiars(sink: string): HostileFile[] {
  const good = drawSmall();
  const joining = (piece: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${piece}\n#EXT-X-ENDLIST\n`;
  const playlist = joining(`${sink}/a.ts`);
  const webm = Buffer.concat([Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex')]);
  const giant = Buffer.from(good);
  const size = giant.indexOf('avc1') + 28;
  giant.writeUInt16BE(65_535, size);
  giant.writeUInt16BE(65_535, size + 2);
  const files: [string, string | Buffer, string?][] = [
    ['playlist', playlist, 'UNSUPPORTED'],
    ['playlist that joins a file of this machine', joining(`concat:${sink}/x.m3u8|file:///etc/passwd`), 'UNSUPPORTED'],
    ['playlist of a piece of a file', joining('subfile,,start,0,end,99,,:/etc/passwd'), 'UNSUPPORTED'],
    ['concat list', `ffconcat version 1.0\nfile '${sink}/b.mp4'\n`, 'UNSUPPORTED'],
    ['concat list of this machine', "ffconcat version 1.0\nfile '/etc/passwd'\n", 'UNSUPPORTED'],
    ['playlist behind the head of an mp4', Buffer.concat([head, Buffer.from(playlist)])],
    ['playlist behind the head of a webm', Buffer.concat([webm, Buffer.from(playlist)])],
    ['html', `<html><video src="${sink}/c"></html>`, 'UNSUPPORTED'],
    ['svg', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${sink}/d"/></svg>`, 'UNSUPPORTED'],
    ['only a head', head],
    ['mp4 of 65,535 pixels a side', giant],
    [
      'transport stream of nothing',
      Buffer.concat(Array.from({ length: 400 }, () => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, 0xff)]))),
    ],
    ...sparseVideos(good),
  ];
  return files.map(([what, bytes, code]) => ({
    what,
    name: `${what}.mp4`,
    bytes: Buffer.from(bytes),
    ...(code !== undefined && { code }),
  }));
}

const hostileMaterial =
  /^made__(m3u8_as|concat_as|audio_only|truncated_faststart)\.mp4$|^androidx__sample_(vvc|missing_stsd|empty_track)\.mp4$/;
const codes: Record<string, string> = {
  'made__m3u8_as.mp4': 'UNSUPPORTED',
  'made__concat_as.mp4': 'UNSUPPORTED',
  'made__audio_only.mp4': 'NO_VIDEO_TRACK',
  'made__truncated_faststart.mp4': 'CORRUPT',
};

/** Deliberately broken files of others, and videos for which there may be no decoder, where there are any. */
export function findHostileVideos(): HostileFile[] {
  const material = findCameraMaterial();
  if (material === undefined)
    process.stdout.write('No hostile videos of others: set PF_MEDIA to a folder that has some.\n');
  return (material ?? [])
    .filter(({ name }) => hostileMaterial.test(name))
    .map(({ name, path }) => {
      const code = codes[name];
      return { what: name, name, bytes: readFileSync(path), ...(code !== undefined && { code }) };
    });
}

/** Every container and coding that is taken, as phones, browsers and cutting rooms make them; one a line, small and short. */
const kinds: readonly [kind: string, ending: string, also: readonly string[]][] = [
  ['H.264 in MP4', 'mp4', ['-movflags', '+faststart']],
  ['H.264 in MOV', 'mov', []],
  ['H.264 in a transport stream', 'ts', []],
  ['H.264 of ten bits in MKV', 'mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le']],
  ['H.264 in 3GP', '3gp', ['-c:v', 'libx264', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
  ['H.264 in a fragmented MP4', 'mp4', ['-movflags', '+frag_keyframe+empty_moov']],
  ['HEVC in MOV', 'mov', ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=error']],
  ['HEVC of ten bits in MP4', 'mp4', ['-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=error']],
  ['HEVC in a transport stream', 'ts', ['-c:v', 'libx265', '-x265-params', 'log-level=error']],
  ['AV1 in MP4', 'mp4', ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8']],
  ['AV1 of ten bits in MKV', 'mkv', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p10le']],
  ['VP8 in WebM', 'webm', ['-c:v', 'libvpx', '-deadline', 'realtime']],
  ['VP9 in WebM', 'webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
  ['VP9 of ten bits in WebM', 'webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-pix_fmt', 'yuv420p10le']],
  ['MPEG-4 in AVI', 'avi', ['-c:v', 'mpeg4']],
  ['Motion JPEG in AVI', 'avi', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p']],
  ['ProRes in MOV', 'mov', ['-c:v', 'prores', '-pix_fmt', 'yuv422p10le']],
];

/** A good clip of every kind for which this machine has an encoder. @returns those that it lacks as well, by name */
function drawKinds(): { drawn: { kind: string; bytes: Buffer }[]; lacking: string[] } {
  const encoders = spawnSync('ffmpeg', ['-v', 'error', '-encoders'], { encoding: 'utf8' }).stdout.split(/\s+/);
  const isHere = (also: readonly string[]) => {
    const coder = also.indexOf('-c:v');
    return coder < 0 || encoders.includes(also[coder + 1] ?? '');
  };
  const wanted = kinds.filter(([, , also]) => isHere(also));
  return {
    drawn: wanted.map(([kind, ending, also]) => ({ kind, bytes: drawClip({ ...small, ending, also }) })),
    lacking: kinds.filter((kind) => !wanted.includes(kind)).map(([kind]) => kind),
  };
}

/** Of each seed `perKind` accidents of videos of every container and coding, one sort after another. */
export function damageVideos(seeds: readonly number[], perKind: number): HostileFile[] {
  const { drawn, lacking } = drawKinds();
  if (lacking.length > 0) process.stdout.write(`No hostile videos in ${lacking.join(', ')}: no encoder here.\n`);
  return seeds.flatMap((seed) => {
    const random = numbersFrom(seed);
    const first = Math.floor(random() * accidentCount);
    return drawn.flatMap(({ kind, bytes }, n) =>
      Array.from({ length: perKind }, (_, turn) => {
        const { what, bytes: damaged } = damage(bytes, random, first + n + turn);
        return { what: `${kind}: ${what}`, name: 'video.mp4', bytes: damaged };
      }),
    );
  });
}
