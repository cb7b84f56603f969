import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole, rungsOf, storyboardOf } from './plan.ts';
import { readPlaylist } from './playlist.ts';
import { decodableIn, readProbe } from './read-probe.ts';
import { DolbyVisionOnly } from './video.ts';

const sizes = (width: number, height: number) => rungsOf({ width, height }).map((rung) => [rung.width, rung.height]);

describe('the ladder', () => {
  it('has 720 and 480 lines on the short side, whichever that is', () => {
    expect(sizes(1920, 1080)).toEqual([
      [1280, 720],
      [854, 480],
    ]);
    expect(sizes(1080, 1920)).toEqual([
      [720, 1280],
      [480, 854],
    ]);
  });

  it('is never enlarged, and leaves out a rung that is hardly smaller', () => {
    expect(sizes(640, 360)).toEqual([[640, 360]]);
    expect(sizes(518, 488)).toEqual([[518, 488]]);
    expect(sizes(1, 1)).toEqual([[2, 2]]);
  });

  it('has even sides and keeps the aspect ratio', () => {
    const side = fc.integer({ min: 1, max: 8192 });
    void fc.assert(
      fc.property(side, side, (width, height) => {
        for (const rung of rungsOf({ width, height })) {
          expect([rung.width % 2, rung.height % 2]).toEqual([0, 0]);
          expect(Math.min(rung.width, rung.height)).toBeLessThanOrEqual(720);
          const error = Math.abs(rung.width * height - rung.height * width) / Math.max(width, height);
          expect(error).toBeLessThanOrEqual(2);
        }
      }),
    );
  });
});

describe('a storyboard', () => {
  it('has a cell a second, and fewer where the sheet would not hold them', () => {
    expect(storyboardOf({ seconds: 0.1 })).toMatchObject({ cellSeconds: 1, cells: 1 });
    expect(storyboardOf({ seconds: 42 })).toMatchObject({ cellSeconds: 1, cells: 42 });
    expect(storyboardOf({ seconds: 3600 })).toMatchObject({ cellSeconds: 86, cells: 42 });
  });
});

