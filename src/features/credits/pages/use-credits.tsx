import { useQuery } from '@tanstack/react-query';
import { useLive } from '#wire/use-live.tsx';
import { credits } from './credits-calls.tsx';

/** What they have, read again when it changes. */
export function useCredits() {
  useLive(['credits.changed'], [credits.balance.key(), credits.uses.key()]);
  return useQuery(credits.balance.queryOptions({ input: {} }));
}

/** Said whenever the balance could not be read. */
export const balanceFailed = 'Failed to load credits balance';
