import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type Email, EmailDeferred, EmailRefused } from '#engines/mail/mail.ts';
import { htmlOf } from '../email-html.ts';
import { type Part, textOf } from '../email-words.ts';
import { retryPauseSeconds } from '../rules.ts';
import {
  claimEmail,
  giveUpEmail,
  markEmailBounced,
  markEmailFailed,
  markEmailSent,
  type QueuedEmail,
  sendEmailJob,
  suppressEmail,
} from '../store.ts';
import { findSuppression, suppressAddress } from '../suppressions/suppressions-store.ts';
import { noticeFooter, unsubscribeAddress, unsubscribeHeaders, unsubscribeToken } from '../unsubscribing.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'mail' | 'clock' | 'installation' | 'keys' | 'log'>;
const system = { kind: 'system' } as const;

/**
 * Sends one email of the outbox; one that has left already is left alone, and so is a notice to an address that wants none. What no
 * server takes is tried again until what it carries has expired.
 */
export async function sendEmail(engines: Needs, id: string): Promise<void> {
  const { database, mail, clock, installation } = engines;
  const found = await takeEmail(engines, id);
  if (found === undefined) return;
  if (found.secondsLeft <= 0) return giveUp(engines, found);
  const keepText = installation.isSandbox;
  try {
    await mail.send(await wholeEmail(engines, found));
  } catch (error) {
    return noteFailure(engines, found, error);
  }
  await database.work(system, (tx) => markEmailSent(tx, id, { now: new Date(clock()), keepText }));
}

/** Gives up an email that has expired. Its text stays to be sent again, unless that was a code or link which is of no use any more. */
async function giveUp({ database, installation, log }: Needs, { id, tries, isUrgent }: QueuedEmail): Promise<void> {
  const keepText = installation.isSandbox || !isUrgent;
  await database.work(system, (tx) => giveUpEmail(tx, id, { keepText }));
  log.error({ area: 'mail', email: id, tries }, 'an email was given up; `npm run pf -- mails` says why');
}

/** Notes why an email has not left, in one transaction with the job that tries it again. */
async function noteFailure(engines: Needs, email: QueuedEmail, error: unknown): Promise<void> {
  const { database, jobs, log } = engines;
  const { id, tries, secondsLeft } = email;
  if (error instanceof EmailRefused) return database.work(system, (tx) => noteBounce(tx, engines, email, error));
  const pauseSeconds = Math.ceil(Math.min(retryPauseSeconds(tries + 1), secondsLeft + 1));
  await database.work(system, async (tx) => {
    const failure = { words: wordsOf(error), pauseSeconds, isOurs: !(error instanceof EmailDeferred) };
    if (await markEmailFailed(tx, id, failure)) await sendEmailJob(tx, jobs, email, pauseSeconds);
  });
  log.warn(
    { area: 'mail', email: id, tries: tries + 1 },
    'an email was not sent and is tried again; the reason is in the outbox',
  );
}

/** Notes that the recipient's server refused for good; where there is no mailbox, its address gets no notices any more. */
async function noteBounce(
  tx: Tx,
  { keys, clock, installation }: Needs,
  { id, to }: QueuedEmail,
  { cause, hasNoMailbox }: EmailRefused,
): Promise<void> {
  await markEmailBounced(tx, id, { words: wordsOf(cause), keepText: installation.isSandbox });
  if (hasNoMailbox) await suppressAddress(tx, keys, { address: to, reason: 'bounced', now: new Date(clock()) });
}

/** Claims the email, unless it has left, is not to leave, or is with another job. */
const takeEmail = ({ database, keys, installation }: Needs, id: string): Promise<QueuedEmail | undefined> =>
  database.work(system, async (tx) => {
    const found = await claimEmail(tx, id);
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
