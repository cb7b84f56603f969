import { nameCountry } from '#kit/country-names.ts';
import { formatCount } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import type { FoundItem, NamedPerson, Trace } from './contract.ts';

/** What happens to a trace under way. */
export function describeStep({ state, comparing }: Pick<Trace, 'state' | 'comparing'>): string {
  if (state === 'queued') return 'Waiting its turn';
  if (state === 'reading') return 'Reading the mark, piece by piece';
  return `Comparing it with ${comparing > 0 ? formatCount(comparing, 'item') : 'your albums'}`;
}

/** How far a line is drawn for it: a little from the beginning. */
export const shareShown = ({ share }: Pick<Trace, 'share'>): number => Math.max(0.02, share);

/** The words of a chip for a trace that is over. */
export function describeOutcome({ state, outcome }: Pick<Trace, 'state' | 'outcome'>): string {
  if (state === 'failed') return "Couldn't be read";
  if (outcome === null) return 'In progress';
  return { traced: 'Traced', probable: 'Probable', inconclusive: 'Inconclusive', no_match: 'No match' }[outcome];
}

/** "212 of 252 tiles were read", "41 of 60 seconds were read", for who cannot see them light up. */
export function describeTiles({
  tiles,
  isMirrored,
  isMoving,
}: Pick<FoundItem, 'tiles' | 'isMirrored' | 'isMoving'>): string {
  const read = tiles.filter(Boolean).length;
  return `${read} of ${formatCount(tiles.length, isMoving ? 'second' : 'tile')} were read${isMirrored ? ', mirrored' : ''}`;
}

/** Returns where a viewer looked from and on what: "Germany (estimated) · iPhone · Safari". */
export function describePlace(
  {
    country,
    isCountryEstimated,
    device,
    browser,
  }: Pick<NamedPerson, 'country' | 'isCountryEstimated' | 'device' | 'browser'>,
  locale = 'en',
): string {
  const name = country ? nameCountry(country, locale) : undefined;
  const place = name ? `${name}${isCountryEstimated ? ' (estimated)' : ''}` : 'location unknown';
  return [place, device ?? 'unknown device', browser].filter(Boolean).join(' · ');
}

/** Returns when a viewer came: "2 visits, 20 Nov, 10:04 to 21 Nov, 09:12". */
export function describeVisits({ visits, firstVisitAt, lastVisitAt }: NamedPerson, now: Date): string {
  if (visits === 0 || firstVisitAt === null || lastVisitAt === null) return 'Visits no longer on record';
  const first = formatMoment(firstVisitAt, now);
  return visits === 1 ? `1 visit, ${first}` : `${visits} visits, ${first} to ${formatMoment(lastVisitAt, now)}`;
}

/** Who it was, at the beginning of a line. */
export function describeName({ name, isOwn, isSupport }: { name: string; isOwn: boolean; isSupport: boolean }): string {
  if (isSupport) return 'Support';
  return isOwn ? 'You' : name;
}
