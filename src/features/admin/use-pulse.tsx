import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { adminOperations } from './admin-calls.tsx';
import type { PulsePartState } from './operations-contract.ts';
import { readPublicPulse } from './public-pulse.ts';

/** Often enough that whatever stops is seen within ten seconds. */
const everyMs = 2500;
/** Each look logs in at the mail server and asks the payment provider: not all night for a page that nobody closes. */
const pauseAfterMs = 10 * 60_000;

export interface WatchedPulse {
  query: UseQueryResult<{ parts: PulsePartState[]; version: string }>;
  isPaused: boolean;
  goOn(): void;
}

/**
 * Watches how the parts of the installation are. While the database is down nobody can be recognised as an administrator: then it
 * is the lights that anybody may see.
 */
export function usePulse(): WatchedPulse {
  const [isPaused, goOn] = usePause();
  const refetchInterval = isPaused ? false : everyMs;
  const detailed = useQuery(
    adminOperations.pulse.queryOptions({ input: {}, refetchInterval, retry: false, staleTime: 0 }),
  );
  const bare = useQuery({
    queryKey: ['health'],
    queryFn: readPublicPulse,
    enabled: detailed.isError,
    refetchInterval,
    retry: false,
  });
  return { query: detailed.isError ? bare : detailed, isPaused, goOn };
}

/** Pauses after a while, until somebody goes on. */
function usePause(): [isPaused: boolean, goOn: () => void] {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => setPaused(true), pauseAfterMs);
    return () => clearTimeout(timer);
  }, [isPaused]);
  return [isPaused, () => setPaused(false)];
}
