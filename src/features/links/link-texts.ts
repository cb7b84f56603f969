import type { ConsentGap } from '#features/albums/contract.ts';
import { nameCountry } from '#kit/country-names.ts';
import { formatCount, formatDuration, formatPrice, isolate } from '#kit/text.ts';
import { dayMs, formatDate, formatTimeAgo, hourMs, minuteMs, type Place } from '#kit/time.ts';
import type { Channel, MagicLink } from './contract.ts';
import {
  nameAllowed,
  nameCountries,
  nameEnd,
  nameScreens,
  nameStart,
  phonesOnly,
  usualScreens,
} from './offers/gate-texts.ts';
import type { Condition, Policy } from './policy.ts';
import { type Badge, isNamedAfter, type SecondState, secondStateOf } from './rules.ts';
import { nameProtection } from './share-sheet/protection-words.ts';

export const channelNames: Readonly<Record<Channel, string>> = {
  whatsapp: 'WhatsApp',
  instagram: 'Instagram',
  email: 'Email',
  sms: 'SMS',
  other: 'Something else',
};

export const badgeWords: Readonly<Record<Badge, string>> = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

/** The name of a link on the screen. */
export const nameLink = ({ linkName }: Pick<MagicLink, 'linkName'>): string => isolate(linkName) || 'Untitled Link';

/** Whom the link is for. */
export const nameRecipient = ({ recipientName }: Pick<MagicLink, 'recipientName'>): string =>
  recipientName ? `For ${isolate(recipientName)}` : 'No recipient';

/** The name that a new link gets by itself: "Lena, WhatsApp". */
export function suggestName(recipientName: string, channel: Channel | null): string {
  if (recipientName === '') return '';
  return channel === null || channel === 'other' ? recipientName : `${recipientName}, ${channelNames[channel]}`;
}

/** The name of a link after its person changed: one that nobody chose follows, any other stays (undefined). */
export function followRecipient(
  { linkName, recipientName, recipientChannel }: Pick<MagicLink, 'linkName' | 'recipientName' | 'recipientChannel'>,
  change: { recipientName?: string | null | undefined; recipientChannel?: Channel | null | undefined },
): string | undefined {
  if (linkName !== suggestName(recipientName ?? '', recipientChannel)) return undefined;
  const { recipientName: name = recipientName, recipientChannel: channel = recipientChannel } = change;
  return suggestName(name ?? '', channel);
}

/** A rule's span as people say it: "24 hours", "3 days", "10 minutes". */
export function nameSpan(ms: number): string {
  if (ms > dayMs && ms % dayMs === 0) return formatCount(ms / dayMs, 'day');
  if (ms >= hourMs && ms % hourMs === 0) return formatCount(ms / hourMs, 'hour');
  return formatCount(Math.round(ms / minuteMs), 'minute');
}

const shortSpan = (ms: number) =>
  nameSpan(ms)
    .replace(/ hours?$/, ' h')
    .replace(/ minutes?$/, ' min');

/** Who may open it, in the words of the sentence: "anyone who has it", "one person", "3 people". */
export function nameAudience({ bindFirstViewer, maxViewers }: Pick<Policy, 'bindFirstViewer' | 'maxViewers'>): string {
  if (bindFirstViewer || maxViewers === 1) return 'one person';
  return maxViewers === undefined ? 'anyone who has it' : `${maxViewers} people`;
}

/** How old its viewers must be, in the words of the sentence. */
export const nameAge = ({ ageGate }: Pick<Policy, 'ageGate'>): string => (ageGate ? 'adults only' : 'any age');

/** The albums of a link: their names, or how many. */
export function nameAlbums(albums: readonly { name: string }[]): string {
  const [first, ...others] = albums;
  if (first === undefined) return 'No album';
  return others.length === 0 ? first.name : formatCount(albums.length, 'album');
}

const shortCondition = (condition: Condition): string => {
  if (condition.kind === 'pay') return formatPrice(condition.priceCents);
  if (condition.kind === 'tip') return `${formatPrice(condition.minCents)} tip`;
  if (condition.kind === 'fan_sub') return 'subscribers';
  return condition.kind === 'approval' ? 'ask first' : 'free';
};

/** What it costs to open, price first: "free", "$15", "$15 or $10 tip", "$15 + ask first", "$15 or subscribers". */
export function describePrice({ offers }: Pick<Policy, 'offers'>): string {
  const order: readonly Condition['kind'][] = ['pay', 'tip', 'fan_sub', 'approval', 'free'];
  const rank = ({ kind }: Condition) => order.indexOf(kind);
  const ways = offers.map(({ all }) => {
    const asked = all.filter(({ kind }) => kind !== 'free').sort((a, b) => rank(a) - rank(b));
    return {
      rank: Math.min(...(asked.length > 0 ? asked : all).map(rank)),
      words: asked.map(shortCondition).join(' + '),
    };
  });
  const sorted = [...ways].sort((a, b) => a.rank - b.rank).map(({ words }) => words);
  return sorted.filter((words) => words !== '').join(' or ') || 'free';
}

