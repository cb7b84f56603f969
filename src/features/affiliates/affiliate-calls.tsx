import { callsOf } from '#wire/client.ts';
import { affiliatesContract } from './contract.ts';

export const affiliates = callsOf('affiliates', affiliatesContract);