describe('a video that is shorter than its file says', () => {
  it('is damaged from half a second and two per cent on', () => {
    expect([isWhole(97.6, 100), isWhole(97.4, 100), isWhole(0.1, 0.5), isWhole(0, 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('a playlist', () => {
  const lines = (rest: string) => `#EXTM3U\n#EXT-X-MAP:URI="a.m4s",BYTERANGE="800@0"\n${rest}#EXT-X-ENDLIST\n`;
  const segment = (size: number, offset: number) => `#EXTINF:1.000000,\n#EXT-X-BYTERANGE:${size}@${offset}\na.m4s\n`;

  it('says where each segment lies', () => {
    const read = readPlaylist(lines(segment(100, 800) + segment(50, 900)), 2000);
    expect(read).toEqual({
      initBytes: 800,
      segments: [
        { offset: 800, sizeBytes: 100, microseconds: 1_000_000 },
        { offset: 900, sizeBytes: 50, microseconds: 1_000_000 },
      ],
    });
  });

  it.each([
    ['leaves a gap', lines(segment(100, 801)), 2000],
    ['goes beyond its file', lines(segment(1300, 800)), 2000],
    ['names no segment', lines(''), 2000],
    ['begins with more than a player needs', lines(segment(1, 65_537)).replace('"800@0"', '"65537@0"'), 80_000],
    ['has a piece that nobody could be sent', lines(segment(2 ** 24, 800)), 2 ** 25],
    ['has a piece of minutes', lines(segment(1, 800)).replace(/EXTINF:[\d.]+/, 'EXTINF:600.0'), 2000],
    ['has no end', `${lines(segment(1, 800)).replace('#EXT-X-ENDLIST', '')}`, 2000],
  ])('is none when it %s', (_, text, size) => expect(readPlaylist(text, size)).toBeUndefined());
});

describe('a probe', () => {
  const probe = (stream: object, format: object = {}) =>
    readProbe(
      JSON.stringify({
        format,
        streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', width: 640, height: 360, ...stream }],
      }),
    );

  it('shows a video as one looks at it', () => {
    expect(probe({ sample_aspect_ratio: '2:1' })).toMatchObject({ width: 1280, height: 360, sidePx: 640 });
    expect(probe({ side_data_list: [{ rotation: -90 }] })).toMatchObject({ width: 360, height: 640 });
    expect(probe({ side_data_list: [{ rotation: 180 }] })).toMatchObject({ width: 640, height: 360 });
    expect(probe({ sample_aspect_ratio: '0:1' })).toMatchObject({ width: 640 });
  });

  it('refuses what only Dolby Vision can show, and takes what others can show as well', () => {
    const dolby = (id: number) => probe({ side_data_list: [{ dv_profile: 5, dv_bl_signal_compatibility_id: id }] });
    expect(() => dolby(0)).toThrow(DolbyVisionOnly);
    for (const id of [1, 2, 4, 6]) expect(dolby(id)).toMatchObject({ width: 640 });
  });

  it('says how its frames have to be turned, by the matrix of its track', () => {
    const lines = ([a, b, c, d]: readonly number[]) =>
      `\n00000000: ${a} ${b} 0\n00000001: ${c} ${d} 0\n00000002: 0 0 1073741824\n`;
    const turnBy = (matrix: readonly number[]) =>
      probe({ side_data_list: [{ service_type: 0 }, { displaymatrix: lines(matrix), rotation: 45 }] }).turn;
    const one = 65_536;
    expect(turnBy([0, one, -one, 0])).toEqual({ isMirrored: false, degrees: 90 });
    expect(turnBy([0, -one, one, 0])).toEqual({ isMirrored: false, degrees: 270 });
    expect(turnBy([-one, 0, 0, -one])).toEqual({ isMirrored: false, degrees: 180 });
    expect(turnBy([0, one, one, 0])).toEqual({ isMirrored: true, degrees: 90 });
    expect(turnBy([65_000, 3000, -3000, 65_000])).toEqual({ isMirrored: false, degrees: 0 });
    expect(probe({ side_data_list: [{ displaymatrix: 'none', rotation: 90 }] }).turn).toEqual({
      isMirrored: false,
      degrees: 270,
    });
    expect(probe({}).turn).toEqual({ isMirrored: false, degrees: 0 });
  });

  it('finds its length in the picture, in a tag of Matroska, or in the file, or nowhere', () => {
    expect(probe({ duration: '2.5' }, { duration: '9' }).lengths).toMatchObject({ picture: 2.5, file: 9 });
    expect(probe({ tags: { DURATION: '01:00:01.500000000' } }).lengths.picture).toBe(3601.5);
    expect(probe({ tags: { 'DURATION-eng': '00:00:05.000000000' } }).lengths.picture).toBe(5);
    expect(probe({}, { duration: '9' }).lengths).toMatchObject({ picture: undefined, file: 9 });
    expect(probe({ duration: 'N/A' }).lengths).toEqual({ picture: undefined, sound: undefined, file: undefined });
  });

  it('counts to the end of a picture that begins after its sound', () => {
    const late = { start_time: '12.5', duration: '3' };
    expect(probe(late, { start_time: '10' }).lengths.picture).toBe(5.5);
    expect(probe({ start_time: '10', duration: '3' }, { start_time: '10.5' }).lengths.picture).toBe(3);
    expect(probe({ start_time: 'N/A', duration: '3' }, { start_time: '10' }).lengths.picture).toBe(3);
  });

  describe('of several tracks takes', () => {
    const track = (index: number, isDefault: boolean, more: object) => ({
      index,
      codec_type: 'video',
      codec_name: 'h264',
      width: 640,
      height: 360,
      disposition: { default: isDefault ? 1 : 0 },
      ...more,
    });
    const sound = (index: number, isDefault: boolean, codec_name: string) =>
      track(index, isDefault, { codec_type: 'audio', codec_name });
    const chosen = (...streams: object[]) => {
      const { videoStream, audioStream } = readProbe(
        JSON.stringify({ streams }),
        (codec) => codec !== 'mpegh_3d_audio',
      );
      return [videoStream, audioStream];
    };

    it('the picture that the file means to be seen, wherever it stands, and of several the largest', () => {
      const small = { width: 64, height: 64 };
      expect(chosen(track(0, false, { width: 1920, height: 1080 }), track(1, true, {}))).toEqual([1, undefined]);
      expect(chosen(track(0, true, small), track(1, true, {}))).toEqual([1, undefined]);
      expect(chosen(track(0, false, small), track(1, false, {}))).toEqual([1, undefined]);
    });

    it('one that can be decoded before one that is meant, of picture and of sound alike', () => {
      const unknown = track(0, true, { codec_name: 'none' });
      expect(chosen(unknown, track(1, false, {}))).toEqual([1, undefined]);
      const [spatial, stereo] = [sound(1, true, 'mpegh_3d_audio'), sound(2, false, 'aac')];
      expect(chosen(track(0, true, {}), spatial, stereo)).toEqual([0, 2]);
      expect(chosen(track(0, true, {}), sound(1, false, 'aac'), sound(2, true, 'aac'))).toEqual([0, 2]);
    });

    it('no sound where none can be decoded: the picture is shown without', () => {
      expect(chosen(track(0, true, {}), sound(1, true, 'mpegh_3d_audio'))).toEqual([0, undefined]);
    });
  });

  it('knows what ffmpeg can decode by its list, and what it can only name or write', () => {
    const list = [
      'Codecs:',
      ' D..... = Decoding supported',
      ' -------',
      ' D.VI.S 012v                 Uncompressed 4:2:2 10-bit',
      ' DEVIL. mjpeg                Motion JPEG',
      ' ..AI.S mpegh_3d_audio       MPEG-H 3D Audio',
      ' .EA.L. only_written         Something',
      ' DEA.L. aac                  AAC (Advanced Audio Coding) (decoders: aac aac_fixed )',
    ];
    expect([...decodableIn(list.join('\n'))]).toEqual(['012v', 'mjpeg', 'aac']);
  });

  it('knows no pace where frames are irregular: what is said then is the clock, not the frames', () => {
    expect(probe({ avg_frame_rate: '30000/1001', r_frame_rate: '60/1' }).fps).toBeCloseTo(29.97, 2);
    expect(probe({ avg_frame_rate: '0/0', r_frame_rate: '1000/1' }).fps).toBe(0);
  });

  it('guesses what colours are by their size where nothing is said, but of HDR', () => {
    const colours = (stream: object) => probe(stream).guessedColours;
    const unnamed = ['colorspace', 'color_primaries', 'color_trc'];
    expect(colours({})).toEqual({ as: 'smpte170m', unnamed });
    expect(colours({ width: 720, height: 576, color_space: 'unknown' })?.as).toBe('smpte170m');
    for (const [width, height] of [
      [1080, 1920],
      [1280, 536],
      [960, 720],
    ])
      expect(colours({ width, height })?.as).toBe('bt709');
    expect(colours({ color_primaries: 'smpte432', color_transfer: 'iec61966-2-1' })?.unnamed).toEqual(['colorspace']);
    expect(colours({ color_space: 'bt470bg' })).toBeUndefined();
    expect(colours({ color_transfer: 'smpte2084' })).toBeUndefined();
  });

  it('takes cover art for no picture', () => {
    expect(() => probe({ disposition: { attached_pic: 1 } })).toThrow('no picture');
    expect(() => probe({ codec_name: 'none' })).toThrow('no decoder');
    expect(() => readProbe('{"streams":[')).toThrow('nothing that we understand');
  });
});
