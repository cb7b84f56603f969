import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { formatCount } from '#kit/text.ts';
import { type Channel, noticeEvents } from './contract.ts';
import { emailsOfNotices } from './notice-words.ts';
import {
  findListener,
  holdPending,
  type Listener,
  listPeopleToTell,
  markDelivered,
  type PendingNotice,
  putOff,
} from './notices-store.ts';
import { listDevices, queuePush } from './push/push-store.ts';
import { channelOf, dueAt, isDigested } from './rules.ts';
import { queueEmail } from './store.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'clock' | 'installation'>;
const system = { kind: 'system' } as const;
const digested = noticeEvents.filter(isDigested);

/**
 * Tells everybody what is due; what two workers do at the same moment is told once.
 * @throws after all of them were tried, when somebody could not be told
 */
export async function deliverDue(engines: Needs): Promise<void> {
  const { database, clock } = engines;
  const people = await database.work(system, (tx) => listPeopleToTell(tx, new Date(clock())));
  const failures: unknown[] = [];
  for (const userId of people) await notifyPerson(engines, userId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${formatCount(failures.length, 'person', 'people')} could not be told.`);
}

/** Tells one person what is due: each event by the channel that they chose, several in one email or push. */
export async function notifyPerson({ database, jobs, clock, installation }: Needs, userId: string): Promise<void> {
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    const pending = await holdPending(tx, userId, now);
    if (pending.length === 0) return;
    const listener = await findListener(tx, userId, digested);
    if (listener === undefined || !listener.isReachable) return markDelivered(tx, idsOf(pending), { by: 'off', now });
    const ready = await putOffOthers(tx, pending, listener, now);
    const devices = await listDevices(tx, userId);
    const by = groupByChannel(ready, listener, devices.length > 0);
    await markDelivered(tx, idsOf(by.off), { by: 'off', now });
    const place = { publicUrl: installation.publicUrl, timeZone: listener.timeZone };
    for (const message of emailsOfNotices(noticesOf(by.mail), place))
      await queueEmail(tx, jobs, { userId, to: listener.email, now, ...message });
    await markDelivered(tx, idsOf(by.mail), { by: 'mail', now });
    if (by.push.length === 0) return;
    for (const subscriptionId of devices) await queuePush(tx, jobs, { subscriptionId, noticeIds: idsOf(by.push) });
    await markDelivered(tx, idsOf(by.push), { by: 'push', now });
  });
}

const noticesOf = (pending: readonly PendingNotice[]) => pending.map(({ notice }) => notice);
const idsOf = (pending: readonly PendingNotice[]) => pending.map(({ id }) => id);

/** Puts off what quiet hours or the pause between two digests keep back. @returns what is told now */
async function putOffOthers(
  tx: Tx,
  pending: readonly PendingNotice[],
  { quiet, timeZone, digestAt, opensAt }: Listener,
  now: Date,
): Promise<PendingNotice[]> {
  const ready: PendingNotice[] = [];
  for (const one of pending) {
    const due = dueAt(one.notice.event, { quiet, timeZone, digestAt, opensAt, now });
    if (due <= now) ready.push(one);
    else await putOff(tx, [one.id], due);
  }
  return ready;
}

function groupByChannel(ready: readonly PendingNotice[], { channels }: Listener, hasDevice: boolean) {
  const by: Record<Channel, PendingNotice[]> = { push: [], mail: [], off: [] };
  for (const one of ready) {
    const channel = channelOf(channels, one.notice.event);
    // Nobody takes a push there: they hear of it all the same.
    by[channel === 'push' && !hasDevice ? 'mail' : channel].push(one);
  }
  return by;
}
