import type { Engines } from '#engines/engines.ts';
import { proofKeptMs } from './rules.ts';
import { sweepProofs } from './store.ts';

/** What the room does by itself: every night it ends the consents to albums that are gone, and forgets old proofs. */
export function declareConsentJobs(engines: Engines): void {
  engines.jobs.every('47 3 * * *', 'consents.forget', () => forgetProofs(engines));
}

export async function forgetProofs({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const now = new Date(clock());
  await database.work({ kind: 'system' }, (tx) => sweepProofs(tx, now, new Date(now.getTime() - proofKeptMs)));
}
