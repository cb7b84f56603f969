import { callsOf } from '#wire/client.ts';
import { consentsContract } from './contract.ts';

/** The calls about who is shown. */
export const consents = callsOf('consents', consentsContract);
