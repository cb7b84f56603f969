import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type Email, EmailRefused } from '#engines/mail/mail.ts';
import { dayMs } from '#kit/time.ts';
import { htmlOf } from './email-html.ts';
import { type Part, textOf } from './email-words.ts';
import { forgetNotices, tellQueue } from './notices-store.ts';
import { type PushJob, pushQueue } from './push/push-store.ts';
import { sendPush } from './push/pushing.ts';
import {
  emailQueue,
  findQueuedEmail,
  forgetStrangersEmails,
  giveUpEmail,
  giveUpLostEmails,
  markEmailFailed,
  markEmailSent,
  type QueuedEmail,
  suppressEmail,
} from './store.ts';
import { findSuppression, suppressAddress } from './suppressions/suppressions-store.ts';
import { tellDue, tellPerson } from './telling.ts';
import { noticeFooter, unsubscribeAddress, unsubscribeHeaders, unsubscribeToken } from './unsubscribing.ts';

/** An email that no server has taken in two hours is given up. */
const mostTries = 9;

type Needs = Pick<Engines, 'database' | 'mail' | 'clock' | 'installation' | 'keys' | 'log'>;
const system = { kind: 'system' } as const;

/** What was told is kept for as long as somebody may ask why. */
const keptMs = 90 * dayMs;

/** Far longer than the tries of an email take. */
const longestWaitMs = dayMs;

/**
 * What the room does by itself: it sends the outbox, each email for two hours until the mail server has taken it, and tells
 * what is due – at once what cannot wait, the rest every minute that quiet hours and the pause between digests allow.
 */
export function declareNoticeJobs(engines: Engines): void {
  const options = { atOnce: 2, retryLimit: mostTries - 1, retryDelaySeconds: 30, expireInSeconds: 120 };
  engines.jobs.handle<{ letterId: string }>(emailQueue, ({ letterId }) => sendEmail(engines, letterId), options);
  engines.jobs.handle<{ userId: string }>(tellQueue, ({ userId }) => tellPerson(engines, userId));
  const pushing = { atOnce: 4, retryLimit: 5, retryDelaySeconds: 30, expireInSeconds: 60 };
  engines.jobs.handle<PushJob>(pushQueue, (job, _, isLastTry) => sendPush(engines, job, isLastTry), pushing);
  engines.jobs.every('* * * * *', 'notices.tellDue', () => tellDue(engines));
  engines.jobs.every('47 3 * * *', 'notices.forget', () => forgetOld(engines));
}

/** Forgets what was told long ago, and gives up emails that nobody sends any more. */
export async function forgetOld({ database, clock, installation }: Needs): Promise<void> {
  const [kept, waiting] = [new Date(clock() - keptMs), new Date(clock() - longestWaitMs)];
  await database.work(system, async (tx) => {
    await forgetNotices(tx, kept);
    await giveUpLostEmails(tx, waiting, { keepText: installation.isSandbox });
    await forgetStrangersEmails(tx, kept);
  });
}

/**
 * Sends one email of the outbox; one that has left already is left alone, and so is a notice to an address that wants none.
 * @throws without the recipient's address in it, for the log
 */
async function sendEmail(engines: Needs, id: string): Promise<void> {
  const { database, mail, clock, installation } = engines;
  const found = await takeEmail(engines, id);
  if (found === undefined) return;
  const keepText = installation.isSandbox;
  try {
    await mail.send(await wholeEmail(engines, found));
  } catch (error) {
    await database.work(system, (tx) => noteFailure(tx, engines, found, error));
    if (error instanceof EmailRefused) return;
    throw new Error(`Email ${id} was not sent; the reason is in the outbox.`);
  }
  await database.work(system, (tx) => markEmailSent(tx, id, { now: new Date(clock()), keepText }));
}

/** Notes why an email has not left; where there is no mailbox, its address gets no notices any more. */
async function noteFailure(
  tx: Tx,
  { keys, clock, installation }: Needs,
  { id, to, tries }: QueuedEmail,
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof EmailRefused;
  const words = wordsOf(isRefused ? error.cause : error);
  if (!isRefused && tries + 1 < mostTries) return markEmailFailed(tx, id, words);
  await giveUpEmail(tx, id, { words, keepText: installation.isSandbox });
  if (isRefused && error.hasNoMailbox)
    await suppressAddress(tx, keys, { address: to, reason: 'bounced', now: new Date(clock()) });
}

/** The email, unless it has left or is not to leave. */
const takeEmail = ({ database, keys, installation }: Needs, id: string): Promise<QueuedEmail | undefined> =>
  database.work(system, async (tx) => {
    const found = await findQueuedEmail(tx, id);
    if (found === undefined || found.kind === 'account') return found;
    if ((await findSuppression(tx, keys, found.to)) === undefined) return found;
    await suppressEmail(tx, id, { keepText: installation.isSandbox });
    return undefined;
  });

/** The HTML of an email; undefined where it cannot be made, for then its text goes alone. */
async function tryHtml(
  { log }: Needs,
  { id, subject, parts }: { id: string; subject: string; parts: readonly Part[] },
  footer: readonly Part[],
): Promise<{ html?: string }> {
  try {
    return { html: await htmlOf({ subject, parts: [...parts] }, footer) };
  } catch (error) {
    log.error({ area: 'mail', email: id, error: wordsOf(error) }, 'an email goes without its HTML');
    return {};
  }
}

/** With its HTML and, if it is one that people may do without, the way to get no more of them. */
async function wholeEmail(engines: Needs, { id, to, kind, subject, parts, text }: QueuedEmail): Promise<Email> {
  if (parts === null) return { id, to, subject, text };
  if (kind === 'account')
    return { id, to, subject, text, ...(await tryHtml(engines, { id, subject, parts }, [])), headers: {} };
  const { database, keys, installation } = engines;
  const { publicUrl } = installation;
  const token = await database.work(system, (tx) => unsubscribeToken(tx, keys, to));
  const address = unsubscribeAddress(publicUrl, token);
  const footer = noticeFooter(publicUrl, address);
  return {
    id,
    to,
    subject,
    text: textOf([...parts, ...footer]),
    ...(await tryHtml(engines, { id, subject, parts }, footer)),
    headers: unsubscribeHeaders(address),
  };
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
