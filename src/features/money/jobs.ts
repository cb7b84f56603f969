import type { Engines } from '#engines/engines.ts';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { closeObjectLocks } from '#features/books/object-lock.ts';
import { declareRounds } from '#features/books/rounds.ts';
import { forgetOldFailures } from '#features/orders/card-tests.ts';
import { answerDisputes } from './disputes/answering-disputes.ts';
import { settleFees } from './disputes/bearing-fees.ts';
import { tendDisputes } from './disputes/tending-disputes.ts';
import { settleFans } from './fans/fan-jobs.ts';
import { refundOrderQueue } from '#features/orders/rules.ts';
import { tellAccessEnds } from './orders/telling-access.ts';
import { payCreators } from './paying-out.ts';
import { catchMissed, reconcile, settleOpen } from './reconcile.ts';
import { handOnUnanswered } from '#features/orders/asking-back.ts';
import { refundOwed, runRefunds } from './refunds/refunding.ts';
import { runReleases } from '#features/held/releasing.ts';
import { tendWarnings } from './warnings/tending-warnings.ts';
import { stopInbox, workInbox } from './webhooks/inbox.ts';

/** What the room does by itself. @returns ends what it holds */
export function declareMoneyJobs(engines: Engines): () => Promise<void> {
  const { jobs, sandbox, payments } = engines;
  const every = declareRounds(engines);
  every('* * * * *', 'money.inbox', async () => {
    await sandbox?.tellDue();
    await workInbox(engines);
  });
  jobs.handle(refundOrderQueue, ({ orderId }: { orderId: string }) => runRefunds(engines, orderId));
  every('* * * * *', 'money.refunds', async () => {
    await handOnUnanswered(engines);
    await refundOwed(engines);
    await tellAccessEnds(engines);
    await runReleases(engines);
  });
  every('*/10 * * * *', 'money.settleOpen', () => settleOpen(engines));
  every('11 * * * *', 'money.payCreators', () => payCreators(engines));
  every('*/10 * * * *', 'money.settleFans', () => settleFans(engines));
  every('* * * * *', 'money.answerDisputes', () => answerDisputes(engines));
  every('* * * * *', 'money.settleFees', () => settleFees(engines));
  every('*/10 * * * *', 'money.tendDisputes', () => tendDisputes(engines));
  every('*/10 * * * *', 'money.tendWarnings', () => tendWarnings(engines));
  every('*/15 * * * *', 'money.catchMissed', () => catchMissed(engines));
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
