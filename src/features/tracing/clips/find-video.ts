import { cells, insideBars, likenessOf, type Part, vectorsOf } from './small-frames.ts';

/** Frames a second of the clock on which clips and videos are laid. */
export const clockFps = 30;

/** A clip as it is looked for: small frames on the clock, and its shape. */
export interface SmallClip {
  frames: Uint8Array;
  /** Width over height. */
  aspect: number;
}

/** A video as it is looked in: the small key frame of each of its seconds. */
export interface SmallVideo {
  keyFrames: Uint8Array;
  aspect: number;
}

/** How a clip shows a video. */
export interface View {
  isMirrored: boolean;
  /** The part of the video that fills the clip inside its bars. */
  part: Part;
}

/** Where a clip shows a video: video frame = clip frame + `offset`. */
export interface Place {
  view: View;
  offset: number;
  /** Mean correlation of the frames that lie upon each other. */
  likeness: number;
  /** Of the clip, first and behind the last. */
  from: number;
  to: number;
}

/** How much of a video a clip may have been cut down to, of each side, around its middle and towards an edge or a corner. */
const zooms = [1, 0.9, 0.8, 0.7, 0.6];
/** Where on each axis the part lies that was left: at one end, in the middle, at the other. */
const ends = [0, 0.5, 1];
/** Shapes differ by more than rounding. */
const sameShape = 0.04;
/** So long a piece of the clip is laid upon the video at once, and so many of them are tried. */
const [pieceFrames, mostPieces] = [5 * clockFps, 6];
/** There are many views to the side: they are looked at on fewer pieces and frames first, and well where that is nearly as like. */
const aside = { pieces: 2, step: 5, nearly: 0.95 };
/** Nothing else needs to be tried. */
const surely = 0.93;

/** Every view that is tried, the likeliest first. */
function viewsOf(clipAspect: number, videoAspect: number): { view: View; isAside: boolean }[] {
  const ratio = clipAspect / videoAspect;
  const isSame = Math.abs(ratio - 1) < sameShape;
  const [width, height] = isSame ? [1, 1] : [Math.min(1, ratio), Math.min(1, 1 / ratio)];
  const viewAt = (zoom: number, x: number, y: number) => {
    const [w, h] = [zoom * width, zoom * height];
    return { left: x * (1 - w), top: y * (1 - h), width: w, height: h };
  };
  const inTheMiddle = zooms.map((zoom) => viewAt(zoom, 0.5, 0.5));
  const toTheSide = zooms.flatMap((zoom) => {
    const along = (length: number) => (zoom * length < 1 ? ends : [0.5]);
    const places = along(width).flatMap((x) => along(height).map((y) => [x, y] as const));
    return places.filter(([x, y]) => x !== 0.5 || y !== 0.5).map(([x, y]) => viewAt(zoom, x, y));
  });
  const bothWays = (parts: readonly Part[], isAside: boolean) =>
    parts.flatMap((part) => [false, true].map((isMirrored) => ({ view: { isMirrored, part }, isAside })));
  return [...bothWays(inTheMiddle, false), ...bothWays(toTheSide, true)];
}

/** A clip's vectors, made once. */
export interface OpenClip {
  count: number;
  vectors: Float32Array;
  aspect: number;
}

/** Takes a clip without its bars. */
export function openClip({ frames, aspect }: SmallClip): OpenClip {
  const inside = insideBars(frames);
  const vectors = vectorsOf(frames, inside);
  return { vectors, count: vectors.length / cells, aspect: (aspect * inside.width) / inside.height };
}

/** Looks for a clip in a video by what both look like; undefined when no place was there to compare. */
export function findPlace(clip: OpenClip, video: SmallVideo): Place | undefined {
  let best: Place | undefined;
  for (const { view, isAside } of viewsOf(clip.aspect, video.aspect)) {
    const keys = vectorsOf(video.keyFrames, view.part, view.isMirrored);
    const found = isAside
      ? lookAside(clip, keys, aside.nearly * (best?.likeness ?? 0))
      : lookWell(clip, keys, piecesOf(clip.count, mostPieces));
    if (found && found.likeness > (best?.likeness ?? 0)) best = { view, ...found };
    if (best && best.likeness > surely) return best;
  }
  return best;
}

type Found = Omit<Place, 'view'>;

/** Returns where one of these pieces looks most like the video. */
function lookWell(clip: OpenClip, keys: Float32Array, pieces: readonly [number, number][]): Found | undefined {
  let best: Found | undefined;
  for (const [from, to] of pieces) {
    const found = bestOffset(clip, keys, from, to);
    if (found && found.likeness > (best?.likeness ?? 0)) best = { from, to, ...found };
  }
  return best;
}

