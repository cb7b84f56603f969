import { callsOf } from '#wire/client.ts';
import { passesContract } from './passes-contract.ts';

/** The calls about free passes. */
export const passes = callsOf('passes', passesContract);
