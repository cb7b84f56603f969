import { useCallback, useEffect, useRef } from 'react';

/**
 * The browser's own "back" closes the picture instead of leaving the album; the answer does the same.
 * @param isGone the picture was taken away: it closes by itself
 */
export function useBackButton(onBack: () => void, isGone: boolean): () => void {
  const latest = useRef(onBack);
  latest.current = onBack;
  const isGoing = useRef(false);
  useEffect(() => {
    history.scrollRestoration = 'manual'; // the gallery has followed the pictures
    history.pushState({ isPicture: true }, '');
    const back = () => latest.current();
    addEventListener('popstate', back);
    return () => {
      removeEventListener('popstate', back);
      if ((history.state as { isPicture?: boolean } | null)?.isPicture === true) history.back();
    };
  }, []);
  // Going back takes a moment; a second tap in between would leave the album.
  const close = useCallback(() => {
    if (!isGoing.current) history.back();
    isGoing.current = true;
  }, []);
  useEffect(() => {
    if (isGone) close();
  }, [isGone, close]);
  return close;
}
