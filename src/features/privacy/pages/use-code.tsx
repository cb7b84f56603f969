import { ORPCError } from '@orpc/client';
import { useState } from 'react';
import { secondFactor } from '#features/accounts/guard.tsx';

/** A form that takes a code of the second factor where there is one and the last one is too old. */
export function useCode(needsCode: boolean) {
  const [isAsked, setAsked] = useState(needsCode);
  return {
    isAsked,
    /** Enters the code before what needs it. */
    async enter(code: string) {
      if (!isAsked) return;
      await secondFactor.enter.call({ code });
      // A code is good once: after a wrong password it is not asked for again.
      setAsked(false);
    },
    /** Looks at what was refused: the code may have grown old meanwhile. */
    onFault(error: unknown) {
      if (error instanceof ORPCError && error.code === 'CODE_REQUIRED') setAsked(true);
    },
  };
}
