import { callsOf } from '#wire/client.ts';
import { viewingContract } from './contract.ts';

/** The calls of this room. */
export const viewing = callsOf('viewing', viewingContract);
