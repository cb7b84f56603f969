import { nameCountry } from '#kit/country-names.ts';
import { formatCount, formatPrice, isolate } from '#kit/text.ts';
import { formatDate, formatMoment, type Place } from '#kit/time.ts';
import type { Condition, Policy } from '../policy.ts';

/** Returns where a link opens: "only in Germany and 2 more", "not in France". */
export function nameCountries({ mode, countries }: NonNullable<Policy['geo']>, locale?: string): string {
  const [first = '', ...others] = countries;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${mode === 'allow' ? 'only in' : 'not in'} ${nameCountry(first, locale)}${more}`;
}

/** Which addresses open a link: "only lena@example.com", "3 addresses", "anyone at @x.com", "any address". */
export function nameAllowed({ allow }: NonNullable<Policy['email']>): string {
  const [first, ...others] = allow;
  if (first === undefined) return 'any address';
  if (others.length > 0)
    return allow.some((entry) => entry.startsWith('@'))
      ? `${allow.length} entries`
      : formatCount(allow.length, 'address', 'addresses');
  return first.startsWith('@') ? `anyone at ${isolate(first)}` : `only ${isolate(first)}`;
}

/** Returns how often each person may come. */
export const nameVisits = (maxVisits: number): string => `${formatCount(maxVisits, 'visit')} each`;

/** On how many screens one person may look at the same time; that of every link is not said. */
export const nameScreens = (maxConcurrent: number): string => `${formatCount(maxConcurrent, 'screen')} at a time`;
/** Screens of one person, unless a link says otherwise. */
export const usualScreens = 2;

/** On what a link opens, where not on everything. */
export const phonesOnly = 'phones and tablets only';

/** A moment as a rule says it: the time when it is today, with the day when it is not. */
export function nameEnd(at: Date, now: Date, place: Place = {}): string {
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: place.timeZone });
  if (day.format(at) !== day.format(now)) return formatDate(at, now, place);
  return new Intl.DateTimeFormat(place.locale, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: place.timeZone,
  }).format(at);
}

/** Returns when a link begins to open: "20 Dec, 18:00". */
export const nameStart = (notBefore: string, now: Date, place: Place = {}): string =>
  formatMoment(new Date(notBefore), now, place);

/** What is said of one person, and of several. */
type Said = readonly [one: string, many: string];

function sayCondition(condition: Condition): Said | undefined {
  switch (condition.kind) {
    case 'free':
      return undefined;
    case 'pay':
      return [`pays ${formatPrice(condition.priceCents)}`, `pay ${formatPrice(condition.priceCents)}`];
    case 'tip':
      return [`tips ${formatPrice(condition.minCents)}`, `tip ${formatPrice(condition.minCents)}`];
    case 'fan_sub':
      return ['subscribes', 'subscribe'];
    case 'approval':
      return ['gets your yes', 'get your yes'];
  }
}

/** What one of the offers asks for, whichever is taken; nothing where one is free. */
function sayOffers(offers: Policy['offers'], isMany: boolean): string {
  const each = offers.map(({ all }) => all.flatMap((condition) => sayCondition(condition)?.[isMany ? 1 : 0] ?? []));
  return each.some((said) => said.length === 0) ? '' : each.map((said) => said.join(' and ')).join(' or ');
}

/** What somebody has to do before a link opens. */
function conditionsOf({ password, email, agreementId, ageGate, offers }: Policy, isMany: boolean): string[] {
  const said: (Said | false | undefined)[] = [
    password && ['knows the password', 'know the password'],
    email && [`confirms ${addressOf(email)}`, `confirm ${addressOf(email)}`],
    agreementId !== undefined && ['agrees to your text', 'agree to your text'],
    ageGate && ['confirms they are 18', 'confirm they are 18'],
  ];
  const all = said.flatMap((one) => (one ? [one[isMany ? 1 : 0]] : []));
  return [...all, sayOffers(offers, isMany)].filter((one) => one !== '');
}

function addressOf({ allow }: NonNullable<Policy['email']>): string {
  const [first, ...others] = allow;
  if (first === undefined) return 'an email address';
  if (others.length > 0) return 'an address on your list';
  return first.startsWith('@') ? `an address at ${isolate(first.slice(1))}` : isolate(first);
}

/** Who can really open a link, in one sentence: "Anyone who gets this link and confirms they are 18 can open it." */
export function describeOpeners(policy: Policy, locale?: string): string {
  const { bindFirstViewer, maxViewers, geo, desktopAllowed } = policy;
  const isMany = !bindFirstViewer && maxViewers !== undefined && maxViewers > 1;
  const isFirst = bindFirstViewer === true || maxViewers === 1;
  const conditions = conditionsOf(policy, isMany);
  const where = `${desktopAllowed ? '' : ' on a phone or tablet'}${geo === undefined ? '' : `, ${nameCountries(geo, locale)}`}`;
  if (isFirst && conditions.length === 0) return `Only the first person who opens it${where}.`;
  const who = isFirst ? 'Only the first person' : isMany ? `The first ${maxViewers} people` : 'Anyone';
  const all = [isMany ? 'get this link' : 'gets this link', ...conditions];
  const [last = '', before] = [all.at(-1), all.slice(0, -1)];
  const does = before.length === 0 ? last : `${before.join(', ')} and ${last}`;
  return `${who} who ${does} can open it${where}.`;
}
