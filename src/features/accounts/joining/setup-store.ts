import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { SetupStep } from '../rules.ts';

/** Marks a step of the setup as saved, with what was typed on it. */
export async function saveSetupStep(
  tx: Tx,
  userId: string,
  step: SetupStep,
  values: Partial<{
    displayName: string;
    handle: string;
    country: string;
    timeZone: string;
    birthDate: string;
    consents: { terms: string; contentPolicy: string; news: boolean; now: Date };
  }> = {},
): Promise<void> {
  const { displayName, handle, country, timeZone, birthDate, consents } = values;
  await tx.db
    .updateTable('users')
    .set({
      setup_step: step,
      ...(displayName !== undefined && { display_name: displayName, handle, country, time_zone: timeZone }),
      ...(birthDate !== undefined && { birth_date: birthDate }),
      ...(consents && {
        tos_version: consents.terms,
        tos_at: consents.now,
        content_policy_version: consents.contentPolicy,
        content_policy_at: consents.now,
        marketing_consent_at: consents.news ? consents.now : null,
      }),
    })
    .where('id', '=', userId)
    .execute();
}

/** Opens the account for use, with a plan or a trial when there is one. */
export async function openAccount(
  tx: Tx,
  userId: string,
  plan: { status: string; trialEndsAt: Date | null } | undefined,
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({
      setup_step: 'done',
      status: 'active',
      ...(plan && { subscription_status: plan.status, trial_ends_at: plan.trialEndsAt }),
    })
    .where('id', '=', userId)
    .execute();
}

/** The plan that was taken under an address before there was an account, when nobody has it yet. */
export async function findWaitingPlan(
  tx: Tx,
  email: string,
): Promise<{ id: string; status: string; trialEnd: Date | null; hasCard: boolean } | undefined> {
  const { rows } = await sql<{ id: string; status: string; trialEnd: Date | null; hasCard: boolean }>`
    select p.id, p.status, p.trial_end as "trialEnd", p.card_last4 is not null as "hasCard"
    from platform_subscriptions p join plan_checkouts c on c.id = p.checkout_id
    where c.email = ${email} and p.user_id is null and p.ended_at is null and p.status in ('trialing', 'active', 'past_due')
    order by p.status = 'trialing', p.created_at desc limit 1`.execute(tx.db);
  return rows[0];
}

/** Makes a plan theirs that waited for them; the next question about it asks the provider, so that its receipts are sent. */
export async function takeWaitingPlan(tx: Tx, planId: string, userId: string): Promise<void> {
  const hers = { user_id: userId, synced_at: new Date(0) };
  await tx.db.updateTable('platform_subscriptions').set(hers).where('id', '=', planId).execute();
}

/**
 * Uses up the one trial of a mailbox.
 * @param hashes of the address under every key of ours, newest first
 * @returns false when it was used before
 */
export async function redeemTrial(tx: Tx, hashes: readonly Buffer[], userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into trial_redemptions (address_hash, user_id, at)
    select ${hashes[0]}, ${userId}, ${now}
    where not exists (select 1 from trial_redemptions where address_hash = any(${[...hashes]}::bytea[]))
    on conflict (address_hash) do nothing returning 1`.execute(tx.db);
  return rows.length > 0;
}
