import type { Settings } from '#features/settings/rules.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '#kit/time.ts';

/** Where a person stands in setting up the account, in order. */
export const setupSteps = ['password', 'profile', 'consent', 'first_step', 'done'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The one trial code there is. */
export const trialCode = 'FREE7';
/** Of the texts that a person agrees to; a new text gets a new version. */
export const termsVersion = '2026-11';
export const contentPolicyVersion = '2026-11';

const adminSessionMs = 12 * hourMs;
/** A session's last use is written at most this often. */
const touchMs = 10 * minuteMs;
/** A closed account is erased within this time. */
export const eraseMs = dayMs;
/** So long signing in keeps an account that is to be deleted. */
export const deletionGraceDays = 14;
/** Wrong passwords are forgotten after this time without another one. */
export const wrongForgottenMs = 15 * minuteMs;

/** So long nothing of a session may be in sight before the app lock closes it. */
export const lockAfterMs = minuteMs;
/** A page out of sight that chooses or sends files keeps it from closing so long after the last word of it. */
export const workMaxMs = 10 * minuteMs;
/** How many backup codes a second factor has. */
export const backupCodeCount = 10;
/** Wrong PINs after which a session ends. */
export const pinTriesMax = 5;

/** Whether the app lock has closed a session: at its very instant, and never without a PIN. */
export const isLocked = ({ hasAppLock, awayAt }: { hasAppLock: boolean; awayAt: Date | null }, now: Date): boolean =>
  hasAppLock && awayAt !== null && now.getTime() - awayAt.getTime() >= lockAfterMs;

/** Who puts the way to the home screen off is asked again after this time, and so many times in all. */
const skippedForMs = 7 * dayMs;
const skipsMax = 3;

/** Whether somebody is to be shown the way to the home screen by themselves. */
export const isHomeScreenDue = (
  { isCompleted, skips, skippedAt }: { isCompleted: boolean; skips: number; skippedAt: Date | null },
  now: Date,
): boolean =>
  !isCompleted && skips < skipsMax && (skippedAt === null || now.getTime() - skippedAt.getTime() >= skippedForMs);

/** What is stored of a person's standing. */
export interface StoredAccount {
  status: string;
  emailVerified: boolean;
  setupStep: SetupStep;
  isAdmin: boolean;
  isFreeUser: boolean;
  freeUntil: Date | null;
  subscriptionStatus: string | null;
  trialEndsAt: Date | null;
}

/** The plan as it is at this instant: a trial is over the moment it ends, whoever has or has not noticed. */
export function findSubscriptionStatus(
  { subscriptionStatus, trialEndsAt }: Pick<StoredAccount, 'subscriptionStatus' | 'trialEndsAt'>,
  now: Date,
): string | null {
  if (subscriptionStatus === 'trialing' && trialEndsAt !== null && trialEndsAt <= now) return 'inactive';
  return subscriptionStatus;
}

type StorageSettings = Pick<Settings, 'limits.storageBytes' | 'limits.trialStorageBytes'>;

/** Returns how many bytes of originals an account may hold now: the plan's or the trial's share, and what was given on top of it. */
export function storageLimitOf(
  settings: StorageSettings,
  stored: Pick<StoredAccount, 'subscriptionStatus' | 'trialEndsAt'> & { storageExtraBytes: number },
  now: Date,
): number {
  const isTrial = findSubscriptionStatus(stored, now) === 'trialing';
  return settings[isTrial ? 'limits.trialStorageBytes' : 'limits.storageBytes'] + stored.storageExtraBytes;
}

const subscribed = new Set<string | null>(['active', 'trialing', 'past_due']);
const stopped = new Set(['suspended', 'deleting', 'deleted']);

/** Said of an invitation that is used up, expired, revoked or unknown: nobody learns which. */
export const invitationEnded = 'This invitation has ended.';
/** How long an invitation may make an account free, in days. */
export const invitationDays: readonly number[] = [1, 3, 7, 14, 30, 90, 180, 360];
export const isInvitationToken = (text: string) => /^[A-Za-z0-9]{22}$/.test(text);

/** Whether somebody need not pay just now. */
export const isFree = ({ isFreeUser, freeUntil }: Pick<StoredAccount, 'isFreeUser' | 'freeUntil'>, now: Date) =>
  isFreeUser && (freeUntil === null || freeUntil > now);

/** Access is admin, free user or subscribed; only the server decides. */
export function accountAccessOf(stored: StoredAccount, now: Date) {
  return {
    isAdmin: stored.isAdmin,
    isFree: isFree(stored, now),
    isSubscribed: subscribed.has(findSubscriptionStatus(stored, now)),
    isEmailConfirmed: stored.emailVerified,
    isSetUp: stored.setupStep === 'done',
    isStopped: stopped.has(stored.status),
  };
}

export interface SessionTimes {
  createdAt: Date;
  /** The last use. */
  updatedAt: Date;
  expiresAt: Date;
}

/** The role of a session's account, and what was given in it of the second factor. */
export interface SessionRole {
  isAdmin: boolean;
  hasSecondFactor: boolean;
  /** When a code or a passkey was last given in this session. */
  codeAt: Date | null;
}

/** Returns whether a session has an administrator's rights: the role alone gives none, without a second factor given in it. */
export const hasAdminRights = ({ isAdmin, hasSecondFactor, codeAt }: SessionRole) =>
  isAdmin && hasSecondFactor && codeAt !== null;

/**
 * Returns whether a session goes on: it is over at its very instant. One of an administrator is over 12 hours after sign-in, used
 * or not, and where their second factor was never given in it, as after they set it up in another browser.
 */
export function isSessionAlive(
  { createdAt, expiresAt, ...role }: Pick<SessionTimes, 'createdAt' | 'expiresAt'> & SessionRole,
  now: Date,
): boolean {
  if (now >= expiresAt) return false;
  if (!role.isAdmin) return true;
  return now.getTime() < createdAt.getTime() + adminSessionMs && role.hasSecondFactor === hasAdminRights(role);
}

/** Returns whether a session may still be used by the cookie's earlier name: one that began under it, until its end of then. */
export const isEarlierCookieGood = ({ earlierCookieUntil }: { earlierCookieUntil: Date | null }, now: Date) =>
  earlierCookieUntil !== null && now < earlierCookieUntil;

/** Returns whether this use of a session is worth writing down, which also moves its end. */
export const isWorthTouching = ({ updatedAt }: SessionTimes, now: Date) =>
  now.getTime() - updatedAt.getTime() >= touchMs;

/** Whether a person may go to `wanted` with `reached` as the open step: back to what is done, never ahead. */
export const isStepOpen = (wanted: SetupStep, reached: SetupStep) =>
  reached !== 'done' && setupSteps.indexOf(wanted) <= setupSteps.indexOf(reached);

/** The open step after `saved`: saving an earlier one again never throws back. */
export function stepAfter(saved: SetupStep, reached: SetupStep): SetupStep {
  const next = Math.max(setupSteps.indexOf(saved) + 1, setupSteps.indexOf(reached));
  return setupSteps[next] ?? 'done';
}

/**
 * Returns whether somebody born on that day is 18, by the calendar of the place where the person is.
 * Born on 29 February: grown up on 1 March.
 */
export function isAdult(birthDate: string, timeZone: string, now: Date): boolean {
  const [year = '', month = '', day = ''] = birthDate.split('-');
  // Sweden writes its days as ISO 8601 does.
  const today = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
  return `${Number(year) + 18}-${month}-${day}` <= today;
}

/**
 * Returns how long one address must wait after so many wrong passwords in a row: 15 s, doubled by each further one, at most 15 minutes.
 * @param free how many may follow each other at once
 */
export const waitAfterWrong = (wrong: number, free: number) =>
  wrong < free ? 0 : Math.min(15 * minuteMs, 15 * secondMs * 2 ** (wrong - free));

/**
 * Judges a try to sign in before its password is looked at: how many wrong ones there are if it is wrong too, or how long to wait.
 * @param known the wrong ones so far
 */
export function judgeTry(
  known: { wrong: number; lastAt: Date } | undefined,
  now: Date,
  free: number,
): { wrong: number } | { waitMs: number } {
  if (known === undefined) return { wrong: 1 };
  const sinceMs = now.getTime() - known.lastAt.getTime();
  if (sinceMs >= wrongForgottenMs) return { wrong: 1 };
  const waitMs = waitAfterWrong(known.wrong, free) - sinceMs;
  return waitMs > 0 ? { waitMs } : { wrong: known.wrong + 1 };
}

/** Many tries from one network only make each wait longer, at most 5 s: hundreds of people may share it. */
export const waitAfterMany = (triesThisHour: number, free: number) =>
  Math.min(5 * secondMs, Math.max(0, triesThisHour - free) * 250);

/** Both lead to the same mailbox. */
const gmailDomains = ['gmail.com', 'googlemail.com'];

/**
 * Folds the ways in which one mailbox can be written: case, a `+tag`, and Gmail's dots and second domain. It serves trials, passes and
 * throttles alone and never says who somebody is. A `+` in front is no tag: it begins a phone number.
 */
export function foldMailbox(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const tag = local.indexOf('+', 1);
  const name = tag === -1 ? local : local.slice(0, tag);
  if (!gmailDomains.includes(domain)) return `${name}@${domain}`;
  return `${name.replaceAll('.', '') || name}@gmail.com`;
}

/**
 * Lists the forms under which a mailbox may be stored, today's first: before, Gmail's dots and its domain were kept as they were
 * typed, and either domain may be typed now.
 */
export function formsOfMailbox(email: string): [today: string, ...before: string[]] {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const [today, [name = '']] = [foldMailbox(email), local.split('+', 1)];
  // Every phone number had the same empty name.
  if (name === '') return [today];
  const before = gmailDomains.includes(domain)
    ? [name, name.replaceAll('.', '')].flatMap((each) => gmailDomains.map((gmail) => `${each}@${gmail}`))
    : [`${name}@${domain}`];
  return [today, ...new Set(before.filter((form) => form !== today))];
}

/**
 * Returns where to go after sign-in: a path of this site, never another origin and never back to /auth.
 * @param wanted as it stood in the address, so anything; browsers read a backslash as a slash and drop tabs and line ends
 */
export function safeReturnTo(wanted: string | null, origin: string): string | undefined {
  if (wanted === null || !/^\/(?![/\\])/.test(wanted.replace(/[\t\n\r]/g, ''))) return undefined;
  const { pathname, search, hash } = new URL(wanted, origin);
  const isWayIn = ['/auth', '/signup', '/account/setup', '/account/two-step'].some((way) =>
    pathname.toLowerCase().startsWith(way),
  );
  return pathname.startsWith('//') || isWayIn ? undefined : pathname + search + hash;
}

/** A way in that remembers where somebody wanted to go; home is where it leads anyhow. */
export const wayTo = (wayIn: '/auth' | '/account/setup' | '/account/two-step', wanted: string | undefined): string =>
  wanted === undefined || wanted === '/' ? wayIn : `${wayIn}?returnTo=${encodeURIComponent(wanted)}`;

/** Names that would pass for ours, or for a page of ours. */
const reservedHandles = new Set(
  `about account accounts admin administrator affiliate affiliates albums analytics anonymous api assistant auth billing blog
  compare comparison contact content copyright creator creators creator_safety credits dashboard data demo dev diagram dmca earnings
  everyone fan fans free help home info join legal link links login logout magic magic_links mail me media mod moderation moderator
  my news nobody notifications null official onlyfans owner payment payments payout payouts press pricing privacy private privatefans
  private_fans profile report robots root safety security settings setup signin signout signup sofia staff static status stripe
  subscribe subscription support system team terms test tip tips trial undefined user users verify view viewer viewers webhook welcome
  www you`.split(/\s+/),
);

/** A handle made of a name: "Anna Blüm" becomes "anna_blum"; empty when the name does not give one that can be had. */
export function suggestHandle(displayName: string): string {
  const handle = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, 30)
    .replace(/_$/, '');
  return findHandleFault(handle) === undefined ? handle : '';
}

