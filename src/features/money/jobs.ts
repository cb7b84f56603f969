import type { Engines } from '#engines/engines.ts';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { closeObjectLocks } from '#features/books/object-lock.ts';
import { declareRounds } from '#features/books/rounds.ts';
import { forgetOldFailures } from '#features/orders/card-tests.ts';
import { checkBooksQueue } from './checking-books.ts';
import { settleFans } from './fans/fan-jobs.ts';
import { payCreators } from './paying-out.ts';
import { catchMissed, reconcile, settleOpen } from './reconcile.ts';
import { settleFansQueue } from './suspending.ts';
import { stopInbox, workInbox } from './webhooks/inbox.ts';

/** What the room does by itself. @returns ends what it holds */
export function declareMoneyJobs(engines: Engines): () => Promise<void> {
  const { sandbox, payments, jobs } = engines;
  const every = declareRounds(engines);
  every('* * * * *', 'money.inbox', async () => {
    await sandbox?.deliverDue();
    await workInbox(engines);
  });
  every('*/10 * * * *', 'money.settleOpen', () => settleOpen(engines));
  every('11 * * * *', 'money.payCreators', () => payCreators(engines));
  every('*/10 * * * *', settleFansQueue, () => settleFans(engines));
  every('*/15 * * * *', 'money.catchMissed', () => catchMissed(engines));
  jobs.handle(checkBooksQueue, async ({ runId }: { runId: string }) => void (await reconcile(engines, runId)), {
    perKey: 'one_running',
  });
  every('41 * * * *', 'money.reconcile', async () => {
    await reconcile(engines);
    await forgetOldFailures(engines);
  });
  return async () => {
    await stopInbox(engines);
    await untilSynced(engines);
    await payments.close();
    await closeObjectLocks(engines);
  };
}
