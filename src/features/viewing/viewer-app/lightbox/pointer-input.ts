import { distanceOf, middleOf, type Point } from './gestures.ts';

/** What a hand does; points are measured from the middle of the element. */
export interface HandEvents {
  /** A gesture begins, or the number of fingers has changed. */
  onGrab(fingers: 1 | 2): void;
  /** One finger moved, so far by `way`. */
  onMove(way: Point): void;
  /** Two fingers: they took hold at `at`, moved by `way` and are `factor` times as far apart. */
  onPinch(at: Point, way: Point, factor: number): void;
  /** The last finger is gone. @param speed px per ms */
  onLetGo(speed: Point): void;
  onTap(): void;
  onTwoTaps(at: Point): void;
}

const tapPx = 8;
const twoTapsMs = 280;
const twoTapsPx = 40;

/** Reads what fingers, a pen or a mouse do on an element. */
export function readHand(element: HTMLElement, events: HandEvents, until: AbortSignal): void {
  const pointers = new Map<number, Point>();
  const tapAt = countTaps(events, until);
  let start = { at: { x: 0, y: 0 }, distance: 1 };
  let last = { way: { x: 0, y: 0 }, speed: { x: 0, y: 0 }, at: 0 };
  let isTap = false;

  const fingers = () => [...pointers.values()] as [Point, Point?];
  const grab = () => {
    const [one, other] = fingers();
    start = {
      at: fromMiddle(element, other === undefined ? one : middleOf(one, other)),
      distance: other === undefined ? 1 : distanceOf(one, other),
    };
    last = { way: { x: 0, y: 0 }, speed: { x: 0, y: 0 }, at: 0 };
    events.onGrab(other === undefined ? 1 : 2);
  };
  const wayTo = (point: Point): Point => {
    const at = fromMiddle(element, point);
    return { x: at.x - start.at.x, y: at.y - start.at.y };
  };
  const move = (now: number) => {
    const [one, other] = fingers();
    if (other !== undefined) {
      events.onPinch(start.at, wayTo(middleOf(one, other)), distanceOf(one, other) / start.distance);
      return;
    }
    const way = wayTo(one);
    const ms = Math.max(1, now - last.at);
    last = { way, speed: { x: (way.x - last.way.x) / ms, y: (way.y - last.way.y) / ms }, at: now };
    isTap &&= Math.hypot(way.x, way.y) < tapPx;
    if (!isTap) events.onMove(way);
  };
  const release = ({ pointerId, type, clientX, clientY }: PointerEvent) => {
    if (!pointers.delete(pointerId)) return;
    if (pointers.size > 0) grab();
    else if (isTap && type === 'pointerup') tapAt(fromMiddle(element, { x: clientX, y: clientY }));
    else events.onLetGo(last.speed);
  };
  const listen = (
    kind: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    take: (event: PointerEvent) => void,
  ) => element.addEventListener(kind, take, { signal: until });
  listen('pointerdown', (event) => {
    if (event.button !== 0 || pointers.size === 2) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    isTap = pointers.size === 1;
    grab();
  });
  listen('pointermove', ({ pointerId, clientX, clientY, timeStamp }) => {
    if (!pointers.has(pointerId)) return;
    pointers.set(pointerId, { x: clientX, y: clientY });
    move(timeStamp);
  });
  listen('pointerup', release);
  listen('pointercancel', release);
}

function fromMiddle(element: HTMLElement, { x, y }: Point): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: x - left - width / 2, y: y - top - height / 2 };
}

/** One tap is one only when no second follows. */
function countTaps({ onTap, onTwoTaps }: HandEvents, until: AbortSignal): (at: Point) => void {
  let first: { at: Point; timer: ReturnType<typeof setTimeout> } | undefined;
  until.addEventListener('abort', () => clearTimeout(first?.timer));
  return (at) => {
    if (first !== undefined && distanceOf(first.at, at) < twoTapsPx) {
      clearTimeout(first.timer);
      first = undefined;
      onTwoTaps(at);
      return;
    }
    clearTimeout(first?.timer);
    const timer = setTimeout(() => {
      first = undefined;
      onTap();
    }, twoTapsMs);
    first = { at, timer };
  };
}
