import { formatShare } from '#kit/text.ts';
import type { Funnel } from './contract.ts';

/** One step of the ladder, ready to read. */
export interface FunnelStep {
  key: keyof Funnel;
  name: string;
  count: number;
  /** Of those who tapped Open: "42%". */
  percent: string;
  /** Who went no further than the step before: "12 looked no further". */
  lost: string | undefined;
}

const names: Readonly<Record<keyof Funnel, string>> = {
  tapped: 'Tapped Open',
  atGates: 'At the gates',
  letIn: 'Let in',
  viewed: 'Viewed',
  paid: 'Paid',
};

/** What became of those who are missing in a step, beside the one before. */
const losses: Readonly<Record<keyof Funnel, string | undefined>> = {
  tapped: undefined,
  atGates: 'found a link that was over, full or not open to them',
  letIn: 'went no further than the gates',
  viewed: 'got in and viewed nothing',
  // Most links cost nothing: who did not pay has lost nobody's interest.
  paid: undefined,
};

const order: readonly (keyof Funnel)[] = ['tapped', 'atGates', 'letIn', 'viewed', 'paid'];

/** The steps of a funnel with their shares, in order. */
export function funnelSteps(funnel: Funnel): FunnelStep[] {
  return order.map((key, at) => {
    const before = funnel[order[at - 1] ?? key];
    const missing = before - funnel[key];
    const loss = losses[key];
    return {
      key,
      name: names[key],
      count: funnel[key],
      percent: formatShare(funnel[key], funnel.tapped),
      lost: missing > 0 && loss !== undefined ? `${missing.toLocaleString('en')} ${loss}` : undefined,
    };
  });
}
