import type { KnownPlanState, Recomputed } from './contract.ts';

const statusWords: Readonly<Record<string, string>> = {
  trialing: 'in trial',
  active: 'active',
  past_due: 'past due',
  inactive: 'over',
};

const nameOf = ({ status, isPaused }: KnownPlanState): string =>
  isPaused ? 'paused' : status === null ? 'without a plan' : (statusWords[status] ?? status);

/** Says what the provider knew better: "Was past due, is active." */
export function describeRecomputed(recomputed: Recomputed, formatDay: (day: Date) => string): string {
  const [before, after] = [nameOf(recomputed.before), nameOf(recomputed.after)];
  const changes = [
    ...(before === after ? [] : [`Was ${before}, is ${after}.`]),
    // Of what is over, its days are no news.
    ...(after === statusWords.inactive ? [] : describeRest(recomputed, formatDay)),
  ];
  return changes.length === 0 ? 'Nothing changed.' : changes.join(' ');
}

const describeRest = ({ before, after }: Recomputed, formatDay: (day: Date) => string): string[] => [
  ...(after.status === 'trialing'
    ? describeDay('The trial', before.trialEnd, after.trialEnd, formatDay)
    : describeDay('The month', before.periodEnd, after.periodEnd, formatDay)),
  ...(before.cancelAtPeriodEnd === after.cancelAtPeriodEnd
    ? []
    : [after.cancelAtPeriodEnd ? 'It is canceled.' : 'It is no longer canceled.']),
];

function describeDay(
  what: string,
  before: Date | null,
  after: Date | null,
  formatDay: (day: Date) => string,
): string[] {
  if (after === null || after.getTime() === before?.getTime()) return [];
  return [`${what} ends on ${formatDay(after)}${before === null ? '' : `, not on ${formatDay(before)}`}.`];
}
