import * as z from 'zod';
import type { ReportedLengths } from './lengths.ts';
import { DolbyVisionOnly, type Probe, type Turn, VideoRefused } from './video.ts';

const text = z.string().max(10_000).optional().catch(undefined);
const tags = z.record(z.string(), z.string()).optional().catch(undefined);

/** What `ffprobe -show_format -show_streams` says, as far as we believe it. */
const answerShape = z.object({
  format: z.object({ format_name: text, duration: text, start_time: text, tags }).optional(),
  streams: z
    .array(
      z.object({
        index: z.int().min(0).max(10_000),
        codec_type: text,
        codec_name: text,
        width: z.int().min(0).max(1_000_000).optional(),
        height: z.int().min(0).max(1_000_000).optional(),
        sample_aspect_ratio: text,
        avg_frame_rate: text,
        r_frame_rate: text,
        field_order: text,
        color_transfer: text,
        color_primaries: text,
        color_space: text,
        duration: text,
        start_time: text,
        tags,
        disposition: z
          .object({ attached_pic: z.number().optional(), default: z.number().optional() })
          .optional()
          .catch(undefined),
        side_data_list: z
          .array(
            z.object({
              displaymatrix: text,
              rotation: z.number().optional().catch(undefined),
              dv_bl_signal_compatibility_id: z.number().optional().catch(undefined),
            }),
          )
          .optional()
          .catch(undefined),
      }),
    )
    .max(200),
});
type Answer = z.infer<typeof answerShape>;
type Stream = Answer['streams'][number];

/** What a file says of itself, before its tracks are measured where it does not tell their lengths. */
export type ReportedProbe = Omit<Probe, 'seconds' | 'tailSeconds'> & { lengths: ReportedLengths };

const hybridLog = 'arib-std-b67';
const hdrTransfers = new Set(['smpte2084', hybridLog]);
const interlacedOrders = new Set(['tt', 'bb', 'tb', 'bt']);
const isNamed = (value: string | undefined) => value !== undefined && !/^(unknown|reserved|unspecified)$/.test(value);
/** A stream whose coding this program knows at all. */
const isKnown = ({ codec_name }: Stream) => codec_name !== undefined && !/^(none|unknown)$/.test(codec_name);
const isDefault = ({ disposition }: Stream) => disposition?.default === 1;

/** The names of the codecs that a program can decode, by what it says of all that it has heard of: "D.A.L. aac". */
export const decodableIn = (codecs: string): ReadonlySet<string> =>
  new Set([...codecs.matchAll(/^ D[\w.]{5} (\w+)/gm)].map(([, name = '']) => name));

/**
 * Reads what ffprobe said.
 * @param canDecode whether there is a decoder for a codec of that name
 * @throws VideoRefused
 */
export function readProbe(output: string, canDecode: (codecName: string) => boolean = () => true): ReportedProbe {
  const answer = answerShape.safeParse(parsed(output));
  if (!answer.success) throw new VideoRefused('CORRUPT', 'the probe said nothing that we understand');
  const { streams, format } = answer.data;
  const pictures = streams.filter((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1);
  if (pictures.length === 0) throw new VideoRefused('NO_VIDEO_TRACK', 'no picture');
  const isReadable = (each: Stream) => isKnown(each) && canDecode(each.codec_name ?? '');
  const video = choosePicture(pictures.filter(isReadable));
  if (!video) throw new VideoRefused('UNSUPPORTED', 'no decoder for the picture');
  refuseDolbyVisionOnly(video);
  const [width, height] = [video.width ?? 0, video.height ?? 0];
  if (width === 0 || height === 0) throw new VideoRefused('CORRUPT', 'a picture without a size');
  const sounds = streams.filter((each) => each.codec_type === 'audio' && isReadable(each));
  const audio = sounds.find(isDefault) ?? sounds[0];
  const isHdr = hdrTransfers.has(video.color_transfer ?? '');
  const turn = turnOf(video);
  return {
    lengths: reportedLengths(video, audio, format),
    ...displaySize(video, width, height, turn),
    turn,
    sidePx: Math.max(width, height),
    fps: ratio(video.avg_frame_rate, '/') ?? 0,
    interlaced: interlacedOrders.has(video.field_order ?? '') ? { width, height } : undefined,
    hdr: isHdr
      ? {
          isHybridLog: video.color_transfer === hybridLog,
          isPrimariesKnown: isNamed(video.color_primaries),
          isMatrixKnown: isNamed(video.color_space),
        }
      : undefined,
    guessedColours: isHdr || isNamed(video.color_space) ? undefined : guessColours(video, width, height),
    videoStream: video.index,
    audioStream: audio?.index,
    personal: findPersonal([format?.tags, ...streams.map((stream) => stream.tags)]),
  };
}

/** Dolby Vision says of its picture with which other coding a player may take it for: 0 with none. */
function refuseDolbyVisionOnly({ side_data_list: all = [] }: Stream): void {
  if (all.some(({ dv_bl_signal_compatibility_id: id }) => id === 0)) throw new DolbyVisionOnly();
}

/** The one that its file means to be seen, and of several the largest: others are its small copy, or another camera's view. */
function choosePicture(readable: readonly Stream[]): Stream | undefined {
  const meant = readable.filter(isDefault);
  const areaOf = ({ width = 0, height = 0 }: Stream) => width * height;
  return (meant.length > 0 ? meant : readable).toSorted((one, other) => areaOf(other) - areaOf(one))[0];
}

/** High definition is BT.709 and what is smaller BT.601, as players guess; what the file does name stands. */
function guessColours(video: Stream, width: number, height: number): NonNullable<Probe['guessedColours']> {
  const isHigh = Math.max(width, height) >= 1280 || Math.min(width, height) > 576;
  const primaries = isNamed(video.color_primaries) ? [] : (['color_primaries'] as const);
  const transfer = isNamed(video.color_transfer) ? [] : (['color_trc'] as const);
  return { as: isHigh ? 'bt709' : 'smpte170m', unnamed: ['colorspace', ...primaries, ...transfer] };
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined; // cut off, or nothing at all: the caller says so
  }
}

