import type { Engines } from '#engines/engines.ts';
import { handOnUnanswered } from './asking-back.ts';
import { settleFans } from './fans/fan-jobs.ts';
import { workInbox } from './inbox.ts';
import { untilSynced } from './ledger.ts';
import { closeObjectLocks } from './object-lock.ts';
import { payCreators } from './payout/paying-out.ts';
import { settlePlans } from './plan/plan-jobs.ts';
import { catchMissed, reconcile, settleOpen } from './reconcile.ts';
import { refundRevoked } from './refunding.ts';

/** What the room does by itself. @returns ends what it holds */
export function declareMoneyJobs(engines: Engines): () => Promise<void> {
  const { jobs, sandbox, payments } = engines;
  jobs.every('* * * * *', 'money.inbox', async () => {
    await sandbox?.tellDue();
    await workInbox(engines);
  });
  jobs.every('* * * * *', 'money.refunds', async () => {
    await handOnUnanswered(engines);
    await refundRevoked(engines);
  });
  jobs.every('*/10 * * * *', 'money.settleOpen', () => settleOpen(engines));
  jobs.every('*/10 * * * *', 'money.settlePlans', () => settlePlans(engines));
  jobs.every('11 * * * *', 'money.payCreators', () => payCreators(engines));
  jobs.every('*/10 * * * *', 'money.settleFans', () => settleFans(engines));
  jobs.every('*/15 * * * *', 'money.catchMissed', () => catchMissed(engines));
  jobs.every('41 * * * *', 'money.reconcile', async () => void (await reconcile(engines)));
  return async () => {
    await untilSynced(engines);
    await payments.close();
    await closeObjectLocks(engines);
  };
}
