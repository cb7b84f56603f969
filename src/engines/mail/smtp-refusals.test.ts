import { afterEach, describe, expect, it } from 'vitest';
import { type MailSink, openMailSink } from '#tests/support/servers/mail-sink.ts';
import { EmailRefused } from './mail.ts';
import { openSmtp } from './smtp.ts';
import { readRefusal } from './smtp-refusals.ts';

let sink: MailSink | undefined;
afterEach(() => sink?.close());

/** What becomes of an email to a server that gives this answer. */
async function send(command: string, answer: string): Promise<'no_mailbox' | 'recipient' | 'ours'> {
  sink = await openMailSink({ [command]: answer.replaceAll('\n', '\r\n') });
  const mail = openSmtp(sink.url, 'PrivateFans <hello@example.org>');
  const error = await mail
    .send({ id: '0196f0c2-7b1c', to: 'anna@example.com', subject: 'A subject', text: 'Hello' })
    .then(() => undefined)
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Error);
  if (!(error instanceof EmailRefused)) return 'ours';
  return error.hasNoMailbox ? 'no_mailbox' : 'recipient';
}

/** As Postfix, Exchange Online, Gmail, SES, Exim, qmail and Yahoo word them, about a mailbox that is not there. */
const missing: [command: string, answer: string][] = [
  ['RCPT', '550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['RCPT', '550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown in local recipient table'],
  ['RCPT', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.com not found by SMTP address lookup'],
  [
    'RCPT',
    '550 5.4.1 Recipient address rejected: Access denied. For more information see https://aka.ms/EXOSmtpErrors',
  ],
  [
    'RCPT',
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking the address. - gsmtp',
  ],
  [
    'RCPT',
    '550-5.2.1 The email account that you tried to reach is inactive. For more\n550 5.2.1 information, go to support.google.com - gsmtp',
  ],
  ['RCPT', '501 Invalid RCPT TO address provided'],
  ['RCPT', '550 No Such User Here'],
  ['RCPT', '550 Unknown user'],
  ['RCPT', '550 Requested action not taken: mailbox unavailable'],
  ['RCPT', "550 sorry, no mailbox here by that name: user anna@example.com doesn't exist"],
  ['RCPT', "554 delivery error: dd This user doesn't have a yahoo.com account (anna@example.com) [0]"],
  ['.', '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'],
];

const full: [command: string, answer: string][] = [
  [
    'RCPT',
    '552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 Please direct the recipient to - gsmtp',
  ],
  ['RCPT', '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException'],
  ['RCPT', '552 mailbox anna@example.com is full'],
];

/** The sender's, the relay's, our settings' or the content's fault; a mailbox is never named. */
const ours: [command: string, answer: string][] = [
  ['RCPT', '550 relay denied'],
  ['RCPT', '554 5.7.1 <anna@example.com>: Relay access denied'],
  ['RCPT', '550 5.7.1 Unable to relay'],
  ['RCPT', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
  ['RCPT', '550 5.7.64 TenantAttribution; Relay Access Denied'],
  ['RCPT', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  [
    'RCPT',
    '550-5.7.1 Invalid credentials for relay [192.0.2.1]. The IP address you have\n550 5.7.1 registered does not match - gsmtp',
  ],
  ['RCPT', '550 5.1.0 <hello@example.org>: Sender address rejected: User unknown in virtual mailbox table'],
  ['RCPT', '550 5.1.8 <hello@example.org>: Sender address rejected: Domain not found'],
  ['RCPT', '553 5.7.1 <hello@example.org>: Sender address rejected: not owned by user smtp'],
  ['RCPT', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  ['RCPT', '550 5.7.606 Access denied, banned sending IP [192.0.2.1]'],
  ['RCPT', '550-Verification failed for <hello@example.org>\n550-No Such User Here\n550 Sender verify failed'],
  ['RCPT', '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to - gsmtp'],
  ['RCPT', '530 5.7.0 Must issue a STARTTLS command first'],
  ['RCPT', '450 4.2.1 The user you are trying to contact is receiving mail too quickly'],
  ['RCPT', '550 no'],
  ['MAIL', '530 5.7.0 Authentication Required'],
  ['MAIL', '550 5.1.1 User unknown'],
  ['MAIL', '501 Invalid MAIL FROM address provided'],
  [
    '.',
    '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1',
  ],
  ['.', '554 Sending paused for this account. For more information, please check the inbox of the email address'],
  ['.', '454 Throttling failure: Daily message quota exceeded.'],
  [
    '.',
    '550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n550 5.7.26 SPF and DKIM - gsmtp',
  ],
  ['.', '554 5.7.1 [P4] Message blocked due to spam content in the message.'],
  ['.', '550 this looks like spam, see 5.1.1'],
];

describe('a refusal by the mail server', () => {
  it.each(missing)('%s → %s: there is no such mailbox', async (command, answer) => {
    expect(await send(command, answer)).toBe('no_mailbox');
  });

  it.each(full)('%s → %s: the mailbox does not take it', async (command, answer) => {
    expect(await send(command, answer)).toBe('recipient');
  });

  it.each(ours)('%s → %s: it is ours, and may be mended', async (command, answer) => {
    expect(await send(command, answer)).toBe('ours');
  });

  it('is read no further than a person would', () => {
    const response = `550 ${'mailbox '.repeat(100_000)}unknown user`;
    expect(readRefusal({ responseCode: 550, response, command: 'RCPT TO' })).toBe('ours');
  });
});
