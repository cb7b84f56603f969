import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { emailsOfNotices, type Notice, pushOfNotices } from '../notice-words.ts';
import { findListener, findNotices, type Listener, takePushed } from '../notices-store.ts';
import { queueEmail } from '../store.ts';
import { pushKeysOf } from './push-keys.ts';
import {
  deleteSubscription,
  findSubscription,
  holdPerson,
  listDevices,
  type PushJob,
  type Subscription,
} from './push-store.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'keys' | 'clock' | 'installation' | 'push'>;
const system = { kind: 'system' } as const;

/** A browser that is away for longer hears nothing of it: what was new is old by then. */
const keptSeconds = 24 * 60 * 60;

/** What one push is about. */
interface Push {
  userId: string;
  /** Undefined when the browser takes no pushes any more. */
  to: Subscription | undefined;
  listener: Listener;
  notices: Notice[];
}

/**
 * Sends one push. A browser that takes no more is forgotten; if it was the last one, or the push service fails until the last
 * try, an email says what the push would have said.
 */
export async function sendPush(engines: Needs, job: PushJob, isLastTry: boolean): Promise<void> {
  const { database } = engines;
  const found = await database.work(system, (tx) => findPush(tx, job));
  if (found === undefined) return;
  const { userId } = found;
  try {
    if ((await send(engines, job, found)) === 'taken') return;
  } catch (error) {
    // Whether another browser took it is not known: they would rather hear of it twice than not at all.
    if (isLastTry) await database.work(system, (tx) => mailInstead(tx, engines, job, found));
    throw error;
  }
  await database.work(system, async (tx) => {
    // Of two browsers that go at the same moment one is the last.
    await holdPerson(tx, userId);
    await deleteSubscription(tx, { id: job.subscriptionId, userId });
    if ((await listDevices(tx, userId)).length === 0) await mailInstead(tx, engines, job, found);
  });
}

async function findPush(tx: Tx, { subscriptionId, noticeIds }: PushJob): Promise<Push | undefined> {
  const about = await findNotices(tx, noticeIds);
  if (about === undefined) return undefined;
  const listener = await findListener(tx, about.userId, []);
  if (listener === undefined) return undefined;
  const known = await findSubscription(tx, subscriptionId);
  // Somebody else may be signed in there by now.
  return { ...about, listener, to: known?.userId === about.userId ? known : undefined };
}

async function send(
  engines: Needs,
  { noticeIds }: PushJob,
  { to, listener, notices }: Push,
): Promise<'taken' | 'gone'> {
  if (to === undefined) return 'gone';
  const { push, installation } = engines;
  return push.send({
    endpoint: to.endpoint,
    p256dh: to.p256dh,
    auth: to.auth,
    // A push that is sent once more, because nobody knew whether it had been taken, is shown once.
    payload: JSON.stringify({ ...pushOfNotices(notices, placeOf(engines, listener)), tag: noticeIds[0] }),
    vapid: { ...(await pushKeysOf(engines)), subject: subjectOf(installation) },
    ttlSeconds: keptSeconds,
  });
}

/** Once, however many of their browsers fail. */
async function mailInstead(tx: Tx, engines: Needs, { noticeIds }: PushJob, { userId, listener }: Push): Promise<void> {
  if (!listener.isReachable) return;
  const untold = await takePushed(tx, noticeIds);
  const now = new Date(engines.clock());
  for (const message of emailsOfNotices(untold, placeOf(engines, listener)))
    await queueEmail(tx, engines.jobs, { userId, to: listener.email, now, ...message });
}

const placeOf = ({ installation }: Needs, { timeZone }: Listener) => ({ publicUrl: installation.publicUrl, timeZone });

/** Whom a push service writes to when something is wrong with our pushes. */
function subjectOf({ operatorEmail, publicUrl }: Engines['installation']): string {
  if (operatorEmail !== undefined) return `mailto:${operatorEmail}`;
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:hello@localhost';
}
