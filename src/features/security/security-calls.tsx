import { callsOf } from '#wire/client.ts';
import { securityContract } from './contract.ts';

/** The calls of this room. */
export const security = callsOf('security', securityContract);
