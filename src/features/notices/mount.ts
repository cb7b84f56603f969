import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountMailHook } from './suppressions/mail-hook.ts';
import { mountUnsubscribing } from './suppressions/unsubscribe-route.ts';

/** The raw routes of notices: what a mail provider reports, and the way out of the emails that people may do without. */
export async function mountNotices(app: FastifyInstance, { engines }: Mounting, pageHead: string): Promise<void> {
  await mountMailHook(app, engines);
  await mountUnsubscribing(app, engines, pageHead);
}
