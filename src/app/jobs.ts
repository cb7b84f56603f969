import type { Engines } from '#engines/engines.ts';

/** Every room's background work, one line each. */
export function declareJobs(_engines: Engines): void {}
