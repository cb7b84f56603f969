import type { Channel, NoticeEvent } from '../contract.ts';

/** Each event as a row of the page where it is chosen. */
export const eventRows: readonly { event: NoticeEvent; title: string; text: string }[] = [
  { event: 'first_open', title: 'First open', text: 'Someone opens a link for the first time. Sent right away.' },
  {
    event: 'further_opens',
    title: 'Further opens',
    text: 'How often each link was opened again, for links where you chose to hear about every open. At most once a day, all links together.',
  },
  { event: 'tip', title: 'Tips and sales', text: 'Someone sends you a tip, or pays to open a link.' },
  { event: 'fan', title: 'Subscribers', text: 'Someone subscribes to you, or stops.' },
  { event: 'refund', title: 'Refunds', text: 'A payment is refunded, but not by you.' },
  {
    event: 'request',
    title: 'Custom requests',
    text: 'Someone asks you to make something, pays for it, or answers what you delivered. Sent right away.',
  },
  {
    event: 'access_request',
    title: 'Access requests',
    text: 'Someone asks you to let them see an album. At most one message in 10 minutes.',
  },
  {
    event: 'password_guessed',
    title: 'Password guessing',
    text: 'Someone keeps trying passwords on a link. Sent right away, even during quiet hours.',
  },
  {
    event: 'wrong_address',
    title: 'Wrong email address',
    text: "Someone with an address that a link isn't for tries to open it. At most once a day for each link.",
  },
  {
    event: 'security_high',
    title: 'Security events',
    text: 'Keys that copy were pressed on a link, or a program opened it. At most once an hour for each link.',
  },
  { event: 'link_expires', title: 'Link about to expire', text: '24 hours before the end of a link.' },
  { event: 'processing_failed', title: 'Processing failed', text: "A photo or video couldn't be processed." },
  { event: 'storage', title: 'Storage', text: 'At 80% and at 95% of your storage.' },
  { event: 'trial', title: 'Free trial', text: 'Two days before it ends, and when it has ended.' },
];

export const channelOptions: readonly { value: Channel; label: string }[] = [
  { value: 'push', label: 'Push' },
  { value: 'mail', label: 'Email' },
  { value: 'off', label: 'Off' },
];

/** Why no notices come by email, and that it can be changed. */
export const stoppedWords = {
  unsubscribed: 'You unsubscribed from emails like these. Codes, password emails and receipts still come.',
  complained: 'An email like these was marked as spam. Codes, password emails and receipts still come.',
  bounced: 'Your mailbox sent an email back, so notices by email are off. Check your address first.',
} as const;

/** "07:30" as minutes of a day; undefined for what is no time. */
export function readTime(text: string): number | undefined {
  const [, hours = '', minutes = ''] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  const minute = 60 * Number(hours) + Number(minutes);
  return hours !== '' && minute < 1440 ? minute : undefined;
}

export const writeTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