/** Returns what is wrong with a handle, as a sentence; nothing when it can be had as far as its form goes. */
export function findHandleFault(handle: string): string | undefined {
  if (!/^[a-z0-9_]{3,30}$/.test(handle)) return 'Use 3–30 characters: a–z, 0–9 and _';
  if (reservedHandles.has(handle.replace(/^_+|_+$/g, '')) || handle.replaceAll('_', '').includes('privatefans'))
    return "This handle can't be used";
  return undefined;
}

export const passwordLength = { min: 10, max: 128 };

/** Returns what is wrong with a password apart from being a common one, as a sentence. */
export function findPasswordFault(password: string, email: string): string | undefined {
  if (password.length < passwordLength.min) return `Use at least ${passwordLength.min} characters`;
  if (password.length > passwordLength.max) return `Use at most ${passwordLength.max} characters`;
  const [local = ''] = email.toLowerCase().split('@');
  const bare = password.toLowerCase();
  return bare === email.toLowerCase() || bare === local ? "Your email address can't be your password" : undefined;
}

/** Returns how much work a password is to guess, from 0 (none) to 4; only for the meter, the server refuses common ones itself. */
export function estimateStrength(password: string, email: string): 0 | 1 | 2 | 3 | 4 {
  if (findPasswordFault(password, email) !== undefined) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length;
  // Repeated and counted-up characters ("aaaa", "1234") add nothing to guess.
  const steps = [...password].filter(
    (char, at) => Math.abs(char.charCodeAt(0) - password.charCodeAt(at - 1)) > 1,
  ).length;
  const bits = steps * (2 + kinds);
  return bits < 30 ? 1 : bits < 45 ? 2 : bits < 62 ? 3 : 4;
}
