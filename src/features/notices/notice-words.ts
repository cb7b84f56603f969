import { formatCount, formatPrice } from '#kit/text.ts';
import { formatMomentIn } from '#kit/time.ts';
import type { NoticeEvent } from './contract.ts';
import { accountEmail, type EmailText, link, noticeEmail, type Part } from './email-words.ts';
import { type RequestStage, requestWords } from './request-notice-words.ts';

/** Why a creator's sale went back though they didn't refund it themselves. */
export type RefundedFor = keyof typeof refundedFor;

/** What happened, as the room that saw it tells it: ids, counts, amounts and moments, never a name. */
export type Notice =
  | { event: 'first_open'; linkId: string; at: string; country: string | null }
  | { event: 'further_opens'; linkId: string; opens: number; since: string }
  | {
      event: 'tip';
      orderId: string;
      isSale: boolean;
      /** Sent on their own page, by no link. */
      isOnPage?: boolean;
      amountCents: number;
      shareCents: number;
      currency: string;
    }
  | { event: 'fan'; fanId: string; stage: 'new' | 'ended'; amountCents: number; shareCents: number; currency: string }
  | {
      event: 'refund';
      orderId: string;
      why: RefundedFor;
      amountCents: number;
      shareCents: number;
      currency: string;
    }
  | {
      event: 'request';
      requestId: string;
      stage: RequestStage;
      amountCents: number;
      shareCents: number;
      currency: string;
    }
  | { event: 'access_request'; linkId: string }
  | { event: 'password_guessed'; linkId: string; tries: number }
  | { event: 'wrong_address'; linkId: string }
  | { event: 'security_high'; linkId: string }
  | { event: 'link_expires'; linkId: string; at: string }
  | { event: 'processing_failed'; noun: 'photo' | 'video' }
  | { event: 'storage'; percent: number }
  | { event: 'trial'; stage: 'ends' | 'ended'; at: string };

/** Where the person lives and where the app is. */
export interface NoticePlace {
  publicUrl: string;
  timeZone: string;
}

/** One notice in words: neutral, because a lock screen shows subject and sentence to anybody. */
export interface NoticeWords {
  template: string;
  subject: string;
  sentences: string[];
  /** Where it is seen, and what the way there is called. */
  path: string;
  label: string;
}

const refundedFor = {
  duplicate: (amount: string) => `${amount} went back to a buyer who had paid twice for the same thing.`,
  removed: (amount: string) => `${amount} went back to a buyer because what they paid for was removed.`,
  link_ended: (amount: string) => `${amount} went back to a buyer because you ended their access early.`,
  viewer_ended: (amount: string) => `${amount} went back to a buyer because you ended their access early.`,
  album_deleted: (amount: string) => `${amount} went back to a buyer because you deleted what they paid for.`,
  creator_left: (amount: string) => `${amount} went back to a buyer because your account is closed.`,
  suspended: (amount: string) => `${amount} went back to a buyer because your account was suspended.`,
  by_us: (amount: string) => `We refunded a payment of yours: ${amount} went back to the buyer.`,
} as const;

type WordsOf<E extends NoticeEvent> = (
  notice: Extract<Notice, { event: E }>,
  formatAt: (at: string) => string,
) => Omit<NoticeWords, 'template'>;

