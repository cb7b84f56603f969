import { callsOf } from '#wire/client.ts';
import { presetsContract } from './presets-contract.ts';

/** The calls about a creator's own presets. */
export const presets = callsOf('presets', presetsContract);
