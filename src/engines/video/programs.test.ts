import { describe, expect, it } from 'vitest';
import { StorageAway } from '#engines/storage/storage.ts';
import { withoutUserData } from './init-segment.ts';
import { needWell, secondsOf } from './programs.ts';
import { VideoRefused } from './video.ts';

const thrown = (ended: 'badly' | 'overtime' | 'overlong_file', words: string): unknown => {
  try {
    return needWell({ ended, output: '', words });
  } catch (error) {
    return error;
  }
};

describe('a program that did not end well', () => {
  it.each([
    ['TIMEOUT', 'overtime', 'anything'],
    ['TOO_BIG', 'badly', '[hevc @ 0x1] get_buffer() failed\nCannot allocate memory'],
    ['TOO_BIG', 'badly', 'x264 [error]: malloc of size 5591808 failed\nFailed to open encoder'],
    ['TOO_BIG', 'badly', 'pthread_create failed: Resource temporarily unavailable. Try to increase `ulimit -v` or so'],
    ['TOO_BIG', 'badly', 'Failed to open encoder: Resource temporarily unavailable'],
    ['TOO_BIG', 'overlong_file', 'a video of too many bytes'],
    ['TOO_BIG', 'badly', '[h264 @ 0x1] Picture size 65535x65535 is invalid'],
    ['UNSUPPORTED', 'badly', '[concat @ 0x1] Format not on whitelist'],
    ['UNSUPPORTED', 'badly', 'Not detecting m3u8/hls with non standard extension\nInvalid data found'],
    ['UNSUPPORTED', 'badly', 'Decoder (codec vvc) not found for input stream #0:0'],
    ['CORRUPT', 'badly', 'moov atom not found\nInvalid data found when processing input'],
    ['CORRUPT', 'badly', ''],
  ] as const)('says %s', (code, ended, words) => {
    expect(thrown(ended, words)).toBeInstanceOf(VideoRefused);
    expect(thrown(ended, words)).toMatchObject({ code, message: words.split('\n').at(-1) });
  });

  it.each([
    '[h264 @ 0x1] get_buffer() failed\n[h264 @ 0x1] no frame!\nError while decoding stream #0:0: Invalid data found',
    'Error while decoding stream #0:0: Cannot allocate memory',
  ])('says so too where it went on without a frame: %s', (words) => {
    expect(() => needWell({ ended: 'well', output: '', words })).toThrow(VideoRefused);
    const damaged = '[h264 @ 0x1] video_get_buffer: image parameters invalid\n[h264 @ 0x1] get_buffer() failed';
    for (const noise of ['[h264 @ 0x1] corrupt', damaged])
      expect(needWell({ ended: 'well', output: 'all', words: noise }).output).toBe('all');
  });

  it('because of a full disk, or because it was not there, says nothing about its video', () => {
    expect(thrown('badly', 'av_interleaved_write_frame(): No space left on device')).toBeInstanceOf(StorageAway);
    const missing = thrown('badly', "nice: ‘/usr/bin/ffmpeg': No such file or directory");
    expect(missing).toBeInstanceOf(Error);
    expect(missing).not.toBeInstanceOf(VideoRefused);
  });
});

describe('the report of a program', () => {
  it('ends with how far it is, as soon as it is anywhere', () => {
    expect(secondsOf('frame=0\nout_time_us=N/A\n')).toBe(0);
    expect(secondsOf('out_time_us=500000\nprogress=continue\nout_time_us=1500000\n')).toBe(1.5);
  });
});

describe('the beginning of a video', () => {
  const box = (type: string, ...bodies: Buffer[]) => {
    const body = Buffer.concat(bodies);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const [ftyp, mvhd, trak] = [
    box('ftyp', Buffer.from('iso5')),
    box('mvhd', Buffer.alloc(9)),
    box('trak', Buffer.alloc(5)),
  ];

  it('loses what a muxer wrote about itself and nothing else', () => {
    const reported = Buffer.concat([ftyp, box('moov', mvhd, trak, box('udta', Buffer.from('Lavf59.27.100')))]);
    expect(withoutUserData(reported)).toEqual(Buffer.concat([ftyp, box('moov', mvhd, trak)]));
    const clean = Buffer.concat([ftyp, box('moov', mvhd, trak)]);
    expect(withoutUserData(clean)).toEqual(clean);
  });

  it('stays as it is where it is not made of boxes', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('short'), Buffer.alloc(40, 0xff)])
      expect(withoutUserData(bytes)).toEqual(bytes);
  });
});
