import { callsOf } from '#wire/client.ts';
import { secondFactorContract } from './second-factor-contract.ts';

/** The calls of the second factor. */
export const secondFactor = callsOf('secondFactor', secondFactorContract);
