/** What an operator decides about money with `pf`: disputes and refunds. */
export { runDisputesCommand } from './disputes/disputes-command.ts';
export { runRefundsCommand } from './refunds/refunds-command.ts';
