import type { Engines } from '#engines/engines.ts';
import { declareRounds } from '#features/books/rounds.ts';
import { runReleases } from '#features/held/releasing.ts';
import { handOnUnanswered } from '#features/orders/asking-back.ts';
import { refundOrderQueue } from '#features/orders/rules.ts';
import { settleFees } from './bearing-fees.ts';
import { answerDisputes } from './disputes/answering-disputes.ts';
import { tendDisputes } from './disputes/tending-disputes.ts';
import { refundOwed, runRefunds } from './refunding.ts';
import { notifyAccessEnds } from './refunds/notify-access.ts';
import { tendWarnings } from './warnings/tending-warnings.ts';

/** Gives back what is owed, releases what was held, and looks after disputes and warnings. */
export function declareReturnJobs(engines: Engines): void {
  const every = declareRounds(engines);
  engines.jobs.handle(refundOrderQueue, ({ orderId }: { orderId: string }) => runRefunds(engines, orderId));
  every('* * * * *', 'money.refunds', async () => {
    await handOnUnanswered(engines);
    await refundOwed(engines);
    await notifyAccessEnds(engines);
    await runReleases(engines);
  });
  every('* * * * *', 'money.answerDisputes', () => answerDisputes(engines));
  every('* * * * *', 'money.settleFees', () => settleFees(engines));
  every('*/10 * * * *', 'money.tendDisputes', () => tendDisputes(engines));
  every('*/10 * * * *', 'money.tendWarnings', () => tendWarnings(engines));
}
