import * as z from 'zod';
import { boundedText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise, signedInPromise } from '#wire/promise.ts';

const tags = ['notices'];

/** What a creator is told of when it happens. */
export const noticeEvents = [
  'first_open',
  'further_opens',
  'tip',
  'fan',
  'refund',
  'request',
  'access_request',
  'password_guessed',
  'wrong_address',
  'security_high',
  'link_expires',
  'processing_failed',
  'storage',
  'trial',
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** How they are told. Where no browser takes pushes, an email goes instead. */
export const channels = ['push', 'mail', 'off'] as const;
export type Channel = (typeof channels)[number];

const Channels = z.record(z.enum(noticeEvents), z.enum(channels));

const MinuteOfDay = z.int().min(0).max(1439);
/** From and until when nothing comes, in minutes of their day; they may go over midnight. */
const QuietHours = z
  .object({ from: MinuteOfDay, until: MinuteOfDay })
  .refine(({ from, until }) => from !== until, 'Choose two different times')
  .nullable();
export type QuietHours = z.infer<typeof QuietHours>;

export const NoticeSettings = z.object({
  /** Whose they are: a browser remembers for whom it takes pushes. */
  userId: Uuid,
  channels: Channels,
  quiet: QuietHours,
  timeZone: z.string(),
  /** Why their address gets no notices by email; null when it does. */
  mailStopped: z.enum(['bounced', 'complained', 'unsubscribed']).nullable(),
  /** They get occasional news of PrivateFans by email. */
  wantsNews: z.boolean(),
  /** Browsers that take pushes. */
  devices: z.int(),
  /** What a browser subscribes with. */
  pushKey: z.string(),
});
export type NoticeSettings = z.infer<typeof NoticeSettings>;

const Nothing = z.object({});
/** Longer addresses of push services are not known. */
const Endpoint = boundedText(1000);

export const noticesContract = {
  settings: signedInPromise('none')
    .route({ method: 'GET', path: '/profile/notifications', tags })
    .input(Nothing.optional())
    .output(NoticeSettings),
  change: signedInPromise('none')
    .route({ method: 'PATCH', path: '/profile/notifications', tags })
    .input(
      z.object({
        channels: z.partialRecord(z.enum(noticeEvents), z.enum(channels)).optional(),
        quiet: QuietHours.optional(),
        wantsNews: z.boolean().optional(),
      }),
    )
    .output(Nothing),
  /** Sends emails to their address again that was unsubscribed, or whose mailbox sent one back or complained. */
  resumeMail: signedInPromise('none')
    .route({ method: 'POST', path: '/profile/notifications/resume-mail', tags })
    .input(Nothing.optional())
    .output(Nothing),
  /** This browser takes pushes from now on, until its session ends. */
  subscribe: signedInPromise('none')
    .route({ method: 'PUT', path: '/profile/notifications/browser', tags })
    .input(
      z.object({
        endpoint: Endpoint,
        p256dh: boundedText(87).regex(/^[A-Za-z0-9_-]{87}$/),
        auth: boundedText(22).regex(/^[A-Za-z0-9_-]{22}$/),
      }),
    )
    .output(Nothing),
  unsubscribe: signedInPromise('none')
    .route({ method: 'POST', path: '/profile/notifications/browser/remove', tags })
    .input(z.object({ endpoint: Endpoint }))
    .output(Nothing),
};

/** An email of the outbox: who it was for and what became of it, but none of its text. */
export const OutboxEmail = z.object({
  id: Uuid,
  to: z.string(),
  template: z.string(),
  state: z.enum(['queued', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'given_up']),
  tries: z.int(),
  lastError: z.string().nullable(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
  /** It was given up and its text is still there. */
  canBeSentAgain: z.boolean(),
});
export type OutboxEmail = z.infer<typeof OutboxEmail>;

const Address = trimmedText(254, 'Use at most 254 characters').min(3, 'Enter an email address');

/** Emails and what became of them. */
export const adminMailsContract = {
  /** Lists the newest emails to an address, and why it gets no notices. */
  to: adminPromise('support')
    .route({ method: 'POST', path: '/admin/mails/to', tags: ['admin'] })
    .input(z.object({ address: Address }))
    .output(
      z.object({
        emails: z.array(OutboxEmail),
        suppression: z.enum(['bounced', 'complained', 'unsubscribed']).nullable(),
      }),
    ),
  /** Lists what was given up, and what waits after a try that failed. */
  failed: adminPromise('support')
    .route({ method: 'GET', path: '/admin/mails/failed', tags: ['admin'] })
    .input(z.object({}).optional())
    .output(z.object({ emails: z.array(OutboxEmail), givenUp: z.int(), failing: z.int() })),
  /** Queues an email once more that was given up, or all of them. */
  sendAgain: adminPromise('support')
    .route({ method: 'POST', path: '/admin/mails/send-again', tags: ['admin'] })
    .input(z.object({ emailId: Uuid.nullable() }))
    .output(z.object({ count: z.int() })),
  /** Takes an email that was given up off the list, or all of them. */
  markSeen: adminPromise('support')
    .route({ method: 'POST', path: '/admin/mails/mark-seen', tags: ['admin'] })
    .input(z.object({ emailId: Uuid.nullable() }))
    .output(z.object({ count: z.int() })),
  /** Sends notices to an address again that had bounced or complained; who has unsubscribed resumes them alone. */
  liftSuppression: adminPromise('support')
    .route({ method: 'POST', path: '/admin/mails/lift-suppression', tags: ['admin'] })
    .input(z.object({ address: Address }))
    .output(z.object({})),
};
