import { isNamedAfter } from '#features/links/rules.ts';
import { nameCountry } from '#kit/country-names.ts';
import { formatCount, formatDuration, isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import type { Dispute, From, LookingNow, NotCounted, Refused, Robots, Visit } from './contract.ts';

const appNames: Readonly<Record<string, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  tiktok: 'TikTok',
  snapchat: 'Snapchat',
  whatsapp: 'WhatsApp',
  messenger: 'Messenger',
  telegram: 'Telegram',
};

/** Returns where a link was opened: inside an app, or in a browser of its own. */
export const nameApp = (app: string): string => (app === '' ? 'A browser' : (appNames[app] ?? app));

/** The same where it is counted: a browser says nothing of the app that a link came from. */
export const nameSource = (app: string): string => (app === '' ? 'A browser, source unknown' : nameApp(app));

/** A kind of device; what nobody knows is said. */
export const nameDevice = (device: string): string => (device === '' ? 'Unknown device' : device);

/** A country by its code; empty is unknown, never made up. */
export const nameKnownCountry = (country: string, locale = 'en'): string =>
  country === '' ? 'Unknown' : nameCountry(country, locale);

/** Returns where somebody looked from and on what: "Germany (estimated) · iPhone · Instagram". */
export function describeFrom({ country, isCountryEstimated, device, app }: From): string {
  const place =
    country === null ? 'location unknown' : nameKnownCountry(country) + (isCountryEstimated ? ' (estimated)' : '');
  return [place, device, app && nameApp(app)].filter(Boolean).join(' · ');
}

const disputeWords: Readonly<Record<NonNullable<Dispute>['state'], string>> = {
  open: '',
  won: ', the bank decided for you',
  lost: ', the bank decided for them',
};

/** When somebody took a payment to their bank, and how it ended: "disputed 3 May, the bank decided for you". */
export const describeDispute = ({ at, state }: NonNullable<Dispute>, now: Date): string =>
  `disputed ${formatDate(at, now)}${disputeWords[state]}`;

/** Why something was not counted, in the words of "How we count". */
export const notCountedWords: Readonly<Record<NotCounted, string>> = {
  own: 'Your own visit',
  admin: 'Viewed by support',
  automation: 'A bot, not a person',
  short: 'Nothing was on screen for 2 seconds',
};

/** Why the opens of programs were not counted: "A bot, not a person · refused 12 times". */
export const describeRobots = ({ opens }: Pick<Robots, 'opens'>): string =>
  `${notCountedWords.automation} · refused ${opens === 1 ? 'once' : `${opens.toLocaleString('en')} times`}`;

/** What a link has refused: "Wrong password", "3 tries". */
export function describeRefused({ kind, times }: Pick<Refused, 'kind' | 'times'>): { title: string; story: string } {
  if (kind === 'program') return { title: 'A bot', story: describeRobots({ opens: times }) };
  const tries = times === 1 ? '1 try' : `${times.toLocaleString('en')} tries`;
  return { title: 'Wrong password', story: `${tries} · nobody was let in` };
}

const endWords: Readonly<Record<NonNullable<Visit['endReason']>, string | undefined>> = {
  left: undefined,
  idle: 'ended after no activity',
  expired: 'link expired',
  revoked: 'screen closed by revoking',
  security: "screen closed by you or the link's rule",
  replaced: 'continued on another screen',
  time_used: 'time used up',
};

const unseen = 'Opened, but nothing was on screen for 2 seconds';

/** What happened in a visit: "4 min 12 s · 7 items · screen closed by revoking"; why it is no view is always said. */
export function describeVisit({ watchMs, itemsSeen, endReason, notCounted }: Visit): string {
  const isShort = notCounted === 'short';
  const parts = [
    isShort ? unseen : undefined,
    !isShort && watchMs > 0 ? formatDuration(watchMs) : undefined,
    !isShort && itemsSeen > 0 ? formatCount(itemsSeen, 'item') : undefined,
    endReason === null ? undefined : endWords[endReason],
    notCounted === null || isShort ? undefined : notCountedWords[notCounted],
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || unseen;
}

const nobody: readonly (NotCounted | null)[] = ['own', 'admin', 'automation'];

/** Returns whether this visit is the only one that somebody other than the maker, support or a program has made. */
export function isFirstOpening(
  visits: readonly Pick<Visit, 'visitId' | 'notCounted'>[],
  visitId: Visit['visitId'],
): boolean {
  const made = visits.filter(({ notCounted }) => !nobody.includes(notCounted));
  return made.length === 1 && made[0]?.visitId === visitId;
}

/** What is on the screen: "Golden hour · photo 7 of 24". */
export function describeScreen({ albumName, picture }: Pick<LookingNow, 'albumName' | 'picture'>): string {
  const where = picture === null ? 'in the gallery' : `${picture.kind} ${picture.place} of ${picture.count}`;
  return [albumName, where].filter((part) => part !== '').join(' · ');
}

type ByLink = Pick<Visit, 'viewerName' | 'linkName' | 'recipientName'>;

/** Returns which link somebody came by, when the name alone does not tell. */
export const describeLink = (visit: ByLink): string => describeFor(visit, isolate(visit.linkName) || 'Untitled Link');

const describeFor = ({ viewerName, linkName, recipientName }: ByLink, link: string) =>
  recipientName === null || recipientName === viewerName || isNamedAfter(linkName, recipientName)
    ? link
    : `${link}, for ${isolate(recipientName)}`;

/** "Bob opened “Beach”": what is said when somebody has opened a link for the first time. Many links are named after somebody. */
export function describeFirstOpening(visit: ByLink): string {
  const { viewerName, linkName } = visit;
  if (linkName === viewerName) return `${isolate(viewerName)} opened your link`;
  return `${isolate(viewerName)} opened ${describeFor(visit, `“${isolate(linkName) || 'Untitled Link'}”`)}`;
}

/** A day of a chart: "12 Nov", of another year than the chart's newest day "12 Nov 2025". Days are dates without a place. */
export function nameDay(day: string, newest: string, locale?: string): string {
  const isOfItsYear = day.slice(0, 4) === newest.slice(0, 4);
  const year = isOfItsYear ? undefined : 'numeric';
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** Values by day as a line chart takes them, oldest first. */
export const chartDays = <Day extends { day: string }>(days: readonly Day[], count: (day: Day) => number) =>
  days.map((each) => ({ day: nameDay(each.day, days.at(-1)?.day ?? each.day), value: count(each) }));
