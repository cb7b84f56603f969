import { useSyncExternalStore } from 'react';

/** What a keyboard on the screen leaves of the page, CSS pixels. */
export interface VisiblePart {
  height: number;
  /** What of the page's layout lies below it, behind the keyboard. */
  below: number;
}

/** Bars of a browser come and go too; a keyboard is taller than this. */
const leastKeyboard = 60;
let last: VisiblePart | undefined;

/** Phones lay their keyboard over the page, whose layout stays, and tell of it here alone. */
function read(): VisiblePart | undefined {
  const { visualViewport: seen } = window;
  // Somebody who has enlarged the page moves it themselves.
  const isCovered = seen !== null && seen.scale === 1 && window.innerHeight - seen.height > leastKeyboard;
  if (!isCovered) last = undefined;
  else {
    const height = Math.floor(seen.height);
    const below = Math.max(0, Math.ceil(window.innerHeight - seen.height - seen.offsetTop));
    if (last?.height !== height || last.below !== below) last = { height, below };
  }
  return last;
}

function subscribe(listener: () => void): () => void {
  const { visualViewport: seen } = window;
  for (const kind of ['resize', 'scroll']) seen?.addEventListener(kind, listener);
  return () => {
    for (const kind of ['resize', 'scroll']) seen?.removeEventListener(kind, listener);
  };
}

/** Returns what a keyboard over the page leaves of it; undefined while there is none. For what stands at the foot of the screen. */
export const useVisiblePart = (): VisiblePart | undefined => useSyncExternalStore(subscribe, read, () => undefined);
