import { callsOf } from '#wire/client.ts';
import { refundsContract } from './contract.ts';

/** The calls about money that buyers ask back. */
export const refunds = callsOf('refunds', refundsContract);
