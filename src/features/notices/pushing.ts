import type { Engines } from '#engines/engines.ts';
import { emailsOfNotices, pushOfNotices } from './notice-words.ts';
import { findListener, listNotices } from './notices-store.ts';
import { pushKeysOf } from './push-keys.ts';
import { deleteSubscription, findSubscription, listDevices, type PushJob } from './push-store.ts';
import { queueEmail } from './store.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'keys' | 'clock' | 'installation' | 'push'>;
const system = { kind: 'system' } as const;

/** A browser that is away for longer hears nothing of it: what was new is old by then. */
const keptSeconds = 24 * 60 * 60;

/** Sends one push; a browser that takes no more is forgotten, and if it was the last one an email says what it would have said. */
export async function sendPush(engines: Needs, { subscriptionId, noticeIds }: PushJob): Promise<void> {
  const { database, push, installation } = engines;
  const found = await database.work(system, async (tx) => {
    const to = await findSubscription(tx, subscriptionId);
    const listener = to && (await findListener(tx, to.userId, []));
    return to && listener && { to, listener, notices: await listNotices(tx, noticeIds) };
  });
  if (found === undefined || found.notices.length === 0) return;
  const { to, listener, notices } = found;
  const place = { publicUrl: installation.publicUrl, timeZone: listener.timeZone };
  const outcome = await push.send({
    endpoint: to.endpoint,
    p256dh: to.p256dh,
    auth: to.auth,
    // A push that is sent once more, because nobody knew whether it had been taken, is shown once.
    payload: JSON.stringify({ ...pushOfNotices(notices, place), tag: noticeIds[0] }),
    vapid: { ...(await pushKeysOf(engines)), subject: subjectOf(installation) },
    ttlSeconds: keptSeconds,
  });
  if (outcome === 'taken') return;
  const { jobs, clock } = engines;
  await database.work(system, async (tx) => {
    await deleteSubscription(tx, to.id);
    if (!listener.isReachable || (await listDevices(tx, to.userId)).length > 0) return;
    for (const message of emailsOfNotices(notices, place))
      await queueEmail(tx, jobs, { userId: to.userId, to: listener.email, now: new Date(clock()), ...message });
  });
}

/** Whom a push service writes to when something is wrong with our pushes. */
function subjectOf({ operatorEmail, publicUrl }: Engines['installation']): string {
  if (operatorEmail !== undefined) return `mailto:${operatorEmail}`;
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:hello@localhost';
}
