import {
  doubleTap,
  holdView,
  largestScale,
  type Point,
  type Size,
  settleView,
  type View,
  wholeView,
  zoomAt,
} from './gestures.ts';

/** Moves an element; `glide` lets the style sheet do it slowly, or at once where motion is not wanted. */
export function place(element: HTMLElement | null, transform: string, isSlow = false): void {
  if (element === null) return;
  element.classList.toggle('glide', isSlow);
  element.style.transform = transform;
}

/** Enlarges the picture in the middle of the stage. */
export interface Magnifier {
  isEnlarged(): boolean;
  /** A gesture begins from the view as it is. */
  hold(): void;
  pan(way: Point): void;
  pinch(at: Point, way: Point, factor: number): void;
  /** The gesture is over: what was pulled too far goes back. */
  settle(): void;
  tapTwice(at: Point): void;
  zoom(at: Point, factor: number, isSlow: boolean): void;
  reset(): void;
}

export function createMagnifier(stage: HTMLElement): Magnifier {
  let view: View = wholeView;
  let held: View = wholeView;

  const picture = () => stage.querySelector<HTMLElement>('[data-current] .zoom');
  const sizes = (): [Size, Size] => [
    { width: picture()?.offsetWidth ?? 0, height: picture()?.offsetHeight ?? 0 },
    { width: stage.clientWidth, height: stage.clientHeight },
  ];
  const show = (next: View, isSlow = false) => {
    view = next;
    place(picture(), `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, isSlow);
    stage.toggleAttribute('data-zoomed', view.scale > 1);
  };
  return {
    isEnlarged: () => view.scale > 1,
    hold() {
      held = view;
    },
    pan: (way) => show(holdView({ ...held, x: held.x + way.x, y: held.y + way.y }, ...sizes())),
    pinch(at, way, factor) {
      const next = zoomAt(held, at, held.scale * factor, largestScale(...sizes()));
      show(holdView({ ...next, x: next.x + way.x, y: next.y + way.y }, ...sizes()));
    },
    settle: () => show(settleView(view, ...sizes()), true),
    tapTwice: (at) => show(settleView(doubleTap(view, at), ...sizes()), true),
    zoom(at, factor, isSlow) {
      const next = zoomAt(view, at, view.scale * factor, largestScale(...sizes()));
      show(settleView(next, ...sizes()), isSlow);
    },
    reset() {
      for (const element of stage.querySelectorAll<HTMLElement>('.zoom')) place(element, '');
      show(wholeView);
    },
  };
}
