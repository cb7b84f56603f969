import { callsOf } from '#wire/client.ts';
import { creditsContract } from '../contract.ts';

/** The calls about credits. */
export const credits = callsOf('credits', creditsContract);