/** The rule of a link in one short line: "free · 24 h after first opening · one person · until 20 Dec". */
export function describeRule(
  { policy, expiresAt }: Pick<MagicLink, 'policy' | 'expiresAt'>,
  now: Date,
  place: Place = {},
): string {
  const { openForMs, viewBudgetMs, maxVisits, bindFirstViewer, maxViewers, ageGate } = policy;
  const parts = [
    describePrice(policy),
    openForMs !== undefined && `${shortSpan(openForMs)} after first opening`,
    viewBudgetMs !== undefined && `${shortSpan(viewBudgetMs)} of viewing time`,
    maxVisits !== undefined && formatCount(maxVisits, 'visit'),
    (bindFirstViewer || maxViewers !== undefined) && nameAudience(policy),
    !ageGate && nameAge(policy),
    ...describeGates(policy, now, place),
    expiresAt === null ? 'no end' : `${expiresAt > now ? 'until' : 'ended'} ${nameEnd(expiresAt, now, place)}`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

/** Returns what is asked before a link opens, where and from when on it does. */
function describeGates(policy: Policy, now: Date, place: Place): (string | false)[] {
  const { password, email, agreementId, geo, desktopAllowed, maxConcurrent, notBefore } = policy;
  const isStarting = notBefore !== undefined && new Date(notBefore) > now;
  return [
    password && 'password',
    email !== undefined && (email.allow.length === 0 ? 'with an email address' : nameAllowed(email)),
    agreementId !== undefined && 'agreement',
    geo !== undefined && nameCountries(geo, place.locale),
    !desktopAllowed && phonesOnly,
    maxConcurrent !== usualScreens && nameScreens(maxConcurrent),
    ...nameProtection(policy),
    isStarting && `from ${nameStart(notBefore, now, place)}`,
  ];
}

/** A country's name; an estimate says so, and what nobody knows is said, never made up. */
export function namePlace(visit: { country: string | null; isCountryEstimated: boolean }, locale = 'en'): string {
  if (visit.country === null) return 'location unknown';
  const name = nameCountry(visit.country, locale);
  return visit.isCountryEstimated ? `${name} (estimated)` : name;
}

/** Links without a name look alike: what tells them apart is the address that was sent. */
const describeAddress = ({ linkName, slug }: Pick<MagicLink, 'linkName' | 'slug'>) =>
  linkName === '' && `address ends in ${slug.slice(-4)}`;

const join = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' · ');

/** Whom it is for, unless its name says that. */
const describeFor = (link: Pick<MagicLink, 'linkName' | 'recipientName'>) =>
  (link.recipientName === null || !isNamedAfter(link.linkName, link.recipientName)) && nameRecipient(link);

/** Returns what a link is, under its name on its own page. */
export const describeWhat = (link: Pick<MagicLink, 'linkName' | 'recipientName' | 'slug' | 'albums'>): string =>
  join([describeFor(link), describeAddress(link), nameAlbums(link.albums)]);

/**
 * The quiet line of a row: whom it is for unless its name says it, what it shows, under which rule.
 * @param within the album in whose list it stands: that it shows it goes without saying
 */
export function describeTerms(link: MagicLink, now: Date, within?: string, place: Place = {}): string {
  const [first, ...others] = link.albums;
  const isOnlyWithin = first !== undefined && first.id === within && others.length === 0;
  return join([
    describeFor(link),
    describeAddress(link),
    !isOnlyWithin && nameAlbums(link.albums),
    describeRule(link, now, place),
  ]);
}

/** Single visits are kept for longer than this. */
const keptMs = 365 * dayMs;

/** Returns how often it was opened, and why an opening is no view; without a visit of a person only programs came. */
function describeOpened({ viewsCount, isLookingNow, lastVisit, lastOpenedAt }: MagicLink, now: Date): string {
  if (viewsCount > 0) return `Opened ${viewsCount.toLocaleString('en')}×`;
  if (isLookingNow) return 'Opened just now';
  if (lastVisit !== null) return 'Opened, not viewed';
  const isKept = lastOpenedAt !== null && now.getTime() - lastOpenedAt.getTime() < keptMs;
  return isKept ? 'Opened by a bot, not counted' : 'Opened, not counted';
}

/** What happened to a link: "Opened 3× · last 2h ago · Germany · iPhone · 4 min 12 s". */
export function describeStory(link: MagicLink, now: Date, place: Place = {}): string {
  const { lastVisit, lastOpenedAt, watchMs, createdAt } = link;
  if (lastOpenedAt === null) return `Not opened yet · created ${lowerFirst(formatTimeAgo(createdAt, now, place))}`;
  const parts = [
    describeOpened(link, now),
    link.isLookingNow ? undefined : `last ${lowerFirst(formatTimeAgo(lastOpenedAt, now, place))}`,
    lastVisit === null ? undefined : namePlace(lastVisit),
    lastVisit?.device ?? undefined,
    watchMs > 0 ? formatDuration(watchMs) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

const lowerFirst = (text: string) => text.replace(/^Just/, 'just');

/** The line that says what the badge does not. */
export function describeSecondState(link: MagicLink, now: Date, place: Place = {}): string | undefined {
  const state = secondStateOf(link, now);
  return state === undefined ? undefined : wordsOf(state, now, place);
}

const consentStates: Readonly<Record<ConsentGap, string>> = {
  unsaid: 'Closed until you say who is shown',
  missing: 'Waiting for consent',
  withdrawn: 'Locked: someone withdrew their consent',
};

function wordsOf(state: SecondState, now: Date, place: Place): string {
  switch (state.kind) {
    case 'removed':
      return 'Removed';
    case 'paused':
      return 'Paused';
    case 'consent':
      return consentStates[state.gap];
    case 'opens':
      return `Opens ${formatDate(state.at, now, place)}`;
    case 'full':
      return `Full: ${state.people} of ${formatCount(state.people, 'person', 'people')}`;
  }
}

/** What the toast says after a revocation; a figure only when the end of a screen was measured. */
export function describeDark({ revokedAt, dark }: Pick<MagicLink, 'revokedAt' | 'dark'>): string | undefined {
  if (revokedAt === null || dark === null) return undefined;
  const ms = dark.at.getTime() - revokedAt.getTime();
  const seconds = `${(Math.max(ms, 100) / 1000).toFixed(1)} s`;
  return dark.screens === 1
    ? `The open screen closed ${seconds} later.`
    : `${dark.screens} open screens closed within ${seconds}.`;
}
