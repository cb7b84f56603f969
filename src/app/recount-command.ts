import type { Engines } from '#engines/engines.ts';
import { compareViews, describeDifference, repairViews, type Wrong } from '#features/insights/recount.ts';

/** `pf recount`: compares what is counted of views with the views, or corrects it. @throws a sentence that says what is wrong */
export async function runRecount(engines: Engines, how: string | undefined): Promise<string> {
  if (how === 'repair') return describeRecount(await repairViews(engines), 'repaired');
  if (how !== undefined) throw new Error('Use `recount` or `recount repair`.');
  return describeRecount(await compareViews(engines), 'different; `recount repair` corrects it');
}

const describeRecount = (differences: readonly Wrong[], what: string) =>
  differences.length === 0
    ? 'Every counter and sum matches the individual views.'
    : differences.map((difference) => `· ${describeDifference(difference)} – ${what}`).join('\n');
