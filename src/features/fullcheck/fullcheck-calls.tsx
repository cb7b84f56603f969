import { callsOf } from '#wire/client.ts';
import { fullCheckContract } from './contract.ts';

/** The calls of the full check. */
export const fullCheck = callsOf('fullCheck', fullCheckContract);

/** While a run is under way its steps are read this often. */
export const runningMs = 1000;
