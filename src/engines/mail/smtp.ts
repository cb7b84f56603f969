import type { Transporter } from 'nodemailer';
import { EmailDeferred, EmailRefused, type Mail } from './mail.ts';
import { isAfterSender, readRefusal, type SmtpAnswer } from './smtp-refusals.ts';

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
    async check() {
      await (await open()).verify();
    },
    async send({ id, to, subject, text, html, headers: more = {} }) {
      // As an object, an address with a comma or a line break in it never becomes a second recipient or a header.
      const whom = { from, to: { name: '', address: to }, messageId: `<${id}@${sender}>` };
      const message = { ...whom, subject, text, ...(html !== undefined && { html }) };
      const headers = { ...more, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
      const transport = await open();
      await transport.sendMail({ ...message, headers }).catch((error: Error & SmtpAnswer) => {
        const refusal = readRefusal(error);
        if (refusal !== 'ours') throw new EmailRefused(error, { hasNoMailbox: refusal === 'no_mailbox' });
        throw isAfterSender(error) ? new EmailDeferred(error) : error;
      });
    },
  };
}
