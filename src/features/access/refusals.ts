import { nameSpan } from '#features/links/link-texts.ts';
import type { Policy } from '#features/links/policy.ts';
import { formatCount, formatDuration, isolate } from '#kit/text.ts';
import { formatMoment, zoneOrUtc } from '#kit/time.ts';
import { type AskedState, mayAskAgain } from './asked-rules.ts';
import type { Host, Reason } from './contract.ts';

/** What a viewer is told: ready to show. */
export interface RefusalText {
  code: 'LINK';
  reason: Reason;
  title: string;
  text: string;
  host?: Host;
  waitMs?: number;
  triesLeft?: number;
}

/** What the words depend on. Times are milliseconds since 1970. */
export interface About {
  now: number;
  /** This viewer was let in by this link before: people who had access are told the truth. */
  wasAdmitted: boolean;
  /** Holds a bought or approved grant for this link. */
  holdsGrant?: boolean;
  /** The link shows custom work that this viewer ordered. */
  isDelivery?: boolean;
  /** The decision's own `until`: when the link opens, or when it ended. */
  until?: number | undefined;
  host?: Host | undefined;
  policy?: Policy | undefined;
  /** The viewer's zone, for times; UTC when it is unknown. */
  timeZone?: string | undefined;
  /** A password was typed and it was wrong. */
  isPasswordWrong?: boolean;
  triesLeft?: number | undefined;
  /** How long no password is taken from this browser any more. */
  lockedMs?: number | undefined;
  /** What became of this viewer's request for access. */
  asked?: AskedState | undefined;
}

type Words = readonly [title: string, text: string];

/** The only answer for everybody who may not know more: same words, same bytes. */
const neutral: RefusalText = {
  code: 'LINK',
  reason: 'NOT_FOUND',
  title: "This link isn't available",
  text: 'It may have expired or been turned off by its owner.',
};

function endedAt({ until, now, timeZone }: About): string {
  if (until === undefined) return '';
  // A call tells the time zone of its reader, but not the locale; the words are English everywhere.
  const place = { locale: 'en-GB', timeZone: zoneOrUtc(timeZone) };
  return `It ended on ${formatMoment(new Date(until), new Date(now), place)}.`;
}

function passwordText({ isPasswordWrong, triesLeft }: About): string {
  if (!isPasswordWrong) return 'Enter the password you were given.';
  if (triesLeft === undefined) return "That's not it.";
  return `That's not it. ${formatCount(triesLeft, 'try', 'tries')} left.`;
}

/** What the creator wrote, and when it can be asked again. */
function deniedText({ asked, now, timeZone }: About): string {
  if (asked === undefined) return '';
  const { decisionText, asksAgainAt } = asked;
  const said = decisionText === '' ? [] : [`“${isolate(decisionText)}”`];
  if (asksAgainAt === undefined || mayAskAgain(asked, now)) return said.join('');
  const place = { locale: 'en-GB', timeZone: zoneOrUtc(timeZone) };
  return [...said, `You can ask again on ${formatMoment(new Date(asksAgainAt), new Date(now), place)}.`].join(' ');
}

const later = ['Temporarily unavailable', 'Please try again later.'] as const;

