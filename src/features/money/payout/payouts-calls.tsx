import { callsOf } from '#wire/client.ts';
import { payoutsContract } from './payouts-contract.ts';

/** The calls about being paid out. */
export const payouts = callsOf('payouts', payoutsContract);
