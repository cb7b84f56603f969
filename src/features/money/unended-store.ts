import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const openOnes = statement<{ sessionId: string }>(
  'orders_open',
  `select session_id as "sessionId" from checkout_orders where state in ('pending', 'canceled', 'failed') and provider = $1 and livemode = $2
  and session_id is not null and not (state = 'failed' and payment_id is not null) and created_at <= $3 and (next_try_at is null or next_try_at <= $3) order by created_at limit 500`,
);

/**
 * Checkouts that were opened before a moment and of which nobody has told how they ended. An order that was ended here is among
 * them until the provider says that it can be paid no more; one whose bank has said no is over.
 */
export const listOpenSessions = async (tx: Tx, { provider, livemode }: Realm, before: Date): Promise<string[]> =>
  (await tx.query(openOnes, [provider, livemode, before])).map(({ sessionId }) => sessionId);

const unsent = statement<{ id: string }>(
  'orders_unsent',
  `select id from checkout_orders where state = 'pending' and provider = $1 and livemode = $2 and session_id is null
  and expires_at <= $3 order by created_at limit 500`,
);

/** Orders that never came to a checkout, and whose time is over. */
export const listUnsent = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<string[]> =>
  (await tx.query(unsent, [provider, livemode, now])).map(({ id }) => id);
