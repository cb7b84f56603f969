import { callsOf } from '#wire/client.ts';
import { planContract } from '../plan-contract.ts';

/** The calls of billing that the ways in make. */
export const plans = callsOf('billing', planContract);
