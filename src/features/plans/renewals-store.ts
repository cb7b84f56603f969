import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { draftEndsDays } from '#features/books/draft-rules.ts';

const unbilled = statement<{ userId: string }>(
  'plans_unbilled',
  `select distinct p.user_id as "userId" from platform_subscriptions p join users u on u.id = p.user_id
where p.provider = $1 and p.livemode = $2 and p.ended_at is null and p.draft_since <= $3::timestamptz - interval '${draftEndsDays} days'
  and u.subscription_status in ('trialing', 'active', 'past_due') limit 200`,
);

/** Creators who have access by a plan whose renewal was never charged. */
export const listUnbilledUsers = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<string[]> =>
  (await tx.ask(unbilled, [provider, livemode, now])).map(({ userId }) => userId);

const unfinalized = statement<{ subscriptionId: string; invoiceId: string }>(
  'plans_unfinalized',
  `update platform_subscriptions p set finalize_at = $4 where p.provider = $1 and p.livemode = $2 and p.ended_at is null
  and p.finalization_error is not null and (p.finalize_at is null or p.finalize_at <= $3)
returning p.subscription_id as "subscriptionId", p.draft_invoice_id as "invoiceId"`,
);

/** Takes plans whose renewal could not be made final, each no more than once until `again`. */
export const takeUnfinalized = (tx: Tx, { provider, livemode }: Realm, now: Date, again: Date) =>
  tx.ask(unfinalized, [provider, livemode, now, again]);