const words: { [E in NoticeEvent]: WordsOf<E> } = {
  first_open: ({ linkId, at, country }, formatAt) => ({
    subject: 'A link was opened',
    sentences: [`One of your links was opened for the first time: ${formatAt(at)}, ${country ?? 'country unknown'}.`],
    ...linkPage(linkId),
  }),
  further_opens: ({ linkId, opens, since }, formatAt) => ({
    subject: 'A link was opened again',
    sentences: [
      `One of your links has been opened ${opens === 1 ? 'once more' : `${opens} more times`} since ${formatAt(since)}.`,
    ],
    ...linkPage(linkId),
  }),
  tip: ({ isSale, isOnPage = false, amountCents, shareCents, currency }) => ({
    subject: isSale ? 'You made a sale' : 'You got a tip',
    sentences: [
      isSale
        ? `Someone paid ${formatPrice(amountCents, currency)} to open one of your links.`
        : `Someone sent you a tip of ${formatPrice(amountCents, currency)} on ${isOnPage ? 'your page' : 'one of your links'}.`,
      `After the fee, ${formatPrice(shareCents, currency)} is yours. Your earnings show ${isOnPage ? '' : 'which link it was, and '}the message if there is one.`,
    ],
    path: '/earnings',
    label: 'See my earnings',
  }),
  fan: ({ stage, amountCents, shareCents, currency }) => ({
    subject: stage === 'new' ? 'You have a new subscriber' : 'A subscription ended',
    sentences:
      stage === 'new'
        ? [
            `Someone subscribed to you for ${formatPrice(amountCents, currency)} a month.`,
            `After the fee, ${formatPrice(shareCents, currency)} of each month is yours.`,
          ]
        : [
            `One of your subscribers, at ${formatPrice(amountCents, currency)} a month, has stopped.`,
            'See who is left:',
          ],
    path: '/account/tiers',
    label: 'See my tiers',
  }),
  refund: ({ orderId, why, amountCents, shareCents, currency }) => ({
    subject: 'A payment was refunded',
    sentences: [
      refundedFor[why](formatPrice(amountCents, currency)),
      `Your share of it, ${formatPrice(shareCents, currency)}, was taken from your balance.`,
    ],
    path: `/earnings?order=${orderId}`,
    label: 'See the payment',
  }),
  request: ({ requestId, stage, amountCents, shareCents, currency }) => {
    const { subject, write } = requestWords[stage];
    return {
      subject,
      sentences: write(formatPrice(amountCents, currency), formatPrice(shareCents, currency)),
      path: `/requests/${requestId}`,
      label: 'See the request',
    };
  },
  access_request: () => ({
    subject: 'Someone asks for access',
    sentences: ['Someone asks you to let them see one of your albums.'],
    path: '/access-requests',
    label: 'See the request',
  }),
  password_guessed: ({ linkId, tries }) => ({
    subject: 'Someone is guessing a password',
    sentences: [
      `Someone entered a wrong password ${tries} times on one of your links. Anyone who keeps guessing now has to wait between attempts.`,
      'Anyone who has already entered the right one can still get in. You can change the password or revoke the link.',
    ],
    ...linkPage(linkId),
  }),
  wrong_address: ({ linkId }) => ({
    subject: 'Someone else has your link',
    sentences: [
      "Someone confirmed an email address that one of your links isn't for, and wasn't let in. Your link may have been passed on.",
    ],
    ...linkPage(linkId),
  }),
  security_high: ({ linkId }) => ({
    subject: 'Something needs your attention',
    sentences: [
      'On one of your links, keys that copy were pressed, or pictures were asked for as no person does. The page of the link says what was noticed.',
    ],
    ...linkPage(linkId),
  }),
  link_expires: ({ linkId, at }, formatAt) => ({
    subject: 'A link is about to expire',
    sentences: [`One of your links expires on ${formatAt(at)}. You can extend it until then.`],
    ...linkPage(linkId),
  }),
  processing_failed: ({ noun }) => ({
    subject: "A file couldn't be processed",
    sentences: [`A ${noun} that you uploaded couldn't be processed. Its album says why, and you can try again there.`],
    path: '/albums',
    label: 'Open my albums',
  }),
  storage: ({ percent }) => ({
    subject: percent < 95 ? 'Your storage is filling up' : 'Your storage is almost full',
    sentences: [
      `You have used ${percent}% of your storage.`,
      'When it is full, new uploads are refused. What you have stored and shared stays as it is.',
    ],
    path: '/albums',
    label: 'Open my albums',
  }),
  trial: ({ stage, at }, formatAt) => ({
    subject: stage === 'ends' ? 'Your free trial ends soon' : 'Your free trial has ended',
    sentences:
      stage === 'ends'
        ? [`Your free trial ends on ${formatAt(at)}.`, 'Nothing will be charged.']
        : [
            'Your free trial has ended. Nothing was charged.',
            'What you have stored is kept for at least 90 days. Until your plan is active, nobody can open your links.',
          ],
    path: '/pricing',
    label: 'See the plan',
  }),
};

