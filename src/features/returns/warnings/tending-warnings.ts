import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { dayMs } from '#kit/time.ts';
import { syncWarning } from '../sync-warning.ts';
import { listUnknownWarnings, listUnsettledWarnings, postponeWarning } from './warnings-store.ts';

const system = { kind: 'system' } as const;
/** Those that came longer ago were found by an earlier round. */
const overlapMs = 2 * dayMs;

/** Brings every early warning of fraud to its end, and finds those of which nobody has told. It needs no webhook at all. */
export async function tendWarnings(engines: Engines, overlap = overlapMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const { realm } = payments;
  const now = moneyNow(engines);
  for await (const page of payments.warnings(new Date(now.getTime() - overlap))) {
    const ids = page.map(({ warningId }) => warningId);
    await doOneByOne(engines, await database.work(system, (tx) => listUnknownWarnings(tx, realm, ids)), {
      words: 'a warning of fraud that nobody has told of could not be acted upon',
      act: (warningId) => syncWarning(engines, warningId),
      // It is among them again the next time.
      postpone: async () => undefined,
    });
  }
  await doOneByOne(engines, await database.work(system, (tx) => listUnsettledWarnings(tx, realm, now)), {
    words: 'a warning of fraud could not be acted upon',
    act: ({ warningId }) => syncWarning(engines, warningId),
    postpone: (tx, { id }, at) => postponeWarning(tx, id, at),
  });
}
