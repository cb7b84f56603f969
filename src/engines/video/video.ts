import type { Workbench } from '#engines/children/workbench.ts';

/** No second of picture comes near this; a longer piece could be neither encrypted in memory nor served in one answer. */
export const mostSegmentBytes = 16 * 2 ** 20;

/** Why a file is no video of ours. */
export type VideoFailure = 'UNSUPPORTED' | 'CORRUPT' | 'NO_VIDEO_TRACK' | 'TOO_LONG' | 'TOO_BIG' | 'TIMEOUT';

/** A file that is refused; the message is the program's own words, for the log. */
export class VideoRefused extends Error {
  readonly code: VideoFailure;
  constructor(code: VideoFailure, words: string) {
    super(words);
    this.name = 'VideoRefused';
    this.code = code;
  }
}

/** A picture in the colours of Dolby Vision alone (profile 5): read as any other, a face is green and purple. */
export class DolbyVisionOnly extends VideoRefused {
  constructor() {
    super('UNSUPPORTED', 'Dolby Vision without a picture for others');
  }
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** How frames have to be turned to stand upright: mirrored top to bottom first, then by degrees clockwise. */
export interface Turn {
  isMirrored: boolean;
  degrees: 0 | 90 | 180 | 270;
}

/** What a file says about itself; foreign words, so every field was checked. */
export interface Probe {
  /** Until its picture has ended, and its sound. */
  seconds: number;
  /** How long of that the last picture stands, because the sound goes on; 0 where it does not. */
  tailSeconds: number;
  /** As one looks at it: square pixels, upright. */
  width: number;
  height: number;
  turn: Turn;
  /** Longest side as it is stored, before anything is scaled. */
  sidePx: number;
  fps: number;
  /** How large its frames are stored, where it says that they are of two fields; a single one may be of one moment all the same. */
  interlaced: Size | undefined;
  /** How its light is coded, when that is HDR. */
  hdr: { isHybridLog: boolean; isPrimariesKnown: boolean; isMatrixKnown: boolean } | undefined;
  /** What its colours are taken for where its matrix is not named, and what else is not; HDR has rules of its own. */
  guessedColours:
    | { as: 'bt709' | 'smpte170m'; unnamed: ('colorspace' | 'color_primaries' | 'color_trc')[] }
    | undefined;
  /** Number of the picture's stream, and of the sound's. */
  videoStream: number;
  audioStream: number | undefined;
  /** Kinds of personal data that stand in the file. */
  personal: ('location' | 'device' | 'time' | 'text')[];
}

/** One size of the ladder. */
export interface Rung {
  track: 'v720' | 'v480';
  width: number;
  height: number;
}

/** A finished track: one file of segments, one after another. */
export interface TrackFile {
  /** Name on the bench. */
  name: string;
  /** The clear beginning of the file: codec parameters, no picture. */
  init: Buffer;
  segments: { offset: number; sizeBytes: number; microseconds: number }[];
}

/** Everything that a video becomes: both variants of every rung, and the sound. */
export interface VideoFiles {
  rungs: (Rung & { a: TrackFile; b: TrackFile })[];
  audio: TrackFile | undefined;
  seconds: number;
}

/** A storyboard: one picture of cells, row by row, one cell every so many seconds. */
export interface Storyboard {
  cellSeconds: number;
  columns: number;
  rows: number;
  cells: number;
}

/** What a transcode is asked. */
export interface TranscodeJob {
  probe: Probe;
  /** One grey frame of 12 bits a second, of half the size of the first rung: see `patternSize`. Never ends. */
  patterns: AsyncIterable<Uint8Array>;
  /** Processor time. */
  seconds: number;
  /** Where the video and its sound are cut off, whatever the file said of its length. */
  mostSeconds: number;
}

/** Frames of a video as plain pixels. They lie on a clock of 30 a second that begins with the video, however many it has itself. */
export interface FramesRequest {
  width: number;
  height: number;
  /** Where to begin, in whole seconds. */
  firstSecond: number;
  /** How many there are at most. */
  frames: number;
  /** Of each second only these, 0 to 29. */
  ofEach?: readonly number[] | undefined;
  /** Three bytes a pixel, red, green and blue, of an HDR video as SDR; else one, its light as it is coded. */
  isInColour?: boolean | undefined;
  /** Key frames as they are stored, without a clock. */
  isKeyFramesOnly?: boolean | undefined;
}

/** A video of which frames are read; one of ours stands upright and is never HDR. */
export type ReadVideo = Pick<Probe, 'videoStream'> & Partial<Pick<Probe, 'turn' | 'hdr' | 'guessedColours'>>;

/** Reads foreign videos behind a wall. Every method throws `VideoRefused`, or the signal's reason within a second. */
export interface VideoEngine {
  /** Name and version, for the log and the operator. */
  name: string;
  probe(bench: Workbench, signal?: AbortSignal): Promise<Probe>;
  /** @returns a PNG of the size of the first rung */
  drawPoster(bench: Workbench, probe: Probe, signal?: AbortSignal): Promise<Buffer>;
  /** @returns a PNG of all cells */
  drawStoryboard(bench: Workbench, probe: Probe, signal?: AbortSignal): Promise<Buffer>;
  /** @returns pixels, frame after frame; fewer than were wanted where the video ends */
  readFrames(bench: Workbench, video: ReadVideo, wanted: FramesRequest, signal?: AbortSignal): Promise<Buffer>;
  /** @param onProgress hears a share from 0 to 1 */
  transcode(
    bench: Workbench,
    job: TranscodeJob,
    onProgress: (share: number) => void,
    signal?: AbortSignal,
  ): Promise<VideoFiles>;
  /**
   * Draws in what the variants of each rung differ, by what was made of them and not by what should be in it: of every second's key
   * frame the luma of A less that of B, 128 where they are the same, averaged down to a size.
   * @returns of each rung the name of a file of plain pixels, one byte each, second after second
   */
  drawDifferences(bench: Workbench, rungs: VideoFiles['rungs'], size: Size, signal?: AbortSignal): Promise<string[]>;
}