/** Sample aspect ratio and rotation applied: a 2:1 clip would come out squashed. */
function displaySize(video: Stream, width: number, height: number, turn: Turn): { width: number; height: number } {
  const aspect = ratio(video.sample_aspect_ratio, ':') ?? 1;
  const square = { width: Math.max(1, Math.round(width * aspect)), height };
  return turn.degrees % 180 === 90 ? { width: square.height, height: square.width } : square;
}

/** Returns how a camera was held, by the matrix of its track (ISO/IEC 14496-12 §8.3.2), to the nearest quarter turn. */
function turnOf({ side_data_list: all }: Stream): Turn {
  const rotated = all?.find(({ displaymatrix, rotation }) => displaymatrix !== undefined || rotation !== undefined);
  const [a, b, , c, d] = matrixIn(rotated?.displaymatrix) ?? [];
  if (a === undefined || b === undefined || c === undefined || d === undefined)
    return { isMirrored: false, degrees: quarter(-(rotated?.rotation ?? 0)) };
  return { isMirrored: a * d - b * c < 0, degrees: quarter((Math.atan2(b, a) * 180) / Math.PI) };
}

function quarter(degrees: number): Turn['degrees'] {
  const quarters = [0, 90, 180, 270] as const;
  return quarters[(((Math.round(degrees / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3];
}

/** Three lines of three numbers, each line after its own number and a colon. */
function matrixIn(words: string | undefined): number[] | undefined {
  const numbers = [...(words ?? '').matchAll(/(?<![\da-f])[\da-f]+:((?: +-?\d+){3})/gi)].flatMap(([, line = '']) =>
    line.trim().split(/ +/).map(Number),
  );
  return numbers.length === 9 ? numbers : undefined;
}

/** The value of "a/b" or "a:b"; undefined where either is zero, which means unknown. */
function ratio(words: string | undefined, sign: '/' | ':'): number | undefined {
  const [above = 0, below = 0] = (words ?? '').split(sign).map(Number);
  return above > 0 && below > 0 ? above / below : undefined;
}

function secondsIn(words: string | undefined): number | undefined {
  const seconds = Number(words);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Of a transport stream nothing is believed: its clock jumps wherever it was put together, and tells of years. */
function reportedLengths(video: Stream, audio: Stream | undefined, format: Answer['format']): ReportedLengths {
  if (format?.format_name === 'mpegts') return { picture: undefined, sound: undefined, file: undefined };
  return { picture: endOf(video, format), sound: audio && endOf(audio, format), file: secondsIn(format?.duration) };
}

/** Where a stream ends, counted from where its file begins: one may begin later than others. */
function endOf({ duration, start_time, tags = {} }: Stream, format: Answer['format']): number | undefined {
  const [seconds, from, fileFrom] = [secondsIn(duration), Number(start_time), Number(format?.start_time)];
  if (seconds === undefined) return taggedEnd(tags);
  return seconds + (Number.isFinite(from - fileFrom) ? Math.max(0, from - fileFrom) : 0);
}

/** Matroska keeps where a stream ends as a tag, "00:00:05.005000000", which some programs name with its language. */
function taggedEnd(tags: Record<string, string>): number | undefined {
  const tag = Object.entries(tags).find(([name]) => /^DURATION(-\w+)?$/i.test(name))?.[1];
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(tag ?? '') ?? [];
  return secondsIn(String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)));
}

const personalTags: [Probe['personal'][number], RegExp][] = [
  ['location', /location|gps|iso6709/i],
  ['device', /(^|[.\-_])(make|model|manufacturer|software|lens|camera)|android|samsung/i],
  ['time', /creation|date|time_?code/i],
  ['text', /title|comment|artist|author|description|copyright|keywords|synopsis/i],
];

/** Returns which kinds of personal data the tags of a file hold. */
function findPersonal(all: readonly (Record<string, string> | undefined)[]): Probe['personal'] {
  const names = all.flatMap((each) => Object.keys(each ?? {}));
  return personalTags.filter(([, pattern]) => names.some((name) => pattern.test(name))).map(([kind]) => kind);
}
