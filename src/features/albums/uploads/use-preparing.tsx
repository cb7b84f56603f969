import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Whoever gets the files sooner has not waited: words that flash by only startle. */
const patienceMs = 600;
/** A phone has handed over what was chosen long before this; the picker was closed without a choice. */
const longestMs = 60_000;

/**
 * The wait between the picker's end and its files: a phone copies them first, and tells only then how many there are. Some
 * browsers do not say that a picker was closed without a choice; there the words go after a minute, or with the next look at
 * another window.
 */
export function usePreparing(picker: RefObject<HTMLInputElement | null>) {
  const [isPreparing, setPreparing] = useState(false);
  const over = useRef<AbortController>(undefined);
  const end = useCallback(() => {
    over.current?.abort();
    setPreparing(false);
  }, []);
  useEffect(() => {
    const input = picker.current;
    input?.addEventListener('cancel', end);
    return () => {
      input?.removeEventListener('cancel', end);
      over.current?.abort();
    };
  }, [picker, end]);
  const begin = () => {
    end();
    const wait = new AbortController();
    over.current = wait;
    const back = () => {
      if (document.hidden) return;
      const timers = [setTimeout(() => setPreparing(true), patienceMs), setTimeout(end, longestMs)];
      wait.signal.addEventListener('abort', () => timers.forEach(clearTimeout));
      // The window comes back before the files do; whoever leaves it again has no picker open any more.
      window.addEventListener('blur', end, { once: true, signal: wait.signal });
    };
    window.addEventListener('focus', back, { once: true, signal: wait.signal });
    // Phones lay the picker over the page without taking its focus, and say so by its visibility.
    document.addEventListener('visibilitychange', back, { signal: wait.signal });
  };
  return { begin, end, words: isPreparing ? preparingWords() : '' };
}

/** On a computer it is a drive or a cloud folder that lets one wait. */
const preparingWords = (): string =>
  window.matchMedia('(pointer: coarse)').matches ? 'Your phone is preparing the items…' : 'Fetching the items…';

/** Turns true only after it was wanted for a moment, and false at once. */
export function useLasting(isWanted: boolean): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isWanted) return setLasted(false);
    const timer = setTimeout(() => setLasted(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted && hasLasted;
}
