import { callsOf } from '#wire/client.ts';
import { fansContract } from './fans/fans-contract.ts';

/** What a creator asks about her tiers and subscribers. */
export const fans = callsOf('fans', fansContract);
