import { nameCountry } from '#kit/country-names.ts';
import { formatCount } from '#kit/text.ts';
import { formatDate, formatMoment, type Place } from '#kit/time.ts';
import { describePrice, describeRule, nameAge, nameAudience, nameSpan } from './link-texts.ts';
import type { AutoResponse, Policy } from './policy.ts';
import { markNames } from './share-sheet/protection-words.ts';
import type { LinkVersion } from './versions-contract.ts';

/** When it is read, and where. */
interface Reading {
  now: Date;
  place: Place;
}

type Describe = (before: Policy, after: Policy, reading: Reading) => string | undefined;

/** "Price $10 → $15"; nothing when both sides read alike. */
const arrow = (what: string, before: string, after: string) =>
  before === after ? undefined : `${what} ${before} → ${after}`;

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

const nameTime = ({ openForMs, viewBudgetMs }: Policy) => {
  if (viewBudgetMs !== undefined) return `${nameSpan(viewBudgetMs)} in total`;
  return openForMs === undefined ? 'any time' : `${nameSpan(openForMs)} after first opening`;
};
const describeTime: Describe = (before, after) => arrow('Viewing time', nameTime(before), nameTime(after));
const describeAudience: Describe = (before, after) => arrow('Open to', nameAudience(before), nameAudience(after));

const nameMark = ({ mark }: Policy) => markNames[mark].toLowerCase();

const mostCountries = 3;

function nameCountries({ geo }: Policy): string {
  if (geo === undefined) return 'everywhere';
  const names = geo.countries.slice(0, mostCountries).map((code) => nameCountry(code, 'en'));
  const others = geo.countries.length - names.length;
  const list = others > 0 ? `${names.join(', ')} and ${others} more` : names.join(', ');
  return geo.mode === 'allow' ? `only ${list}` : `all but ${list}`;
}

const describeCountries: Describe = (before, after) => {
  const places = arrow('Countries', nameCountries(before), nameCountries(after));
  if (places !== undefined) return places;
  const sides = [before, after].map(({ geo }) => geo?.whenUnknown);
  if (sides[0] === sides[1]) return 'Countries changed';
  return sides[1] === 'deny' ? 'An unknown country is kept out' : 'An unknown country is let in';
};

const describeEmail: Describe = (before, after) => {
  if (after.email === undefined) return 'Email address no longer asked';
  if (before.email === undefined) return 'Email address asked';
  return 'Email list changed';
};

const describeAgreement: Describe = (before, after) => {
  if (after.agreementId === undefined) return 'Agreement removed';
  return before.agreementId === undefined ? 'Agreement asked' : 'Agreement changed';
};

const describeOpening: Describe = (before, after, { now, place }) => {
  const [from, to] = [before, after].map(({ notBefore }) =>
    notBefore === undefined ? 'at once' : formatMoment(new Date(notBefore), now, place),
  );
  return arrow('Opens', from ?? '', to ?? '');
};

const responseNames: Readonly<Record<AutoResponse['do'], string>> = {
  none: 'nothing',
  warn: 'warn',
  close: 'close their screens',
  revoke: 'revoke the link',
};

/** Returns what a link does by itself about copying: "warn after 3 attempts". */
const nameResponse = ({ autoResponse: { do: answer, threshold } }: Policy) =>
  answer === 'none' ? responseNames.none : `${responseNames[answer]} after ${formatCount(threshold, 'attempt')}`;

const nameVisits = ({ maxVisits }: Policy) => (maxVisits === undefined ? 'any number' : String(maxVisits));

/** How a change of each rule is told; a rule that reads like another one shares its sentence. */
const describers: Readonly<Record<keyof Policy, Describe>> = {
  offers: (before, after) => arrow('Price', describePrice(before), describePrice(after)) ?? 'Ways to pay changed',
  notBefore: describeOpening,
  openForMs: describeTime,
  viewBudgetMs: describeTime,
  maxVisits: (before, after) => arrow('Visits', nameVisits(before), nameVisits(after)),
  maxViewers: describeAudience,
  bindFirstViewer: describeAudience,
  maxConcurrent: (before, after) => arrow('Screens at once', String(before.maxConcurrent), String(after.maxConcurrent)),
  ageGate: (before, after) => arrow('Age', nameAge(before), nameAge(after)),
  password: (_before, after) => (after.password ? 'Password set' : 'Password removed'),
  email: describeEmail,
  agreementId: describeAgreement,
  geo: describeCountries,
  mark: (before, after) => arrow('Visible mark', nameMark(before), nameMark(after)),
  blurWhenUnfocused: (before, after) =>
    arrow('Blur when out of focus', onOff(before.blurWhenUnfocused), onOff(after.blurWhenUnfocused)),
  holdToView: (before, after) => arrow('Hold to view', onOff(before.holdToView), onOff(after.holdToView)),
  recipientInMark: (before, after) =>
    arrow('Name in the mark', onOff(before.recipientInMark), onOff(after.recipientInMark)),
  desktopAllowed: (_before, after) => (after.desktopAllowed ? 'Computers allowed' : 'Phones and tablets only'),
  autoResponse: (before, after) => arrow('After copying', nameResponse(before), nameResponse(after)),
};
const rules = Object.keys(describers) as (keyof Policy)[];

/** "Ends 20 Dec → never"; two moments of one day say their minute. */
function describeEnd(before: Date | null, after: Date | null, { now, place }: Reading): string | undefined {
  if (before?.getTime() === after?.getTime()) return undefined;
  const isOneDay =
    before !== null && after !== null && formatDate(before, now, place) === formatDate(after, now, place);
  const format = isOneDay ? formatMoment : formatDate;
  const [from, to] = [before, after].map((at) => (at === null ? 'never' : format(at, now, place)));
  return arrow('Ends', from ?? '', to ?? '');
}

/** A version in one sentence for each change; of the first one, the rules that it began with. */
export function describeVersion(version: LinkVersion, now: Date, place: Place = {}): string[] {
  const { before, policy, expiresAt } = version;
  if (before === null) return [`Link created: ${describeRule({ policy, expiresAt }, version.at, place)}`];
  const reading = { now, place };
  const parts = rules
    .filter((rule) => JSON.stringify(before.policy[rule]) !== JSON.stringify(policy[rule]))
    .map((rule) => describers[rule](before.policy, policy, reading));
  const end = describeEnd(before.expiresAt, expiresAt, reading);
  const isNewPassword = version.hasNewPassword && before.policy.password;
  const all = [...parts, isNewPassword ? 'Password changed' : undefined, end];
  const sentences = [...new Set(all.filter((sentence) => sentence !== undefined))];
  return sentences.length === 0 ? ['Nothing that is told here'] : sentences;
}

const authors: Readonly<Record<LinkVersion['by'], string>> = {
  creator: 'you',
  automatic: 'automatic',
  operator: 'support',
};

/** Returns who made a version. */
export const nameAuthor = ({ by }: Pick<LinkVersion, 'by'>): string => authors[by];
