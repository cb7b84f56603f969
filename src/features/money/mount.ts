import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountHooks } from './hooks.ts';
import { mountSandboxPages } from './sandbox-pages/sandbox-pages.ts';

/** The raw routes of money: where the provider tells, and the pages of the built-in one. */
export async function mountMoney(app: FastifyInstance, { engines }: Mounting): Promise<void> {
  await mountHooks(app, engines);
  if (engines.sandbox !== undefined) await mountSandboxPages(app, engines.sandbox);
}
