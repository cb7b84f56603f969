import type { Tx } from '#engines/database/work.ts';
import { statement } from '#engines/database/work.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';

const ofDomain = `%@${syntheticDomain}`;

/** Notes whom a run has made. */
export async function noteCreator(tx: Tx, checkId: string, creatorId: string): Promise<void> {
  await tx.db.updateTable('full_checks').set({ creator_id: creatorId }).where('id', '=', checkId).execute();
}

const viewersNoted = statement(
  'full_check_viewers',
  `update full_checks c set viewer_ids = array(select distinct unnest(c.viewer_ids || v.ids))
   from (select coalesce(array_agg(distinct viewer_id), '{}') as ids from (
     select viewer_id from link_viewers where creator_id = $2 union
     select viewer_id from album_access_requests where user_id = $2 union
     select viewer_id from checkout_orders where creator_id = $2 and viewer_id is not null union
     select viewer_id from viewer_pseudonyms where creator_id = $2) seen) v
   where c.id = $1`,
);

/** Notes the viewers who came by a creator's links, before an erasure forgets which those were. */
export const noteViewers = async (tx: Tx, checkId: string, creatorId: string): Promise<void> =>
  void (await tx.query(viewersNoted, [checkId, creatorId]));

export interface ToClean {
  id: string;
  creatorId: string | null;
}

const anotherRunning = statement<{ is: boolean }>(
  'full_check_another_running',
  'select exists (select from full_checks where ended_at is null and id is distinct from $1::uuid) as is',
);

/** Returns whether a run other than this one is under way. */
export const isAnotherRunning = async (tx: Tx, own: string | null): Promise<boolean> =>
  (await tx.query(anotherRunning, [own]))[0]?.is === true;

const toClean = statement<ToClean>(
  'full_checks_to_clean',
  `select c.id, c.creator_id as "creatorId" from full_checks c where c.cleaned_at is null and (c.ended_at is not null or c.id = $1)
   order by c.started_at`,
);

/** Lists runs of which something may be left. @param running one that has come to its end, and is still to be noted as ended */
export const listToClean = (tx: Tx, running: string | null): Promise<ToClean[]> => tx.query(toClean, [running]);

// Anybody may type such an address at the sign-up and never confirm it: a few of them at a time, and none that a run makes just now.
const lost = statement<{ id: string }>(
  'full_check_lost_accounts',
  `select u.id from users u where lower(u.email) like $1
   and not exists (select from full_checks c where c.ended_at is null and u.created_at >= c.started_at and c.id is distinct from $2::uuid)
   order by u.created_at limit 20`,
);

/** Lists accounts of the full check that no run has noted: its process died in the middle of a sign-up. @param own the run that asks */
export const listLostAccounts = async (tx: Tx, own: string | null): Promise<string[]> =>
  (await tx.query(lost, [ofDomain, own])).map(({ id }) => id);

// A payer types any address at the provider: whoever has paid real money is none of the check's.
const buyers = statement<{ id: string }>(
  'full_check_buyers',
  `select b.id from buyers b where lower(b.email) like $1
   and not exists (select from checkout_orders o where o.buyer_id = b.id and o.livemode)
   and not exists (select from fan_subscriptions f where f.buyer_id = b.id and f.livemode)`,
);

/** Lists the buyers of the full check. */
export const listBuyers = async (tx: Tx): Promise<string[]> => (await tx.query(buyers, [ofDomain])).map(({ id }) => id);

const waiting = statement<{ is: boolean }>(
  'full_check_events_waiting',
  'select exists (select from webhook_inbox where processed_at is null) as is',
);

/** Returns whether the provider has told of something that is not acted upon yet. */
export const areEventsWaiting = async (tx: Tx): Promise<boolean> => (await tx.query(waiting, []))[0]?.is === true;

/** Removes that an account has had its trial, before an erasure forgets whose trial it was. */
export async function removeTrial(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('trial_redemptions').where('user_id', '=', userId).execute();
}

/** Removes the account itself, once the product has erased it; what an erasure keeps of it for good goes along. */
export async function removeAccount(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('users').where('id', '=', userId).execute();
}

const viewersGone = statement(
  'full_check_viewers_gone',
  'delete from viewers v using full_checks c where c.id = $1 and v.id = any(c.viewer_ids)',
);

/** Removes the viewers that a run has noted. */
export const removeViewers = async (tx: Tx, checkId: string): Promise<void> =>
  void (await tx.query(viewersGone, [checkId]));

const emailsGone = statement(
  'full_check_emails_gone',
  `delete from mail_outbox m where lower(m.recipient) like $1 and not exists (
     select from buyers b join checkout_orders o on o.buyer_id = b.id where lower(b.email) = lower(m.recipient) and o.livemode)`,
);

/** Removes emails to people whom the full check made up. */
export async function removeEmails(tx: Tx): Promise<void> {
  await tx.query(emailsGone, [ofDomain]);
}

/** Notes that nothing of a run is left that may go. */
export async function noteCleaned(tx: Tx, checkId: string, now: Date): Promise<void> {
  await tx.db.updateTable('full_checks').set({ cleaned_at: now }).where('id', '=', checkId).execute();
}

/** The newest code that was written to an address: its email stands in the outbox, and never leaves. */
export async function findCode(
  tx: Tx,
  address: string,
): Promise<{ code: string | undefined; state: string } | undefined> {
  const row = await tx.db
    .selectFrom('mail_outbox')
    .select(['body_text', 'state'])
    .where('recipient', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row && { code: /^[ \t]*(\d{6})$/m.exec(row.body_text)?.[1], state: row.state };
}
