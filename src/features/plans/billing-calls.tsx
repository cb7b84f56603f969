import { callsOf } from '#wire/client.ts';
import { billingContract } from './contract.ts';

/** The calls about a creator's own plan. */
export const billing = callsOf('billing', billingContract);
