import type { Engines } from '#engines/engines.ts';
import { decide } from '#features/access/rules.ts';
import { findFactsBySlug } from '#features/access/store.ts';
import { linkOpensEmail } from '#features/notices/access-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatCount } from '#kit/text.ts';
import { type DueReminder, listDueReminders, postponeReminder, takeReminder } from './reminders-store.ts';
import { type Fate, fateOf } from './rules.ts';

/** As many are looked at in a minute. */
const mostAtOnce = 500;

/**
 * Mails those who asked for it that their link has begun, once; safe to repeat. Each is decided as at the door: a link that begins
 * later is waited for, one that will not open any more is told of to nobody.
 * @returns how many emails were queued
 * @throws after all of them were tried, when one could not be decided
 */
export async function sendReminders(engines: Engines): Promise<number> {
  const now = new Date(engines.linkClock());
  let mailed = 0;
  const failures: unknown[] = [];
  for (const due of await listDueReminders(engines.database, now, mostAtOnce)) {
    // One that breaks keeps nobody else waiting.
    const isMailed = await settleReminder(engines, due, now).catch((error: unknown) => void failures.push(error));
    if (isMailed) mailed++;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${formatCount(failures.length, 'reminder')} could not be settled.`);
  return mailed;
}

async function settleReminder(engines: Engines, due: DueReminder, now: Date): Promise<boolean> {
  const { database, jobs, clock, installation } = engines;
  const fate = await findFate(engines, due, now);
  return database.work({ kind: 'system' }, async (tx) => {
    if (fate.do === 'wait') {
      const opensAt = fate.opensAt === undefined ? undefined : new Date(fate.opensAt);
      await postponeReminder(tx, due.id, { opensAt, lookAt: new Date(fate.lookAt) });
      return false;
    }
    const email = await takeReminder(tx, due.id);
    if (email === undefined || fate.do === 'forget') return false;
    const text = linkOpensEmail({ page: `${installation.publicUrl}/view/${due.slug}` });
    await queueEmail(tx, jobs, { to: email, now: new Date(clock()), ...text });
    return true;
  });
}

async function findFate(
  { database, payments: { realm } }: Engines,
  { slug, browserHash, opensAt, createdAt }: DueReminder,
  now: Date,
): Promise<Fate> {
  const asker = { now, realm, aliveSince: now, deviceSecretHash: browserHash, country: undefined, isDesktop: false };
  const question = await findFactsBySlug(database, slug, asker);
  if (question === undefined) return { do: 'forget' };
  // Who has come by themselves since then knows it.
  if (question.visit !== undefined && question.visit.startedAt > createdAt) return { do: 'forget' };
  return fateOf(decide(question.link, question.facts), { opensAt: opensAt.getTime(), now: now.getTime() });
}
