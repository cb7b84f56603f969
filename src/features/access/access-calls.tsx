import { callsOf } from '#wire/client.ts';
import { accessContract } from './requests-contract.ts';

/** The calls of this room. */
export const access = callsOf('access', accessContract);

/** Kinds of live events after which its lists are read again. */
export const accessNews = ['access.', 'viewer.blocked', 'viewer.unblocked', 'viewer.closedOut'];
