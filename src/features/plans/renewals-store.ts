import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { draftEndsDays, draftGraceDays } from '#features/books/draft-rules.ts';

const unbilled = statement<{ userId: string }>(
  'plans_unbilled',
  `select distinct p.user_id as "userId" from platform_subscriptions p join users u on u.id = p.user_id
where p.provider = $1 and p.livemode = $2 and p.ended_at is null and p.draft_since <= $3::timestamptz - interval '${draftEndsDays} days'
  and u.subscription_status in ('trialing', 'active', 'past_due') limit 200`,
);

/** Creators who have access by a plan whose renewal was never charged. */
export const listUnbilledUsers = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<string[]> =>
  (await tx.query(unbilled, [provider, livemode, now])).map(({ userId }) => userId);

const unfinalized = statement<{ subscriptionId: string; invoiceId: string }>(
  'plans_unfinalized',
  `select p.subscription_id as "subscriptionId", p.draft_invoice_id as "invoiceId" from platform_subscriptions p
where p.provider = $1 and p.livemode = $2 and p.ended_at is null and not p.cancel_at_period_end
  and p.draft_since is not null and (p.finalization_error is not null or p.draft_since <= $3::timestamptz - interval '${draftGraceDays} days')
  and (p.finalize_at is null or p.finalize_at <= $3) order by p.draft_since limit 50`,
);

/** Plans whose renewal was not made final in time, or could not be, and is to be tried again. */
export const listUnfinalized = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(unfinalized, [provider, livemode, now]);

const finalizing = statement(
  'plan_finalizing',
  'update platform_subscriptions set finalize_at = $4 where provider = $1 and livemode = $2 and subscription_id = $3',
);

/** Notes when it is tried again, before it is tried now. */
export const noteFinalizing = async (tx: Tx, { provider, livemode }: Realm, subscriptionId: string, again: Date) =>
  void (await tx.query(finalizing, [provider, livemode, subscriptionId, again]));
