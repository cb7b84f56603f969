import { type MouseEvent, useRef, useState } from 'react';

/** What a tap does. One that takes time returns its promise: until it has ended, another tap is none. */
export type Press = (event: MouseEvent<HTMLButtonElement>) => unknown;

/** Lets a button do one thing at a time. @returns what to call for a tap, and whether one is under way */
export function usePress(onClick: Press | undefined): readonly [press: Press, isRunning: boolean] {
  // A second tap may come before anything is drawn.
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (running.current) return;
    const work = onClick?.(event);
    if (!(work instanceof Promise)) return;
    running.current = true;
    setRunning(true);
    void work.finally(() => {
      running.current = false;
      setRunning(false);
    });
  };
  return [press, isRunning];
}
