import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Returns whether a script runs: what cannot be used without one is left out of the pages that the server renders. */
export const useIsAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
