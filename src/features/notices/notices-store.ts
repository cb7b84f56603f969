import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { newId } from '#kit/ids.ts';
import type { Channel, NoticeEvent, QuietHours } from './contract.ts';
import type { Notice } from './notice-words.ts';

/** Queue whose jobs tell one person what is due. */
export const notifyQueue = 'notices.tell';

/** Notes what a creator is to hear of, in the caller's transaction; it comes with their next digest. */
export async function noteNotice(
  tx: Tx,
  { userId, notice, now }: { userId: string; notice: Notice; now: Date },
): Promise<void> {
  const { event, ...about } = notice;
  const row = { id: newId<'notice'>(now.getTime()), user_id: userId, event, created_at: now, due_at: now };
  await tx.asSystem((system) =>
    system.db
      .insertInto('notices')
      .values({ ...row, about: JSON.stringify(about) })
      .execute(),
  );
}

/** The same for what they are told when it happens: as soon as the transaction commits. */
export async function notifyAtOnce(
  tx: Tx,
  jobs: Jobs,
  entry: { userId: string; notice: Notice; now: Date },
): Promise<void> {
  await noteNotice(tx, entry);
  await tx.asSystem((system) => jobs.send(system, notifyQueue, { userId: entry.userId }));
}

/** People for whom something is due. */
export async function listPeopleToTell(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('notices')
    .select('user_id')
    .distinct()
    .where('told_at', 'is', null)
    .where('due_at', '<=', now)
    .limit(200)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export type PendingNotice = { id: string; notice: Notice };

/** More than a person is told of at once; the rest comes with the next look. */
const mostAtOnce = 500;

/** What a person has not been told of and is due, held for the caller's transaction: two workers never tell it twice. */
export async function holdPending(tx: Tx, userId: string, now: Date): Promise<PendingNotice[]> {
  const rows = await tx.db
    .selectFrom('notices')
    .select(['id', 'event', 'about'])
    .where('user_id', '=', userId)
    .where('told_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('id')
    .limit(mostAtOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id, event, about }) => ({ id, notice: noticeOf({ event, about }) }));
}

export interface Listener {
  email: string;
  /** An address that is confirmed, of an account that is neither stopped nor closed. */
  isReachable: boolean;
  timeZone: string;
  /** They agreed to occasional news. */
  wantsNews: boolean;
  channels: Partial<Record<string, string>>;
  quiet: QuietHours;
  /** When the last digest went. */
  digestAt: Date | null;
  /** When further opens were told last. */
  opensAt: Date | null;
}

/** How a person wants to be told, and since when they have had no digest. */
export async function findListener(
  tx: Tx,
  userId: string,
  digested: readonly NoticeEvent[],
): Promise<Listener | undefined> {
  const { rows } = await sql<Omit<Listener, 'quiet'> & { from: number | null; until: number | null }>`
    select u.email, u.marketing_consent_at is not null as "wantsNews", u.email_verified and u.status in ('active', 'limited') as "isReachable", u.time_zone as "timeZone",
      coalesce(s.channels, '{}') as channels, s.quiet_from as "from", s.quiet_until as "until",
      (select max(n.told_at) from notices n where n.user_id = u.id and n.told_by <> 'off' and n.event = any(${[...digested]}::text[])) as "digestAt",
      (select max(n.told_at) from notices n where n.user_id = u.id and n.told_by <> 'off' and n.event = 'further_opens') as "opensAt"
    from users u left join notice_settings s on s.user_id = u.id where u.id = ${userId}`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { from, until, ...listener } = row;
  return { ...listener, quiet: from === null || until === null ? null : { from, until } };
}

/** Notes how notices were told. */
export async function markDelivered(
  tx: Tx,
  ids: readonly string[],
  { by, now }: { by: Channel; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tx.db.updateTable('notices').set({ told_at: now, told_by: by }).where('id', 'in', ids).execute();
}

/** Puts notices off. */
export async function putOff(tx: Tx, ids: readonly string[], until: Date): Promise<void> {
  await tx.db.updateTable('notices').set({ due_at: until }).where('id', 'in', ids).execute();
}

/** Notices of one person by their ids, for a push, and whose they are. @returns undefined when they were forgotten since */
export async function findNotices(
  tx: Tx,
  ids: readonly string[],
): Promise<{ userId: string; notices: Notice[] } | undefined> {
  const rows = await tx.db
    .selectFrom('notices')
    .select(['user_id', 'event', 'about'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const [first] = rows;
  return first && { userId: first.user_id, notices: rows.map(noticeOf) };
}

const noticeOf = ({ event, about }: { event: string; about: unknown }) => ({ event, ...(about as object) }) as Notice;

/** Notices that no push has told, to be told by email: each is taken once. */
export async function takePushed(tx: Tx, ids: readonly string[]): Promise<Notice[]> {
  const rows = await tx.db
    .updateTable('notices')
    .set({ told_by: 'mail' })
    .where('id', 'in', ids)
    .where('told_by', '=', 'push')
    .returning(['id', 'event', 'about'])
    .execute();
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(noticeOf);
}

/** Forgets what is old, told or not. */
export async function forgetNotices(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('notices').where('created_at', '<', before).execute();
}

/** Stores what a person chose, in their own transaction; what they leave out stays. */
export async function saveNoticeSettings(
  tx: Tx,
  userId: string,
  { channels, quiet }: { channels?: Partial<Record<string, string>> | undefined; quiet?: QuietHours | undefined },
): Promise<void> {
  const hours = quiet === undefined ? {} : { quiet_from: quiet?.from ?? null, quiet_until: quiet?.until ?? null };
  const chosen = JSON.stringify(channels ?? {});
  await tx.db
    .insertInto('notice_settings')
    .values({ user_id: userId, channels: chosen, ...hours })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...hours, channels: sql`notice_settings.channels || ${chosen}::jsonb` }),
    )
    .execute();
}

/** Notes since when somebody wants news by email, or that they want none. @returns false when that was so before */
export async function chooseNews({ db }: Tx, userId: string, since: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ marketing_consent_at: since })
    .where('id', '=', userId)
    .where('marketing_consent_at', since === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
