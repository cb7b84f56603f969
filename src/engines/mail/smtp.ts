import type { Transporter } from 'nodemailer';
import { EmailRefused, type Mail } from './mail.ts';

interface SmtpFailure {
  responseCode?: number;
  /** What the server said. */
  response?: string;
  /** What it was answering to. */
  command?: string;
}

/** A final answer (RFC 5321 §4.2.1: 5xx) to the recipient or the email; one to us as the sender is the operator's matter. */
const isFinal = ({ responseCode = 0, command = '' }: SmtpFailure) =>
  responseCode >= 500 && /^(RCPT TO|DATA)/.test(command);

/** Address unknown or moved away, mailbox closed (RFC 3463); others are about the sender, or what is thought of the email. */
const noMailbox: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** A 550 says many things; to a recipient and without a closer reason it means the mailbox. */
function isMailboxMissing({ responseCode, response = '', command = '' }: SmtpFailure): boolean {
  const [, reason] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  return reason === undefined ? responseCode === 550 && command.startsWith('RCPT TO') : noMailbox.has(reason);
}

/**
 * Sends through the mail server of `url`, `smtp://user:password@host:587` or `smtps://…:465`.
 * @param from the neutral sender of all emails, `Name <address>`
 */
export function openSmtp(url: string, from: string): Mail {
  const { hostname } = new URL(url);
  const sender = /@([^\s>]+)/.exec(from)?.[1] ?? hostname;
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  let opening: Promise<Transporter> | undefined;
  // The library costs a quarter of a small process's memory, so it waits for the first email.
  const open = () => {
    opening ??= import('nodemailer').then(({ default: nodemailer }) => nodemailer.createTransport({ url, ...limits }));
    return opening;
  };
  return {
    place: `mail server ${hostname}`,
    async send({ id, to, subject, text, html, headers: more = {} }) {
      // As an object, an address with a comma or a line break in it never becomes a second recipient or a header.
      const whom = { from, to: { name: '', address: to }, messageId: `<${id}@${sender}>` };
      const message = { ...whom, subject, text, ...(html !== undefined && { html }) };
      const headers = { ...more, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
      const transport = await open();
      await transport.sendMail({ ...message, headers }).catch((error: unknown) => {
        const failure = error as SmtpFailure;
        throw isFinal(failure) ? new EmailRefused(error, { hasNoMailbox: isMailboxMissing(failure) }) : error;
      });
    },
  };
}
