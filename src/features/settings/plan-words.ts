import { formatCount, formatMoney } from '#kit/text.ts';
import { settingRules } from './rules.ts';

/** What the plan costs and how long it is free. */
export interface Plan {
  trialDays: number;
  priceCents: number;
  /** What the platform keeps of a price that a viewer pays. */
  commissionPercent: number;
}

/** Pages are prerendered without a database: until the server has answered they show what a new installation has. */
export const usualPlan: Plan = {
  trialDays: settingRules['plan.trialDays'].default,
  priceCents: settingRules['plan.priceCents'].default,
  commissionPercent: settingRules['money.commissionPercent'].default,
};

/** What a month costs: "$3.99". */
export const describePrice = ({ priceCents }: Pick<Plan, 'priceCents'>): string => formatMoney(priceCents);

/** The terms beside the button: "7 days free, then $3.99 a month. No card needed." */
export const describeTerms = (plan: Pick<Plan, 'trialDays' | 'priceCents'>): string =>
  `${formatCount(plan.trialDays, 'day')} free, then ${describePrice(plan)} a month. No card needed.`;
