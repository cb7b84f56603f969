import type { Engines } from '#engines/engines.ts';
import { type EndedSales, endSalesQueue } from '#features/sales/ending.ts';
import { closeSales, endForgotten } from './closing-sales.ts';
import { answerDisputes } from './disputes/answering-disputes.ts';
import { settleFees } from './disputes/bearing-fees.ts';
import { tendDisputes } from './disputes/tending-disputes.ts';
import { settleFans } from './fans/fan-jobs.ts';
import { untilSynced } from './ledger.ts';
import { sweepFailures } from './orders/card-failures-store.ts';
import { refundOrderQueue } from './orders/late-payments.ts';
import { tellAccessEnds } from './orders/telling-access.ts';
import { tellRefusedKey } from './orders/telling-refused-keys.ts';
import { refundPackQueue, runPackRefunds, settleOpenPacks } from './packs.ts';
import { payCreators } from './payout/paying-out.ts';
import { tendLapses } from './plan/lapses.ts';
import { settlePlans } from './plan/plan-jobs.ts';
import { moneyNow, settleCards } from './project.ts';
import { catchMissed, reconcile, settleOpen } from './reconcile.ts';
import { handOnUnanswered } from './refunds/asking-back.ts';
import { refundOwed, runRefunds } from './refunds/refunding.ts';
import { runReleases } from './requests/releasing.ts';
import { failuresKeptMs } from './rules.ts';
import { tendWarnings } from './warnings/tending-warnings.ts';
import { stopInbox, workInbox } from './webhooks/inbox.ts';
import { closeObjectLocks } from './webhooks/object-lock.ts';

/** One round of whatever comes by itself: what is left is done by the next, and none keeps the others waiting for long. */
const mostSeconds = 300;

/** One round, of which the operator hears where the provider does not take our key. */
async function telling(engines: Engines, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    await tellRefusedKey(engines, error);
    throw error;
  }
}

/** What the room does by itself. @returns ends what it holds */
export function declareMoneyJobs(engines: Engines): () => Promise<void> {
  const { jobs, sandbox, payments } = engines;
  const every = (cron: string, queue: string, run: () => Promise<void>) =>
    jobs.every(cron, queue, () => telling(engines, run), { expireInSeconds: mostSeconds });
  every('* * * * *', 'money.inbox', async () => {
    await sandbox?.tellDue();
    await workInbox(engines);
  });
  jobs.handle(endSalesQueue, (sales: EndedSales) => closeSales(engines, sales));
  jobs.handle(refundOrderQueue, ({ orderId }: { orderId: string }) => runRefunds(engines, orderId));
  jobs.handle(refundPackQueue, ({ packId }: { packId: string }) => runPackRefunds(engines, packId));
  every('* * * * *', 'money.endSales', () => endForgotten(engines));
  every('* * * * *', 'money.refunds', async () => {
    await handOnUnanswered(engines);
    await refundOwed(engines);
    await tellAccessEnds(engines);
    await runReleases(engines);
  });
  every('*/10 * * * *', 'money.settleOpen', () => settleOpen(engines));
  every('*/10 * * * *', 'money.settlePacks', () => settleOpenPacks(engines));
  every('*/10 * * * *', 'money.settlePlans', () => settlePlans(engines));
  every('*/10 * * * *', 'money.settleCards', () => settleCards(engines));
  every('11 * * * *', 'money.payCreators', () => payCreators(engines));
  every('*/10 * * * *', 'money.settleFans', () => settleFans(engines));
  every('* * * * *', 'money.answerDisputes', () => answerDisputes(engines));
  every('* * * * *', 'money.settleFees', () => settleFees(engines));
  every('*/10 * * * *', 'money.tendDisputes', () => tendDisputes(engines));
  every('*/10 * * * *', 'money.tendWarnings', () => tendWarnings(engines));
  every('13 3 * * *', 'money.tendLapses', () => tendLapses(engines));
  every('*/15 * * * *', 'money.catchMissed', () => catchMissed(engines));
  every('41 * * * *', 'money.reconcile', async () => {
    await reconcile(engines);
    const before = new Date(moneyNow(engines).getTime() - failuresKeptMs);
    await engines.database.work({ kind: 'system' }, (tx) => sweepFailures(tx, before));
  });
  return async () => {
    await stopInbox(engines);
    await untilSynced(engines);
    await payments.close();
    await closeObjectLocks(engines);
  };
}
