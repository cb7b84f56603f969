import type { Engines } from '#engines/engines.ts';
import { declareRounds } from '#features/books/rounds.ts';
import { type EndedSales, endSalesQueue } from '#features/sales/ending.ts';
import { closeSales, endForgotten } from './closing-sales.ts';
import { refundPackQueue, runPackRefunds, settleOpenPacks } from './packs.ts';
import { settleCards } from './sync-orders.ts';

/** Closes what is not for sale any more, and asks about packs and cards of which nobody told. */
export function declareOrderJobs(engines: Engines): void {
  const { jobs } = engines;
  const every = declareRounds(engines);
  jobs.handle(endSalesQueue, (sales: EndedSales) => closeSales(engines, sales));
  jobs.handle(refundPackQueue, ({ packId }: { packId: string }) => runPackRefunds(engines, packId));
  every('* * * * *', 'money.endSales', () => endForgotten(engines));
  every('*/10 * * * *', 'money.settlePacks', () => settleOpenPacks(engines));
  every('*/10 * * * *', 'money.settleCards', () => settleCards(engines));
}
