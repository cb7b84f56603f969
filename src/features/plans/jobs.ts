import type { Engines } from '#engines/engines.ts';
import { declareRounds } from '#features/books/rounds.ts';
import { tendLapses } from './lapses/lapses.ts';
import { settlePlans } from './settling-plans.ts';

/** What the room does by itself. */
export function declarePlanJobs(engines: Engines): void {
  const every = declareRounds(engines);
  every('*/10 * * * *', 'money.settlePlans', () => settlePlans(engines));
  every('13 3 * * *', 'money.tendLapses', () => tendLapses(engines));
}
