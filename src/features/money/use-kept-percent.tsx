import { useMe } from '#features/accounts/guard.tsx';
import { usualPlan } from '#features/settings/plan-words.ts';

/** Returns what a creator keeps of what is paid from now on, in percent. */
export const useKeptPercent = (): number => 100 - (useMe().me?.plan ?? usualPlan).commissionPercent;
