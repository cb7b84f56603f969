import nodemailer from 'nodemailer';
import { LetterRefused, type Mail } from './mail.ts';

interface SmtpFailure {
  code?: string;
  responseCode?: number;
}

/** A final answer (RFC 5321 §4.2.1: 5xx) to the recipient or the letter; one to the sign-in is the operator's matter. */
const isFinal = ({ code, responseCode = 0 }: SmtpFailure) =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

/**
 * Sends through the mail server of `url`, `smtp://user:password@host:587` or `smtps://…:465`.
 * @param from the neutral sender of all letters, `Name <address>`
 */
export function openSmtp(url: string, from: string): Mail {
  const { hostname } = new URL(url);
  const sender = /@([^\s>]+)/.exec(from)?.[1] ?? hostname;
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    place: `mail server ${hostname}`,
    async send({ id, to, subject, text }) {
      // As an object, an address with a comma or a line break in it never becomes a second recipient or a header.
      const message = { from, to: { name: '', address: to }, subject, text, messageId: `<${id}@${sender}>` };
      const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
      await transport.sendMail({ ...message, headers }).catch((error: unknown) => {
        throw isFinal(error as SmtpFailure) ? new LetterRefused(error) : error;
      });
    },
  };
}
