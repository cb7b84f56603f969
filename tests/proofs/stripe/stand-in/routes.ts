import { accountRoutes } from './accounts.ts';
import { bookRoutes } from './book-routes.ts';
import { clockRoutes } from './clocks.ts';
import { customerRoutes } from './customers.ts';
import { disputeRoutes } from './dispute-routes.ts';
import { intentRoutes } from './intents.ts';
import { invoiceRoutes } from './invoices.ts';
import { payoutRoutes } from './payouts.ts';
import { portalRoutes } from './portal.ts';
import { priceRoutes } from './prices.ts';
import { refundRoutes } from './refunds.ts';
import type { Route } from './route.ts';
import { sessionRoutes } from './sessions.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { transferRoutes } from './transfers.ts';

export type { Route } from './route.ts';

const routes: readonly Route[] = [
  ...accountRoutes,
  ...bookRoutes,
  ...clockRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...intentRoutes,
  ...invoiceRoutes,
  ...payoutRoutes,
  ...portalRoutes,
  ...priceRoutes,
  ...refundRoutes,
  ...sessionRoutes,
  ...subscriptionRoutes,
  ...transferRoutes,
];

export const findRoute = (method: string, path: string): Route | undefined =>
  routes.find((one) => one.method === method && one.pattern.test(path));
