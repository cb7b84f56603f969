import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { keyRefusedEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { moneyNow } from './money-clock.ts';

/** Every call meets it, and the operator reads it no more than this often. */
const quietSeconds = 12 * 3600;
const mostLetters = 300;

/** Writes to the operator when the provider does not take our key: nobody else can mend that, and everything waits for it. */
export async function notifyRefusedKey(engines: Engines, error: unknown): Promise<void> {
  const { database, installation, jobs, keys, log } = engines;
  if (!(error instanceof PaymentsAway) || error.why !== 'key') return;
  const said = plainLine(error.cause instanceof Error ? error.cause.message : error.message).slice(0, mostLetters);
  const { operatorEmail: to } = installation;
  const now = moneyNow(engines);
  await database.work({ kind: 'system' }, async (tx) => {
    const key = hashKey(keys, 'provider_key_refused', '');
    if ((await takeRate(tx, { key, limit: 1, windowSeconds: quietSeconds, now })).isOver) return;
    log.error({ area: 'money', said }, 'the payment provider refuses our key');
    if (to !== undefined) await queueEmail(tx, jobs, { to, now, ...keyRefusedEmail({ said }) });
  });
}
