/** What an operator decides about money with `pf`: disputes, payouts and refunds. */
export { runDisputesCommand } from './disputes/disputes-command.ts';
export { runPayoutsCommand } from './payout/payouts-command.ts';
export { runRefundsCommand } from './refunds/refunds-command.ts';
