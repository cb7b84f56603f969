import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { dayMs } from '#kit/time.ts';
import { syncDispute } from '../sync-dispute.ts';
import { listUnknown, listUnsettled, postponeDispute } from './disputes-store.ts';

const system = { kind: 'system' } as const;
/** Those that came longer ago were found by an earlier round. */
const overlapMs = 2 * dayMs;

/** Asks about every dispute that is not over, and finds those of which nobody has told. It needs no webhook at all. */
export async function tendDisputes(engines: Engines, overlap = overlapMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const { realm } = payments;
  const now = moneyNow(engines);
  for await (const page of payments.disputes(new Date(now.getTime() - overlap))) {
    const ids = page.map(({ disputeId }) => disputeId);
    await doOneByOne(engines, await database.work(system, (tx) => listUnknown(tx, realm, ids)), {
      words: 'a dispute that nobody has told of could not be asked about',
      act: (disputeId) => syncDispute(engines, disputeId),
      // It is among them again the next time.
      postpone: async () => undefined,
    });
  }
  await doOneByOne(engines, await database.work(system, (tx) => listUnsettled(tx, realm, now)), {
    words: 'a dispute could not be asked about',
    act: ({ disputeId }) => syncDispute(engines, disputeId),
    postpone: (tx, { id }, at) => postponeDispute(tx, id, at),
  });
}
