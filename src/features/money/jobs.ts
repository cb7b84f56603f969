import type { Engines } from '#engines/engines.ts';
import { answerDisputes } from './disputes/answering-disputes.ts';
import { settleFees } from './disputes/bearing-fees.ts';
import { tendDisputes } from './disputes/tending-disputes.ts';
import { settleFans } from './fans/fan-jobs.ts';
import { untilSynced } from './ledger.ts';
import { sweepFailures } from './orders/card-failures-store.ts';
import { tellAccessEnds } from './orders/telling-access.ts';
import { settleOpenPacks } from './packs.ts';
import { payCreators } from './payout/paying-out.ts';
import { tendLapses } from './plan/lapses.ts';
import { settlePlans } from './plan/plan-jobs.ts';
import { moneyNow } from './project.ts';
import { catchMissed, reconcile, settleOpen } from './reconcile.ts';
import { handOnUnanswered } from './refunds/asking-back.ts';
import { refundOwed } from './refunds/refunding.ts';
import { runReleases } from './requests/releasing.ts';
import { failuresKeptMs } from './rules.ts';
import { tendWarnings } from './warnings/tending-warnings.ts';
import { workInbox } from './webhooks/inbox.ts';
import { closeObjectLocks } from './webhooks/object-lock.ts';

/** What the room does by itself. @returns ends what it holds */
export function declareMoneyJobs(engines: Engines): () => Promise<void> {
  const { jobs, sandbox, payments } = engines;
  jobs.every('* * * * *', 'money.inbox', async () => {
    await sandbox?.tellDue();
    await workInbox(engines);
  });
  jobs.every('* * * * *', 'money.refunds', async () => {
    await handOnUnanswered(engines);
    await refundOwed(engines);
    await tellAccessEnds(engines);
    await runReleases(engines);
  });
  jobs.every('*/10 * * * *', 'money.settleOpen', () => settleOpen(engines));
  jobs.every('*/10 * * * *', 'money.settlePacks', () => settleOpenPacks(engines));
  jobs.every('*/10 * * * *', 'money.settlePlans', () => settlePlans(engines));
  jobs.every('11 * * * *', 'money.payCreators', () => payCreators(engines));
  jobs.every('*/10 * * * *', 'money.settleFans', () => settleFans(engines));
  jobs.every('* * * * *', 'money.answerDisputes', () => answerDisputes(engines));
  jobs.every('* * * * *', 'money.settleFees', () => settleFees(engines));
  jobs.every('*/10 * * * *', 'money.tendDisputes', () => tendDisputes(engines));
  jobs.every('*/10 * * * *', 'money.tendWarnings', () => tendWarnings(engines));
  jobs.every('13 3 * * *', 'money.tendLapses', () => tendLapses(engines));
  jobs.every('*/15 * * * *', 'money.catchMissed', () => catchMissed(engines));
  jobs.every('41 * * * *', 'money.reconcile', async () => {
    await reconcile(engines);
    const before = new Date(moneyNow(engines).getTime() - failuresKeptMs);
    await engines.database.work({ kind: 'system' }, (tx) => sweepFailures(tx, before));
  });
  return async () => {
    await untilSynced(engines);
    await payments.close();
    await closeObjectLocks(engines);
  };
}
