import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'query'>;

/** An address that is mailed once when a link begins, and the browser that asked for it. */
export interface Reminder {
  id: string;
  linkId: string;
  browserHash: Buffer;
  email: string;
  opensAt: Date;
  now: Date;
}

const kept = statement(
  'reminder_kept',
  `insert into link_reminders (id, link_id, browser_hash, email, opens_at, look_at, created_at) values ($1, $2, $3, $4, $5, $5, $6)
on conflict (link_id, email) do update set browser_hash = excluded.browser_hash, opens_at = excluded.opens_at, look_at = excluded.look_at,
  created_at = excluded.created_at`,
);

/** Keeps a reminder; an address has one for each link. */
export async function keepReminder(source: Source, reminder: Reminder): Promise<void> {
  const { id, linkId, browserHash, email, opensAt, now } = reminder;
  await source.query(kept, [id, linkId, browserHash, email, opensAt, now]);
}

/** A browser at a link. */
export interface Waiting {
  linkId: string;
  browserHash: Buffer;
}

const found = statement<{ email: string }>(
  'reminder_of_browser',
  'select email from link_reminders where link_id = $1 and browser_hash = $2 order by created_at desc limit 1',
);

/** Returns the address that a browser has asked to be reminded at; undefined where it has not. */
export const findReminder = async (source: Source, { linkId, browserHash }: Waiting): Promise<string | undefined> =>
  (await source.query(found, [linkId, browserHash]))[0]?.email;

const forgotten = statement(
  'reminders_of_browser_deleted',
  'delete from link_reminders where link_id = $1 and browser_hash = $2',
);

/** Deletes what a browser has asked for at a link. */
export async function deleteReminders(source: Source, { linkId, browserHash }: Waiting): Promise<void> {
  await source.query(forgotten, [linkId, browserHash]);
}

/** A reminder whose link may have begun. */
export interface DueReminder {
  id: string;
  slug: string;
  browserHash: Buffer;
  opensAt: Date;
  createdAt: Date;
}

const due = statement<DueReminder>(
  'reminders_due',
  `select r.id, l.slug, r.browser_hash as "browserHash", r.opens_at as "opensAt", r.created_at as "createdAt"
from link_reminders r join magic_links l on l.id = r.link_id where r.look_at <= $1 order by r.look_at limit $2`,
);

/** Lists reminders that are to be decided now, the oldest first. */
export const listDueReminders = (source: Source, now: Date, limit: number): Promise<DueReminder[]> =>
  source.query(due, [now, limit]);

const postponed = statement(
  'reminder_postponed',
  'update link_reminders set opens_at = coalesce($2, opens_at), look_at = $3 where id = $1',
);

/** Puts a reminder off. @param opensAt when the link begins, where that has changed */
export async function postponeReminder(
  source: Source,
  id: string,
  { opensAt, lookAt }: { opensAt: Date | undefined; lookAt: Date },
): Promise<void> {
  await source.query(postponed, [id, opensAt ?? null, lookAt]);
}

const taken = statement<{ email: string }>(
  'reminder_taken',
  'delete from link_reminders where id = $1 returning email',
);

/** Deletes a reminder. @returns its address; undefined when another call was quicker */
export const takeReminder = async (source: Source, id: string): Promise<string | undefined> =>
  (await source.query(taken, [id]))[0]?.email;
