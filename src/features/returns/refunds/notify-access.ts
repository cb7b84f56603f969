import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { accessEndedEmail, accessEndsEmail } from '#features/notices/access-emails.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findAsking } from '#features/orders/asking-back.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { describeSold } from '#features/orders/sold-words.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type AccessEnd, takeEnded, takeEnding } from './access-ends-store.ts';
import { listOwed, mostOwed } from './owed-store.ts';
import { findOwedTimes } from './owed-times.ts';

const aheadMs = 2 * hourMs;
/** Whoever has bought a shorter time needs no reminder of it. */
const leastMs = 2 * aheadMs;
/** After a standstill nobody is told of what has long ended. */
const sinceMs = 3 * dayMs;

/**
 * Tells whoever paid that the time they bought is nearly over, and that a creator has ended for good what they paid for: each once,
 * and nothing of the latter where a refund tells it.
 */
export async function notifyAccessEnds(engines: Engines): Promise<void> {
  const { database, payments, installation } = engines;
  const { realm } = payments;
  const times = await findOwedTimes(engines);
  const now = moneyNow(engines);
  const send = async (
    tx: Tx,
    orders: readonly AccessEnd[],
    write: (end: AccessEnd, about: About) => Promise<EmailText>,
  ) => {
    for (const end of orders) {
      const receiptPage = `${installation.publicUrl}/receipt/${receiptCode(engines, end.id)}`;
      const words = await write(end, { what: describeSold(end.kind, end.creatorName), receiptPage });
      await queueEmail(tx, engines.jobs, { to: end.email, now, ...words });
    }
    return orders.length > 0;
  };
  const rounds: ((tx: Tx) => Promise<boolean>)[] = [
    async (tx) =>
      send(tx, await takeEnding(tx, realm, now, { aheadMs, leastMs }), async ({ at }, about) =>
        accessEndsEmail({ at, ...about }),
      ),
    async (tx) => {
      const owed = (await listOwed(tx, realm, now, times)).map(({ orderId }) => orderId);
      // There may be more of them than one round sees.
      if (owed.length === mostOwed) return false;
      return send(tx, await takeEnded(tx, realm, now, { undoMs: times.undoMs, sinceMs, owed }), async ({ id }, about) =>
        accessEndedEmail({ asking: await findAsking(tx, id, now), ...about }),
      );
    },
  ];
  for (const round of rounds) for (let isMore = true; isMore; ) isMore = await database.work({ kind: 'system' }, round);
}

interface About {
  what: string;
  receiptPage: string;
}
