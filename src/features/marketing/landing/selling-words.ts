import type { Facts } from '../contract.ts';

/** What the first button says: nobody can earn where nothing can be paid. */
export const describeAction = ({ takesPayments }: Pick<Facts, 'takesPayments'>): string =>
  takesPayments ? 'Start earning' : 'Start Free Trial';
