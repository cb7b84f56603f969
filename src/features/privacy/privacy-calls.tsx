import { callsOf } from '#wire/client.ts';
import { privacyContract } from './contract.ts';

/** The calls of this room. */
export const privacy = callsOf('privacy', privacyContract);
