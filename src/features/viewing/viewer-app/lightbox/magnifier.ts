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

/** Sets an element's transform, animated by the class `glide` unless the user prefers reduced motion. */
export function setTransform(element: HTMLElement | null, transform: string, isAnimated = false): void {
  if (element === null) return;
  element.classList.toggle('glide', isAnimated);
  element.style.transform = transform;
}

/** Pans and zooms the current picture of a stage. */
export interface Magnifier {
  isEnlarged(): boolean;
  /** Begins a gesture; `pan` and `pinch` are relative to the view at this moment. */
  beginGesture(): void;
  pan(way: Point): void;
  pinch(at: Point, way: Point, factor: number): void;
  /** Ends a gesture; a picture that was pulled past its edge springs back. */
  endGesture(): void;
  toggleZoom(at: Point): void;
  zoom(at: Point, factor: number, isAnimated: boolean): void;
  reset(): void;
}

export function createMagnifier(stage: HTMLElement): Magnifier {
  let view: View = wholeView;
  let startView: View = wholeView;

  const picture = () => stage.querySelector<HTMLElement>('[data-current] .zoom');
  const sizes = (): [Size, Size] => [
    { width: picture()?.offsetWidth ?? 0, height: picture()?.offsetHeight ?? 0 },
    { width: stage.clientWidth, height: stage.clientHeight },
  ];
  const show = (next: View, isAnimated = false) => {
    view = next;
    setTransform(picture(), `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, isAnimated);
    stage.toggleAttribute('data-zoomed', view.scale > 1);
  };
  return {
    isEnlarged: () => view.scale > 1,
    beginGesture() {
      startView = view;
    },
    pan: (way) => show(holdView({ ...startView, x: startView.x + way.x, y: startView.y + way.y }, ...sizes())),
    pinch(at, way, factor) {
      const next = zoomAt(startView, at, startView.scale * factor, largestScale(...sizes()));
      show(holdView({ ...next, x: next.x + way.x, y: next.y + way.y }, ...sizes()));
    },
    endGesture: () => show(settleView(view, ...sizes()), true),
    toggleZoom: (at) => show(settleView(doubleTap(view, at), ...sizes()), true),
    zoom(at, factor, isAnimated) {
      const next = zoomAt(view, at, view.scale * factor, largestScale(...sizes()));
      show(settleView(next, ...sizes()), isAnimated);
    },
    reset() {
      for (const element of stage.querySelectorAll<HTMLElement>('.zoom')) setTransform(element, '');
      show(wholeView);
    },
  };
}
