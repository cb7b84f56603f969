import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const adopted = statement<{ cardId: string | null }>(
  'customer_card',
  'select card_id as "cardId" from customer_cards where provider = $1 and livemode = $2 and customer_id = $3',
);

/** The card that was set last at all subscriptions of a customer. */
export const findAdopted = async (tx: Tx, { provider, livemode }: Realm, customerId: string) =>
  (await tx.query(adopted, [provider, livemode, customerId]))[0]?.cardId ?? undefined;

const kept = statement(
  'customer_card_kept',
  `insert into customer_cards (provider, livemode, customer_id, card_id) values ($1, $2, $3, $4)
on conflict (provider, livemode, customer_id) do update set card_id = excluded.card_id, asked_at = null`,
);

/** Notes that all subscriptions of a customer are paid by this card now. */
export const keepAdopted = async (tx: Tx, { provider, livemode }: Realm, customerId: string, cardId: string) =>
  void (await tx.query(kept, [provider, livemode, customerId, cardId]));

const expected = statement(
  'customer_card_expected',
  `insert into customer_cards (provider, livemode, customer_id, asked_at) values ($1, $2, $3, $4)
on conflict (provider, livemode, customer_id) do update set asked_at = excluded.asked_at`,
);

/** Notes that somebody goes to give another card. */
export const expectCard = async (tx: Tx, { provider, livemode }: Realm, customerId: string, now: Date) =>
  void (await tx.query(expected, [provider, livemode, customerId, now]));

const awaited = statement<{ customerId: string }>(
  'customer_cards_expected',
  `select customer_id as "customerId" from customer_cards where provider = $1 and livemode = $2 and asked_at > $3
  and ($4::text[] is null or customer_id = any ($4)) order by asked_at limit 100`,
);

/** Customers who went to give another card since then, and nobody knows yet whether they did. @param among left out, all of them */
export const listExpected = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { since, among }: { since: Date; among?: readonly string[] | undefined },
): Promise<string[]> =>
  (await tx.query(awaited, [provider, livemode, since, among ?? null])).map(({ customerId }) => customerId);
