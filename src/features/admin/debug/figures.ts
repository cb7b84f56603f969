import type { Engines } from '#engines/engines.ts';
import { readVitals } from '#features/audit/metrics-store.ts';
import type { PageVitals } from '#features/audit/page-metrics.ts';
import { dayMs } from '#kit/time.ts';
import type { Desk } from '../acting.ts';
import type { SentStatement } from '../debug-contract.ts';

const mostStatements = 100;

/** Shows how fast pages were in the last days. */
export const showVitals = ({ asSystem, engines }: Desk, days: number): Promise<PageVitals[]> =>
  asSystem((tx) => readVitals(tx, new Date(engines.clock() - days * dayMs)));

/** Lists the statements that this process has waited for longest in all, and since when it counts. */
export function listStatements({ database, clock }: Pick<Engines, 'database' | 'clock'>): {
  since: Date;
  statements: SentStatement[];
} {
  const statements = database.statements().toSorted((one, other) => other.totalMs - one.totalMs);
  return { since: new Date(clock() - performance.now()), statements: statements.slice(0, mostStatements) };
}
