import { callsOf } from '#wire/client.ts';
import { moneyContract } from './contract.ts';
import { fansContract } from './fans/fans-contract.ts';

/** The calls of this room. */
export const money = callsOf('money', moneyContract);
/** What a creator asks about their tiers and subscribers. */
export const fans = callsOf('fans', fansContract);