/** Every reason has its own words. */
const wordsOf: Record<Reason, (about: About) => Words> = {
  NOT_FOUND: () => [neutral.title, neutral.text],
  VIEWER_BLOCKED: () => [neutral.title, neutral.text],
  TAKEN_DOWN: () => ['This content was removed.', ''],
  REVOKED: ({ isDelivery = false }) => [
    'Access ended',
    isDelivery
      ? 'What was made for you is closed. The page of your order says what became of your payment.'
      : 'The creator has ended access to this link.',
  ],
  ON_HOLD: () => [
    'Access is on hold',
    'Your payment is disputed with your bank. If the bank decides that it stands, the album opens again.',
  ],
  PAYMENT_RETURNED: () => ['Access ended: payment returned', 'Your bank has returned what you paid for this.'],
  CREATOR_PAUSED: () => later,
  ALBUM_UNAVAILABLE: () => later,
  NOT_YET: ({ until = 0, now }) => [
    `Opens in ${formatDuration(until - now)}`,
    'Come back then, or leave this page open.',
  ],
  EXPIRED: (about) => ['This link has expired', endedAt(about)],
  GEO_BLOCKED: () => ['Not available in your region', ''],
  NEED_PHONE: () => [
    'Open this on your phone',
    'This link opens on phones and tablets only. Copy its address and open it there.',
  ],
  NEED_COOKIE: () => [
    'Cookies are blocked',
    'Your browser blocks cookies for this site. Allow them, or open the link in another browser.',
  ],
  NEED_BROWSER: () => ['Please open this in your own browser', 'This one is controlled by a program.'],
  NEED_AGE: () => ['Are you 18 or older?', 'This link is for adults only.'],
  NEED_PASSWORD: (about) =>
    about.lockedMs === undefined
      ? ['This album has a password', passwordText(about)]
      : [`Try again in ${formatDuration(about.lockedMs)}`, 'Too many wrong passwords.'],
  NEED_EMAIL: () => ['Who is this for?', 'Enter your e-mail – we send a 6-digit code.'],
  EMAIL_NOT_ALLOWED: () => ['This link was made for someone else.', 'Was it sent to another address of yours?'],
  NEED_AGREEMENT: () => ['Please read and agree first', 'Then this album opens.'],
  NEED_APPROVAL: ({ host, wasAdmitted }) => [
    `Ask ${isolate(host?.name ?? '') || 'the creator'} for access`,
    wasAdmitted ? 'The access you had has ended. You can ask for it again.' : '',
  ],
  APPROVAL_PENDING: () => ['Waiting for approval', 'This page opens by itself.'],
  APPROVAL_DENIED: (about) => ['Your request was declined.', deniedText(about)],
  // Where nothing can be paid before the creator's yes, their no is told; else the price stands here.
  NEED_OFFER: (about) =>
    about.asked?.request === 'denied'
      ? ['Your request was declined.', deniedText(about)]
      : ["This album isn't free", 'View only – no download.'],
  VISITS_USED: ({ policy }) => {
    const visits = policy?.maxVisits ?? 1;
    return [visits === 1 ? 'You have used your one visit' : `You have used all ${visits} visits`, ''];
  },
  VIEWERS_FULL: () => ['This link was opened on another device', ''],
  TIMED_OUT: ({ policy }) => {
    const span = nameSpan(policy?.openForMs ?? 0);
    return [`Your ${span} ${span.startsWith('1 ') ? 'has' : 'have'} ended`, ''];
  },
  TIME_USED: () => ['Your viewing time is used up', ''],
  CONCURRENT: () => ['Already open on another screen', 'Continue here to close it there.'],
};

const ends: readonly Reason[] = [
  'NOT_FOUND',
  'VIEWER_BLOCKED',
  'REVOKED',
  'PAYMENT_RETURNED',
  'EXPIRED',
  'TAKEN_DOWN',
  'VIEWERS_FULL',
  'VISITS_USED',
  'TIMED_OUT',
  'TIME_USED',
];

/** Above these the creator shows themselves; an end or a pause shows nobody. */
const withHost = /^(NEED_|APPROVAL_|NOT_YET|CONCURRENT)/;

function isNeutral(reason: Reason, { wasAdmitted, holdsGrant = false }: About): boolean {
  if (reason === 'NOT_FOUND' || reason === 'VIEWER_BLOCKED') return true;
  if (reason === 'REVOKED' || reason === 'EXPIRED') return !wasAdmitted && !holdsGrant;
  return reason === 'VIEWERS_FULL' && !holdsGrant;
}

/** Returns what a reason shows, and the status of the call that meets it: 200 for a gate or a pause, 410 for an end. */
export function refusalOf(reason: Reason, about: About): { status: 200 | 410; refusal: RefusalText } {
  if (isNeutral(reason, about)) return { status: 410, refusal: neutral };
  const [title, text] = wordsOf[reason](about);
  const { host, until, now, triesLeft, lockedMs } = about;
  const refusal: RefusalText = {
    code: 'LINK',
    reason,
    title,
    text,
    ...(host !== undefined && withHost.test(reason) && { host }),
    ...(reason === 'NOT_YET' && until !== undefined && { waitMs: Math.max(0, until - now) }),
    ...(reason === 'NEED_PASSWORD' && lockedMs !== undefined && { waitMs: lockedMs }),
    ...(reason === 'NEED_PASSWORD' && triesLeft !== undefined && { triesLeft }),
  };
  return { status: ends.includes(reason) ? 410 : 200, refusal };
}
