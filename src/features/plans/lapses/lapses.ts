import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { accountAccessOf } from '#features/accounts/rules.ts';
import { findAccount } from '#features/accounts/store.ts';
import { undoUntil } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { undoHours } from '#features/media/rules.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import { albumsKeptEmail, albumsRemovedEmail } from '#features/notices/plan-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { endSales } from '#features/sales/ending.ts';
import { firstIdAt } from '#kit/ids.ts';
import { hasAccess } from '#wire/context.ts';
import { emailDue, isOver, keptUntil, type Lapse, lastNotified, warnedMs } from './lapse-rules.ts';
import {
  beginLapse,
  endLapse,
  holdLapse,
  type LapsingAccount,
  listLapsing,
  removeAlbums,
  saveNotified,
} from './lapses-store.ts';

const system = { kind: 'system' } as const;
const page = 500;

/**
 * Looks after what people without access have stored: tells them how long it is kept, and lets their albums go when that is over.
 * Each account is a transaction of its own, so that a process that dies half-way goes on where it stood. Where nobody can pay for
 * a plan nothing goes.
 */
export async function tendLapses(engines: Engines): Promise<void> {
  const { database, payments, clock } = engines;
  if (payments.isOff) return;
  const now = new Date(clock());
  let after = firstIdAt(new Date(0));
  for (;;) {
    const accounts = await database.work(system, (tx) => listLapsing(tx, after, page));
    for (const account of accounts) await tend(engines, account, now);
    const last = accounts.at(-1);
    if (last === undefined || accounts.length < page) return;
    after = last.userId;
  }
}

async function tend(engines: Engines, account: LapsingAccount, now: Date): Promise<void> {
  const { database } = engines;
  const { userId, isLapsed, planIsPaused } = account;
  const access = accountAccessOf(account, now);
  if (access.isStopped) return; // whoever leaves or is suspended goes another way
  // A pause is no end, however long it is: whoever takes one comes back to what was there.
  if (hasAccess(access) || planIsPaused) {
    if (isLapsed) await database.work(system, (tx) => endLapse(tx, userId));
    return;
  }
  await database.work(system, async (tx) => {
    if (!isLapsed) await beginLapse(tx, userId, now);
    const lapse = await holdLapse(tx, userId, engines.payments.realm);
    if (lapse === undefined) return;
    if (isOver(lapse, now)) return remove(engines, tx, userId, now);
    const email = emailDue(lapse, now);
    if (email !== undefined) await notify(engines, tx, { userId, lapse, email, now });
  });
}

async function notify(
  engines: Engines,
  tx: Tx,
  { userId, lapse, email, now }: { userId: string; lapse: Lapse; email: number; now: Date },
): Promise<void> {
  const isLast = email === lastNotified;
  await saveNotified(tx, userId, { email, isLast, now });
  // Never sooner than a week after they have been told.
  const until = new Date(Math.max(keptUntil(lapse).getTime(), isLast ? now.getTime() + warnedMs : 0));
  await write(engines, tx, { userId, now }, (pages, dayOf) => albumsKeptEmail({ ...pages, day: dayOf(until), isLast }));
}

/** The way of albums that their creator deletes: for some time they can be brought back, then their keys and files are destroyed. */
async function remove(engines: Engines, tx: Tx, userId: string, now: Date): Promise<void> {
  const albumIds = await removeAlbums(tx, userId, now, undoUntil(now));
  for (const albumId of albumIds) await tx.publish({ kind: 'album.closed', creatorId: userId, albumId });
  if (albumIds.length > 0) await endSales(engines, tx, { albumIds });
  const target = { type: 'user', id: userId };
  await insertAudit(tx, {
    actor: { type: 'system' },
    action: 'albums.lapsed',
    target,
    details: { albums: albumIds.length },
  });
  if (albumIds.length > 0)
    await write(engines, tx, { userId, now }, (pages) => albumsRemovedEmail({ ...pages, undoHours }));
}

async function write(
  { jobs, installation }: Engines,
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
  wordsOf: (pages: { billingPage: string }, dayOf: (day: Date) => string) => EmailText,
): Promise<void> {
  const account = await findAccount(tx, userId);
  if (account === undefined) return;
  const { timeZone } = account;
  const { format: dayOf } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const text = wordsOf({ billingPage: `${installation.publicUrl}/account/billing` }, dayOf);
  await queueEmail(tx, jobs, { userId, to: account.email, now, ...text });
}
