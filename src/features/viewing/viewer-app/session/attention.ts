/** Whether somebody is looking: the page is in front, its window has the focus, and a hand moved not long ago; or a video plays. */
export interface Attention {
  isVisible(): boolean;
  isLooking(): boolean;
  idleMs(): number;
  /** Nobody has touched it for so long that the visit is over. */
  isIdle(): boolean;
  /** A video plays: somebody looks on, without a touch and from another window. */
  hold(isHeld: boolean): void;
}

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchmove'];

/**
 * @param idleAfterMs without a touch for this long, nobody is looking
 * @param onChange called when the page comes to the front or goes to the back
 */
export function watchAttention(
  idleAfterMs: number,
  onChange: (isVisible: boolean) => void,
  until: AbortSignal,
): Attention {
  let isAway = false;
  let isHeld = false;
  let touchedAt = performance.now();
  const isVisible = () => document.visibilityState === 'visible';
  const turnAway = (next: boolean) => {
    isAway = next;
    document.documentElement.toggleAttribute('data-away', isAway || !isVisible());
  };
  const touch = () => {
    touchedAt = performance.now();
  };
  for (const sign of signs) addEventListener(sign, touch, { passive: true, capture: true, signal: until });
  addEventListener('blur', () => turnAway(true), { signal: until });
  addEventListener('focus', () => turnAway(false), { signal: until });
  const turn = () => {
    turnAway(isAway && !document.hasFocus());
    onChange(isVisible());
  };
  document.addEventListener('visibilitychange', turn, { signal: until });
  const idleMs = () => (isHeld ? 0 : performance.now() - touchedAt);
  const isIdle = () => idleMs() >= idleAfterMs;
  return {
    isVisible,
    idleMs,
    isIdle,
    isLooking: () => isVisible() && (isHeld || !isAway) && !isIdle(),
    hold(next) {
      if (isHeld) touch();
      isHeld = next;
    },
  };
}
