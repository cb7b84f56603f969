import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Visit } from '../viewer-app.ts';
import { createSwipeTrack, type SwipeTrack } from './swipe-track.ts';

interface SwipeTrackProps {
  item: number;
  /** The pictures that are not taken away. */
  there: readonly number[];
  close(): void;
  toggle(): void;
}

/** The hand on the stage, which lives as long as the dialog and always calls the newest functions. */
export function useSwipeTrack(
  dialog: { current: HTMLDialogElement | null },
  visit: Visit,
  props: SwipeTrackProps,
): () => SwipeTrack | undefined {
  const latest = useRef(props);
  latest.current = props;
  const track = useRef<SwipeTrack>(undefined);
  useEffect(() => {
    const element = dialog.current?.querySelector<HTMLElement>('.stage');
    if (element === null || element === undefined) return;
    const over = new AbortController();
    const neighbour = (step: 1 | -1) => {
      const { item, there } = latest.current;
      return there[there.indexOf(item) + step];
    };
    track.current = createSwipeTrack(
      element,
      {
        canTurn: (step) => neighbour(step) !== undefined,
        onTurned: (step) => visit.turnTo(neighbour(step)),
        onDismissed: () => latest.current.close(),
        onTap: () => latest.current.toggle(),
      },
      over.signal,
    );
    return () => over.abort();
  }, [dialog, visit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture in the middle begins whole
  useLayoutEffect(() => track.current?.reset(), [props.item]);
  return () => track.current;
}
