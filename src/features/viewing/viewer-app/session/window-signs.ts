import type { AttemptType } from './attempt-keys.ts';

const resizeRestMs = 500;

/** Notes when the page leaves the front, when its window loses the focus or gets another size, and when somebody is back. */
export function noteWindow(until: AbortSignal, note: (type: AttemptType) => void): void {
  const isHidden = () => document.visibilityState === 'hidden';
  document.addEventListener('visibilitychange', () => note(isHidden() ? 'tab_switch_attempt' : 'tab_return'), {
    signal: until,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A page that goes to the back loses the focus as well; it is told as that alone.
  const blur = () =>
    setTimeout(() => {
      if (!until.aborted && !isHidden()) note('focus_change');
    });
  window.addEventListener('blur', blur, { signal: until });
  // A phone that is turned or shows its keyboard changes its size as well, and nobody did anything with a window.
  const hasWindows = matchMedia('(pointer: fine)');
  window.addEventListener(
    'resize',
    () => {
      if (!hasWindows.matches) return;
      clearTimeout(timer);
      timer = setTimeout(() => note('window_resize'), resizeRestMs);
    },
    { signal: until },
  );
  until.addEventListener('abort', () => clearTimeout(timer));
}
