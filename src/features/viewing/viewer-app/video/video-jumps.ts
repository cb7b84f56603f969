/** Jumps of a key that is held down, or tapped fast. */
export interface Jumps {
  to(second: number): void;
  /** A jump is asked for and not made yet. */
  isDue(): boolean;
  stop(): void;
}

/** Nobody looks at what lies between two jumps so close to each other. */
const quietMs = 300;

/**
 * Jumps at once, and when more follow fast only to where they end: each place on the way would cost keys, and so many keys
 * that it looks like somebody who takes the video away.
 */
export function paceJumps(jump: (second: number) => void): Jumps {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due: number | undefined;
  const rest = () => {
    timer = undefined;
    if (due === undefined) return;
    jump(due);
    due = undefined;
  };
  return {
    to(second) {
      if (timer === undefined) jump(second);
      else due = second;
      clearTimeout(timer);
      timer = setTimeout(rest, quietMs);
    },
    isDue: () => due !== undefined,
    stop() {
      clearTimeout(timer);
      due = undefined;
    },
  };
}
