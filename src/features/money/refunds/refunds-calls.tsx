import { callsOf } from '#wire/client.ts';
import { refundsContract } from './refunds-contract.ts';

/** The calls about money that buyers ask back. */
export const refunds = callsOf('refunds', refundsContract);