const linkPage = (linkId: string) => ({ path: `/magic-links/${linkId}`, label: 'See the link' });

export function wordsOfNotice(notice: Notice, { timeZone }: Pick<NoticePlace, 'timeZone'>): NoticeWords {
  const write = words[notice.event] as WordsOf<NoticeEvent>;
  return { template: notice.event, ...write(notice as never, (at) => formatMomentIn(new Date(at), timeZone)) };
}

/** More of them stand as a number in a digest. */
const mostLines = 20;

/**
 * Returns what happened as emails: of one notice its own, of several a digest. That somebody guesses a password is a matter of safety and
 * has an email to itself, so that an address that was unsubscribed hears of it, and of nothing else.
 */
export function emailsOfNotices(notices: readonly Notice[], place: NoticePlace): EmailText[] {
  const isSafety = ({ event }: Notice) => event === 'password_guessed';
  const others = notices.filter((notice) => !isSafety(notice));
  const told: [typeof noticeEmail, Notice[]][] = [
    [accountEmail, gather(notices.filter(isSafety))],
    [noticeEmail, gather(others)],
  ];
  return told.flatMap(([write, about]) => (about.length > 0 ? [emailOf(write, about, place)] : []));
}

function emailOf(write: typeof noticeEmail, notices: readonly Notice[], place: NoticePlace): EmailText {
  const [first, ...more] = notices;
  if (first === undefined) throw new Error('an email about nothing');
  if (more.length > 0) return write('digest', 'Your summary', ...digestOf(notices, place));
  const { template, subject, sentences, path, label } = wordsOfNotice(first, place);
  const [last = '', ...before] = sentences.toReversed();
  return write(template, subject, ...before.toReversed(), link(last, label, place.publicUrl + path));
}

function digestOf(notices: readonly Notice[], place: NoticePlace): (string | Part)[] {
  const lines = notices.slice(0, mostLines).map((notice) => {
    const { sentences, path } = wordsOfNotice(notice, place);
    return { words: sentences[0] ?? '', address: place.publicUrl + path };
  });
  const left = notices.length - lines.length;
  return [
    'This happened since the last email:',
    { kind: 'list', lines },
    ...(left > 0 ? [`And ${formatCount(left, 'more thing')}.`] : []),
  ];
}

/** Several files that failed, and several counts of one link, are each said once; every tip and every refund is said by itself. */
function gather(notices: readonly Notice[]): Notice[] {
  const seen = new Map<string, Notice>();
  for (const [place, notice] of notices.entries()) {
    // Of one payment several parts may go back, also equal ones.
    const name = `${notice.event}:${notice.event === 'refund' ? place : idIn(notice)}`;
    const known = seen.get(name);
    if (known?.event === 'further_opens' && notice.event === 'further_opens')
      seen.set(name, { ...known, opens: known.opens + notice.opens });
    else seen.set(name, known?.event === notice.event && notice.event === 'processing_failed' ? known : notice);
  }
  return [...seen.values()];
}

function idIn(notice: Notice): string {
  if (notice.event === 'tip') return notice.orderId;
  if (notice.event === 'fan') return `${notice.stage}:${notice.fanId}`;
  return 'linkId' in notice ? notice.linkId : '';
}

/** What a push says: as much as a lock screen may show. */
export function pushOfNotices(notices: readonly Notice[], place: NoticePlace) {
  const [first, ...more] = gather(notices);
  if (first === undefined) throw new Error('a push about nothing');
  const opens = [first, ...more].flatMap((notice) => (notice.event === 'further_opens' ? [notice.opens] : []));
  if (more.length > 0 && opens.length === more.length + 1)
    return {
      title: 'Your links were opened again',
      body: `${formatCount(opens.length, 'link')}, opened ${opens.reduce((sum, count) => sum + count, 0)} more times.`,
      path: '/analytics',
    };
  if (more.length > 0)
    return { title: 'Your summary', body: formatCount(more.length + 1, 'update'), path: '/analytics' };
  const { subject, sentences, path } = wordsOfNotice(first, place);
  return { title: subject, body: sentences[0] ?? '', path };
}
