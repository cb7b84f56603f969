import { useEffect, useState } from 'react';

/** The monotonic clock, read again after each step. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), stepMs);
    return () => clearInterval(timer);
  }, [stepMs]);
  return now;
}
