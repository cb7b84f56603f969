import { callsOf } from '#wire/client.ts';
import { agreementsContract } from './agreements-contract.ts';

/** The calls about texts that viewers agree to. */
export const agreements = callsOf('agreements', agreementsContract);
