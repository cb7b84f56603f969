import { setTimeout as pause } from 'node:timers/promises';
import type { HookName } from '#engines/payments/payments.ts';
import { workInbox } from '#features/money/webhooks/inbox.ts';
import { readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** What the provider has to tell. */
export interface ToldEvent {
  id: string;
  hook: HookName;
  body: {
    type: string;
    data?: { object: { id: string; object: string; status?: string } };
  };
}

/** What becomes of an event that arrives. */
export type Take = (event: ToldEvent) => Promise<unknown>;

/** Events that were made and not told yet, in the order in which they were. */
export const takeEvents = (app: TestApp): Promise<ToldEvent[]> =>
  readRows<ToldEvent & { seq: number }>(
    app,
    'with taken as (update sandbox_events set delivered_at = now() where delivered_at is null returning id, hook, body, seq) select * from taken order by seq',
  );

/** Tells one event as the provider does. */
export async function tell(app: TestApp, { hook, body }: ToldEvent): Promise<number> {
  const text = JSON.stringify(body);
  const signature = await app.engines.sandbox?.sign(hook, text);
  const headers = { 'content-type': 'application/json', 'stripe-signature': String(signature) };
  return (await app.fastify.inject({ method: 'POST', url: `/api/hooks/${hook}`, headers, payload: text })).statusCode;
}

/** Every event that has arrived was acted upon. @throws when one could not be */
export async function untilQuiet(app: TestApp): Promise<void> {
  const waiting =
    'select count(*)::int as n, max(last_error) as error, max(type) as type from webhook_inbox where processed_at is null';
  for (const until = performance.now() + 60_000; ; await pause(5)) {
    await workInbox(app.engines);
    const { n, error, type } = await readRow<{ n: number; error: string | null; type: string | null }>(app, waiting);
    if (error !== null) throw new Error(`an event could not be acted upon: ${error}`);
    if (n === 0) return;
    if (performance.now() > until) throw new Error(`${n} events are never acted upon, such as ${type}`);
  }
}
