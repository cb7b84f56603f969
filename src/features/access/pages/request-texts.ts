import { nameCountry } from '#kit/country-names.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment, type Place } from '#kit/time.ts';
import type { GrantSpan } from '../asked-rules.ts';
import type { AccessRequest, RequestStatus, Shut } from '../requests-contract.ts';

export const statusNames: Readonly<Record<RequestStatus, string>> = {
  pending: 'Pending',
  approved: 'Approved',
  denied: 'Denied',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};

/** For how long access is given, as the menu beside *Approve* says it. */
export const spanNames: Readonly<Record<GrantSpan, string>> = {
  never: 'Without an end',
  day: 'For 24 hours',
  week: 'For 7 days',
  month: 'For 30 days',
};

/** Why nothing would open, so that nobody is told that it does. */
export const shutWords: Readonly<Record<Shut, string>> = {
  revoked: 'The link is revoked. Make a new link instead.',
  over: 'The link is over. Make a new link instead.',
  viewer: 'You have blocked this viewer. Unblock them first.',
  album: "The album can't be shown at the moment.",
};

/** By which link and from what device somebody asks: "Summer, for Bob · iPhone · Safari · Germany". */
export function describeAsker({ link, device, country }: Pick<AccessRequest, 'link' | 'device' | 'country'>): string {
  const name = isolate(link.linkName) || 'Untitled Link';
  const parts = [name, device.platform, device.userAgent, country === null ? null : nameCountry(country)];
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

/** The names of the albums that are asked for. */
export const nameAskedAlbums = ({ albums }: Pick<AccessRequest, 'albums'>): string =>
  albums.map(({ name }) => isolate(name)).join(', ');

/** What is known of this viewer from before: "Approved before · has looked 3 times"; undefined for a stranger. */
export function describeBefore({ approved, denied, visits }: AccessRequest['before']): string | undefined {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
  const parts = [
    approved > 0 && `approved ${times(approved)} before`,
    denied > 0 && `denied ${times(denied)} before`,
    visits > 0 && `has looked ${times(visits)}`,
  ].filter((part) => part !== false);
  const text = parts.join(' · ');
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns how a request was answered, when it was: "Approved 3 May, 18:00 · until 10 May, 18:00". */
export function describeAnswer(
  { status, reviewedAt, opensUntil, decisionText }: AccessRequest,
  now: Date,
  place: Place = {},
): string | undefined {
  if (reviewedAt === null) return undefined;
  const answered = `${statusNames[status]} ${formatMoment(reviewedAt, now, place)}`;
  if (opensUntil !== null) return `${answered} · until ${formatMoment(opensUntil, now, place)}`;
  return decisionText === '' ? answered : `${answered} · “${isolate(decisionText)}”`;
}
