import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactor } from '../../guard.tsx';

/** Whether a form has to ask for a code first, and whether a passkey can stand in for it. */
export function useFreshCode() {
  const { data } = useQuery(secondFactor.show.queryOptions({ staleTime: 0, gcTime: 0 }));
  const [isRefused, setRefused] = useState(false);
  const [isEntered, setEntered] = useState(false);
  const isAnyOn = data?.isOn === true || data?.hasPasskey === true;
  const isDue = isRefused || (isAnyOn && data?.codeFreshUntil === null);
  return {
    isAsked: isDue && !isEntered,
    hasPasskey: data?.hasPasskey === true,
    /** A code is good once: after a wrong password it is not asked for again. */
    noteEntered: () => setEntered(true),
    noteFault(error: unknown) {
      if (!(error instanceof ORPCError) || error.code !== 'CODE_REQUIRED') return;
      setRefused(true);
      setEntered(false);
    },
  };
}
