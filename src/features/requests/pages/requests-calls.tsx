import { callsOf } from '#wire/client.ts';
import { requestsContract } from '../contract.ts';

/** The calls of this room. */
export const requests = callsOf('requests', requestsContract);
