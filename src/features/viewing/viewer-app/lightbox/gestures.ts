/** A point or a way on the screen, px; for a picture the middle of the stage is 0, 0. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** How a picture is shown: moved by x, y and enlarged by scale about its middle. */
export interface View extends Point {
  scale: number;
}

export const wholeView: View = { scale: 1, x: 0, y: 0 };
const usualScale = 4;
const doubleTapScale = 2.5;

/** Returns how far a picture can be enlarged; one that is a strip on its stage until it fills it. */
export function largestScale(picture: Size, stage: Size): number {
  const toFill = Math.max(stage.width / picture.width, stage.height / picture.height);
  return Math.max(usualScale, Number.isFinite(toFill) ? toFill : usualScale);
}

/** Pulling past an end gives way less and less, and never more than the length of the stage. */
export function giveWay(past: number, length: number): number {
  const softness = 0.55;
  const pull = Math.abs(past) * softness;
  return Math.sign(past) * ((pull * length) / (pull + length));
}

/** Enlarges about a point, which stays where it is. */
export function zoomAt({ scale, x, y }: View, at: Point, wanted: number, most = usualScale): View {
  const next = Math.min(most, Math.max(1, wanted));
  const grown = next / scale;
  return { scale: next, x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown };
}

/** Returns how far the middle of an enlarged picture may move before its edge leaves the edge of the stage. */
export function roomOf(scale: number, picture: Size, stage: Size): Point {
  return {
    x: Math.max(0, (picture.width * scale - stage.width) / 2),
    y: Math.max(0, (picture.height * scale - stage.height) / 2),
  };
}

/** Brings a view back to where the picture fills as much of the stage as it can. */
export function settleView(view: View, picture: Size, stage: Size): View {
  const room = roomOf(view.scale, picture, stage);
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value)) || 0;
  return { scale: view.scale, x: within(view.x, room.x), y: within(view.y, room.y) };
}

/** The same while a finger still holds it: past the edge it gives way softly. */
export function holdView(view: View, picture: Size, stage: Size): View {
  const settled = settleView(view, picture, stage);
  return {
    scale: view.scale,
    x: settled.x + giveWay(view.x - settled.x, stage.width),
    y: settled.y + giveWay(view.y - settled.y, stage.height),
  };
}

/** Two quick taps: closer where the finger is, or back to the whole picture. */
export function doubleTap(view: View, at: Point): View {
  return view.scale > 1.01 ? wholeView : zoomAt(view, at, doubleTapScale);
}

/**
 * Returns what letting go of a swipe means: the next picture (1), the one before (-1), or this one still (0).
 * @param speed px per ms, same sign as the way
 */
export function stepOf(way: number, speed: number, length: number): -1 | 0 | 1 {
  const isFar = Math.abs(way) > length / 3;
  const isFlick = Math.abs(speed) > 0.35 && Math.sign(speed) === Math.sign(way) && Math.abs(way) > 12;
  if (!isFar && !isFlick) return 0;
  return way < 0 ? 1 : -1;
}

/** Returns whether a pull downwards means "away with it". */
export function isDismissed(way: number, speed: number, length: number): boolean {
  return way > length / 4 || (way > 40 && speed > 0.5);
}

export const distanceOf = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
export const middleOf = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