/** The same of those pieces that are so like at a glance. */
function lookAside(clip: OpenClip, keys: Float32Array, likeness: number): Found | undefined {
  const isLike = ([from, to]: [number, number]) =>
    (bestOffset(clip, keys, from, to, aside.step)?.likeness ?? 0) >= likeness;
  return lookWell(clip, keys, piecesOf(clip.count, aside.pieces).filter(isLike));
}

/** A few pieces of a clip, evenly over it. */
function piecesOf(count: number, most: number): [number, number][] {
  if (count <= pieceFrames) return [[0, count]];
  const pieces = Math.min(most, Math.floor(count / pieceFrames));
  const gap = pieces > 1 ? (count - pieceFrames) / (pieces - 1) : 0;
  return Array.from({ length: pieces }, (_, n) => {
    const from = Math.round(pieces > 1 ? n * gap : (count - pieceFrames) / 2);
    return [from, from + pieceFrames];
  });
}

/** The offset at which a piece looks most like the video, out of every `step` frames. */
function bestOffset(
  clip: OpenClip,
  keys: Float32Array,
  from: number,
  to: number,
  step = 1,
): Pick<Place, 'offset' | 'likeness'> | undefined {
  const [count, length] = [keys.length / cells, to - from];
  const [first, span] = [-to + 1, clockFps * (count - 1) + to - from];
  const [sums, seen] = [new Float32Array(Math.max(1, span)), new Uint8Array(Math.max(1, span))];
  for (let key = 0; key < count; key++)
    for (let frame = from; frame < to; frame += step) {
      const at = clockFps * key - frame - first;
      sums[at] = (sums[at] as number) + likenessOf(keys, key, clip.vectors, frame);
      seen[at] = (seen[at] as number) + 1;
    }
  // A piece may stick out of the video, but not by most of it.
  const fewest = Math.max(1, Math.floor((0.6 * length) / clockFps));
  let best: Pick<Place, 'offset' | 'likeness'> | undefined;
  for (let at = 0; at < span; at++) {
    if ((seen[at] as number) < fewest) continue;
    const likeness = (sums[at] as number) / (seen[at] as number);
    if (likeness > (best?.likeness ?? 0)) best = { offset: at + first, likeness };
  }
  return best;
}

/** A second of a video that a clip shows. */
export interface ShownSecond {
  second: number;
  /** Clip frame on which the video's second begins; it may lie a little before the clip. */
  at: number;
}

/** A piece goes on as the one before it when it looks nearly as like. */
const goesOn = 0.94;
/** Pieces that look less like the video than this show something else. */
const leastLike = 0.5;
/** The frames of a second that must lie in the clip. */
const [middleFrom, middleTo] = [4, 26];

/** Returns which seconds of a video a clip shows, also one that was cut together of several pieces of it. */
export function placeSeconds(clip: OpenClip, video: SmallVideo, found: Place): ShownSecond[] {
  const keys = vectorsOf(video.keyFrames, found.view.part, found.view.isMirrored);
  const count = keys.length / cells;
  const seconds = new Map<number, { at: number; likeness: number }>();
  let last: number = found.offset;
  for (let from = 0; from < clip.count; from += pieceFrames) {
    const to = Math.min(clip.count, from + pieceFrames);
    const known = [last, found.offset].map((offset) => ({
      offset,
      likeness: likenessAt(clip, keys, offset, from, to),
    }));
    const same = known.find(({ likeness }) => likeness >= goesOn * found.likeness);
    const own = same ?? bestOffset(clip, keys, Math.max(0, to - pieceFrames), to) ?? known[0];
    if (own === undefined || own.likeness < leastLike * found.likeness) continue;
    last = own.offset;
    const firstSecond = Math.max(0, Math.ceil((from + own.offset - middleFrom) / clockFps));
    for (let second = firstSecond; second < count; second++) {
      const at = clockFps * second - own.offset;
      if (at + middleFrom >= to || at + middleTo >= clip.count) break;
      if (own.likeness > (seconds.get(second)?.likeness ?? 0)) seconds.set(second, { at, likeness: own.likeness });
    }
  }
  return [...seconds].map(([second, { at }]) => ({ second, at })).toSorted((a, b) => a.second - b.second);
}

/** Returns how like a piece of a clip and a video are at a known offset; 0 where they do not meet. */
function likenessAt({ vectors }: OpenClip, keys: Float32Array, offset: number, from: number, to: number): number {
  let [sum, seen] = [0, 0];
  for (let key = Math.max(0, Math.ceil((from + offset) / clockFps)); key < keys.length / cells; key++) {
    const frame = clockFps * key - offset;
    if (frame >= to) break;
    sum += likenessOf(keys, key, vectors, frame);
    seen++;
  }
  return seen > 0 ? sum / seen : 0;
}
