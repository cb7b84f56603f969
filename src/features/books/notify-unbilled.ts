import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { unbilledEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { type Draft, draftEndsAt } from './draft-rules.ts';

/** The operator reads of as many renewals a day; the dashboard and the log have all of them. */
const mostADay = 5;
const daySeconds = 24 * 3600;

/** Writes to the operator that a renewal can't be charged. @param what it is of, in words */
export async function notifyUnbilled(
  { jobs, keys, log, installation: { operatorEmail: to } }: Pick<Engines, 'jobs' | 'keys' | 'log' | 'installation'>,
  tx: Tx,
  { draft: { invoiceId, since, finalizationError }, what, now }: { draft: Draft; what: string; now: Date },
): Promise<void> {
  log.warn({ area: 'money', invoiceId, said: finalizationError }, 'a renewal can not be charged');
  const key = hashKey(keys, 'unbilled', '');
  if (to === undefined || (await takeRate(tx, { key, limit: mostADay, windowSeconds: daySeconds, now })).isOver) return;
  const endDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(draftEndsAt(since));
  const said = finalizationError ?? 'It has been a draft for three days.';
  await queueEmail(tx, jobs, { to, now, ...unbilledEmail({ what, invoiceId, said, endDay }) });
}
