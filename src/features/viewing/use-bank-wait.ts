import { useEffect, useState } from 'react';

const askEveryMs = 1000;
/** What a bank hasn't decided by then is told by email. */
const mostWaitedMs = 20_000;

/**
 * How long a page waits for a bank: it asks again and again, and only once it no longer does says that it takes longer.
 * @returns the interval of its query, and whether it has waited long enough
 */
export function useBankWait() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), mostWaitedMs);
    return () => clearTimeout(timer);
  }, []);
  const refetchInterval = (query: { state: { data: { state: string } | undefined } }) =>
    query.state.data?.state === 'processing' && !isOver ? askEveryMs : (false as const);
  return { isOver, refetchInterval };
}
