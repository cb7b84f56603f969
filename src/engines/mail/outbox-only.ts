import type { Mail } from './mail.ts';

/** Sends nowhere: without a mail server the emails stay to be read in the outbox of this install. */
export function openOutboxOnly(): Mail {
  return {
    place: 'emails stay in the outbox (/dev/outbox); set SMTP_URL to send them',
    send: async () => undefined,
    check: async () => undefined,
  };
}
