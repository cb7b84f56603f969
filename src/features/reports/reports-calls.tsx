import { callsOf } from '#wire/client.ts';
import { reportsContract } from './contract.ts';

/** The calls of this room. */
export const reports = callsOf('reports', reportsContract);
