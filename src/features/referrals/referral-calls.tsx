import { callsOf } from '#wire/client.ts';
import { referralsContract } from './contract.ts';

export const referrals = callsOf('referrals', referralsContract);
