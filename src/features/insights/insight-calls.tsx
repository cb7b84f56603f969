import { viewingContract } from '#features/viewing/contract.ts';
import { callsOf } from '#wire/client.ts';
import { insightsContract } from './contract.ts';

/** The calls of this room. */
export const insights = callsOf('insights', insightsContract);

/** "Close their screen" is a call of the room where screens are opened. */
export const viewing = callsOf('viewing', viewingContract);
