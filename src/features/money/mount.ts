import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountStatements } from './earnings/statement-route.ts';
import { mountReceipts } from './receipts/receipt-route.ts';
import { mountSandboxPages } from './sandbox-pages/sandbox-pages.ts';
import { mountHooks } from './webhooks/hooks.ts';

/** The raw routes of money: where the provider tells, a creator's statements, receipts on paper, and the pages of the built-in one. */
export async function mountMoney(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const { engines } = mounting;
  mountStatements(app, mounting);
  mountReceipts(app, mounting);
  await mountHooks(app, engines);
  if (engines.sandbox !== undefined) await mountSandboxPages(app, engines.sandbox);
}
