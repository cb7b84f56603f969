import nodemailer from 'nodemailer';
import type { Mail } from './mail.ts';

/**
 * Sends through the mail server of `url`, `smtp://user:password@host:587` or `smtps://…:465`.
 * @param from the neutral sender of all letters, `Name <address>`
 */
export function openSmtp(url: string, from: string): Mail {
  const { hostname } = new URL(url);
  const transport = nodemailer.createTransport(url, { from });
  return {
    place: `mail server ${hostname}`,
    async send({ to, subject, text }) {
      // An address object, so that a comma or a line break in it never becomes a second recipient or header.
      const { rejected } = await transport.sendMail({ to: { name: '', address: to }, subject, text });
      if (rejected.length > 0) throw new Error('The mail server refused the recipient.');
    },
  };
}
