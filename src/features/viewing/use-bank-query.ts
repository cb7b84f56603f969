import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const askEveryMs = 1000;
/** What a bank hasn't decided by then is told by email. */
const mostWaitedMs = 20_000;

/**
 * How a payment stands. From the first answer that its bank is still at it, the server is asked again and again for a while.
 * @returns the query, and whether it has waited long enough to say that it takes longer
 */
export function useBankQuery<Status extends { state: string }, Failure>(options: UseQueryOptions<Status, Failure>) {
  const [isOver, setOver] = useState(false);
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data?.state === 'processing' && !isOver ? askEveryMs : false),
  });
  const isProcessing = query.data?.state === 'processing';
  useEffect(() => {
    if (!isProcessing) return;
    const timer = setTimeout(() => setOver(true), mostWaitedMs);
    return () => clearTimeout(timer);
  }, [isProcessing]);
  return { query, isOver };
}
