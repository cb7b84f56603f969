import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { forgetNotices, notifyQueue } from './notices-store.ts';
import { deliverDue, notifyPerson } from './notifying.ts';
import { markExpiredProofsSeen } from './outbox/given-up-store.ts';
import { requeueLostEmails } from './outbox/lost-store.ts';
import { sendEmail } from './outbox/sending.ts';
import { type PushJob, pushQueue } from './push/push-store.ts';
import { sendPush } from './push/pushing.ts';
import { emailQueue, forgetGivenUpTexts, forgetStrangersEmails } from './store.ts';

const system = { kind: 'system' } as const;

/** What was told is kept for as long as somebody may ask why. */
const keptMs = 90 * dayMs;

/** What was given up can be sent again for so long. */
const givenUpKeptMs = 30 * dayMs;

const mostRequeued = 500;

/** So long after its time an email that still waits has no job any more, unless those before it wait as long. */
const lostAfterSeconds = 2 * 60;

/**
 * What the room does by itself: it sends the outbox, each email until the mail server has taken it or what it carries has expired, and
 * tells what is due – at once what cannot wait, the rest every minute that quiet hours and the pause between digests allow.
 */
export function declareNoticeJobs(engines: Engines): void {
  // An email that fails gets a job of its own later; these retries are for what goes wrong with us.
  const options = { atOnce: 2, retryLimit: 2, retryDelaySeconds: 30, expireInSeconds: 120 };
  engines.jobs.handle<{ letterId: string }>(emailQueue, ({ letterId }) => sendEmail(engines, letterId), options);
  engines.jobs.handle<{ userId: string }>(notifyQueue, ({ userId }) => notifyPerson(engines, userId));
  const pushing = { atOnce: 4, retryLimit: 5, retryDelaySeconds: 30, expireInSeconds: 60 };
  engines.jobs.handle<PushJob>(pushQueue, (job, _, isLastTry) => sendPush(engines, job, isLastTry), pushing);
  engines.jobs.every('* * * * *', 'notices.deliverDue', () => deliverDue(engines));
  engines.jobs.every('* * * * *', 'notices.requeueLost', () => requeueLost(engines));
  engines.jobs.every('47 3 * * *', 'notices.forget', () => forgetOld(engines));
}

/** Gives emails a job again whose job died with its process or its database. In a long queue an email is late and none is lost. */
export async function requeueLost({ database, jobs, log }: Pick<Engines, 'database' | 'jobs' | 'log'>): Promise<void> {
  if ((await jobs.ageSeconds(emailQueue)) >= lostAfterSeconds) return;
  const which = { limit: mostRequeued, afterSeconds: lostAfterSeconds };
  const count = await database.work(system, (tx) => requeueLostEmails(tx, jobs, which));
  if (count > 0) log.warn({ area: 'mail', count }, 'emails had no job any more and were queued again');
}

/** Forgets what was told long ago. */
export async function forgetOld({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const [kept, givenUp] = [new Date(clock() - keptMs), new Date(clock() - givenUpKeptMs)];
  await database.work(system, async (tx) => {
    await forgetNotices(tx, kept);
    await markExpiredProofsSeen(tx);
    await forgetGivenUpTexts(tx, givenUp);
    await forgetStrangersEmails(tx, kept);
  });
}
