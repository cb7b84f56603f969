import { giveWay, isDismissed, type Point, stepOf } from './gestures.ts';
import { createMagnifier, type Magnifier, setTransform } from './magnifier.ts';
import { readHand } from './pointer-input.ts';

export interface SwipeTrackEvents {
  canTurn(step: 1 | -1): boolean;
  /** The next picture has slid in. */
  onTurned(step: 1 | -1): void;
  onDismissed(): void;
  /** One tap on the picture. */
  onTap(): void;
}

/** The hand on the open picture: swipe, pinch, two taps, wheel, and a pull down to close. */
export interface SwipeTrack {
  /** Slides to a neighbour. */
  turn(step: 1 | -1): void;
  zoom(factor: number): void;
  /** Another picture is in the middle now: it is whole, and where it belongs. */
  reset(): void;
}

const glideMs = 220;
const middle: Point = { x: 0, y: 0 };

/**
 * @param stage the element under the hand; it holds `.track`, which holds the slides; the picture of the slide with
 * `data-current` is in its `.zoom`
 */
export function createSwipeTrack(stage: HTMLElement, events: SwipeTrackEvents, until: AbortSignal): SwipeTrack {
  const magnifier = createMagnifier(stage);
  let grip: 'none' | 'swipe' | 'pull' | 'view' = 'none';
  let way = middle;
  const { slide, turn, isGliding } = createGlide(stage, events, until);

  const gripOf = ({ x, y }: Point) => {
    if (magnifier.isEnlarged()) return 'view';
    return Math.abs(x) > Math.abs(y) ? 'swipe' : 'pull';
  };
  const drag = () => {
    const { clientWidth, clientHeight } = stage;
    if (grip === 'view') magnifier.pan(way);
    else if (grip === 'swipe') slide(events.canTurn(way.x < 0 ? 1 : -1) ? way.x : giveWay(way.x, clientWidth), 0);
    else slide(0, way.y > 0 ? way.y : giveWay(way.y, clientHeight));
  };
  const letGoOfTrack = (speed: Point) => {
    if (grip === 'pull' && isDismissed(way.y, speed.y, stage.clientHeight)) return events.onDismissed();
    const step = grip === 'swipe' ? stepOf(way.x, speed.x, stage.clientWidth) : 0;
    if (step !== 0 && events.canTurn(step)) turn(step);
    else slide(0, 0, true);
  };
  readHand(
    stage,
    {
      onGrab(fingers) {
        magnifier.beginGesture();
        // Who has pinched goes on with the picture, also with the finger that stays.
        grip = fingers === 2 || grip === 'view' ? 'view' : 'none';
        way = middle;
      },
      onMove(next) {
        if (isGliding()) return;
        way = next;
        if (grip === 'none') grip = gripOf(way);
        drag();
      },
      onPinch: magnifier.pinch,
      onLetGo(speed) {
        if (grip === 'view') magnifier.endGesture();
        else if (!isGliding()) letGoOfTrack(speed);
        grip = 'none';
      },
      onTap: events.onTap,
      onTwoTaps: magnifier.toggleZoom,
    },
    until,
  );
  readWheel(stage, magnifier.zoom, until);
  return {
    turn,
    zoom: (factor) => magnifier.zoom(middle, factor, true),
    reset() {
      slide(0, 0);
      magnifier.reset();
    },
  };
}

/** Returns how the slides move: with the hand, or by themselves to a neighbour. */
function createGlide(stage: HTMLElement, { canTurn, onTurned }: SwipeTrackEvents, until: AbortSignal) {
  let isGliding = false;
  const slide = (x: number, y: number, isSlow = false) =>
    setTransform(stage.querySelector('.track'), `translate(${x}px, ${y}px)`, isSlow);
  return {
    slide,
    isGliding: () => isGliding,
    turn(step: 1 | -1) {
      if (isGliding || !canTurn(step)) return;
      isGliding = true;
      slide(-step * stage.clientWidth, 0, true);
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      setTimeout(
        () => {
          isGliding = false;
          // Who has closed the pictures meanwhile does not want them back.
          if (!until.aborted) onTurned(step);
        },
        isStill ? 0 : glideMs,
      );
    },
  };
}

/** A wheel, or two fingers on a touch pad, enlarge where the pointer is. */
function readWheel(stage: HTMLElement, zoom: Magnifier['zoom'], until: AbortSignal): void {
  const turnWheel = (event: WheelEvent) => {
    event.preventDefault();
    const { left, top, width, height } = stage.getBoundingClientRect();
    const at = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
    zoom(at, Math.exp(-event.deltaY / 300), false);
  };
  stage.addEventListener('wheel', turnWheel, { signal: until, passive: false });
}
