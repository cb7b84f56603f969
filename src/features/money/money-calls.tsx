import { callsOf } from '#wire/client.ts';
import { moneyContract } from './contract.ts';

/** The calls of this room. */
export const money = callsOf('money', moneyContract);
