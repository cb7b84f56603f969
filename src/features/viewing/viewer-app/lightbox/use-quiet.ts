import { useCallback, useEffect, useRef, useState } from 'react';

const quietAfterMs = 2000;

/** True after two seconds without a touch; the second answer wakes it, the third turns it over. */
export function useQuiet(): [boolean, () => void, () => void] {
  const [isQuiet, setQuiet] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wake = useCallback(() => {
    clearTimeout(timer.current);
    setQuiet(false);
    timer.current = setTimeout(() => setQuiet(true), quietAfterMs);
  }, []);
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, [wake]);
  return [isQuiet, wake, () => (isQuiet ? wake() : setQuiet(true))];
}
