import type { ConsentGap } from '#features/albums/contract.ts';
import { leastCents, mostTipCents } from '#features/orders/rules.ts';
import { formatPrice } from '#kit/text.ts';
import { dayMs, hourMs, secondMs } from '#kit/time.ts';
import { findOfferFault, offersOf } from './offers/offer-rules.ts';
import type { Policy } from './policy.ts';

/** Returns how long a screen counts as alive after its last renewal: as long as two of them, and a little for a slow line. */
export const screenAliveMs = (renewMs: number): number => 2 * renewMs + 10 * secondMs;

/** What one link lists at most: several full albums are made into several links. */
export const mostOfLink = 2000;

/** When a new link ends: after some hours, at a moment, or never. */
export type Expiry = { kind: 'after'; hours: number } | { kind: 'at'; at: Date } | { kind: 'never' };

/** The moment that an expiry means; null for never. */
export function expiresAtOf(expiry: Expiry, now: Date): Date | null {
  if (expiry.kind === 'never') return null;
  return expiry.kind === 'at' ? expiry.at : new Date(now.getTime() + expiry.hours * hourMs);
}

/** Returns whether a link bears the name of whom it is for, as one that nobody named does: "Lena", "Lena, WhatsApp". */
export const isNamedAfter = (linkName: string, recipientName: string): boolean =>
  linkName === recipientName || [',', ' '].some((end) => linkName.startsWith(recipientName + end));

/** Whether its maker may still take a revocation back. */
export const canUndo = ({ isRevoked, undoUntil }: { isRevoked: boolean; undoUntil: Date | null }, now: Date): boolean =>
  isRevoked && undoUntil !== null && undoUntil > now;

/** What a badge is made of. */
export interface BadgeFacts {
  isRevoked: boolean;
  expiresAt: Date | null;
}
export type Badge = 'revoked' | 'expired' | 'active';

/** Revoked wins over expired: the creator's own act is the stronger word. */
export function badgeOf({ isRevoked, expiresAt }: BadgeFacts, now: Date): Badge {
  if (isRevoked) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** What the line under the badge is made of. */
export interface StateFacts extends BadgeFacts {
  policy: Pick<Policy, 'notBefore' | 'maxViewers' | 'bindFirstViewer'>;
  uniqueViewers: number;
  isTakenDown: boolean;
  /** Every album can be shown. */
  isAlbumReady: boolean;
  consentGap: ConsentGap | null;
}
export type SecondState =
  | { kind: 'removed' }
  | { kind: 'paused' }
  | { kind: 'consent'; gap: ConsentGap }
  | { kind: 'opens'; at: Date }
  | { kind: 'full'; people: number };

/** Returns what the badge does not say: taken down, without consent, paused, not yet open, or full; only of a link that is neither revoked nor expired. */
export function secondStateOf(link: StateFacts, now: Date): SecondState | undefined {
  if (link.isTakenDown) return { kind: 'removed' };
  if (badgeOf(link, now) !== 'active') return undefined;
  if (link.consentGap !== null) return { kind: 'consent', gap: link.consentGap };
  if (!link.isAlbumReady) return { kind: 'paused' };
  const { notBefore, maxViewers, bindFirstViewer } = link.policy;
  const opensAt = notBefore === undefined ? undefined : new Date(notBefore);
  if (opensAt !== undefined && opensAt > now) return { kind: 'opens', at: opensAt };
  const places = bindFirstViewer ? 1 : maxViewers;
  return places !== undefined && link.uniqueViewers >= places ? { kind: 'full', people: places } : undefined;
}

/** The least tips that a link asks for, in cents, one for each of its offers that asks for one. */
export const tipsOf = ({ offers }: Pick<Policy, 'offers'>): number[] =>
  offers.flatMap(({ all }) => all.flatMap((condition) => (condition.kind === 'tip' ? [condition.minCents] : [])));

/** What a link costs at most ways of paying for it, in cents: one price, whatever it shows. */
export const pricesOf = ({ offers }: Pick<Policy, 'offers'>): number[] =>
  offers.flatMap(({ all }) => all.flatMap((condition) => (condition.kind === 'pay' ? [condition.priceCents] : [])));

/** The tiers whose subscribers a link opens for; empty for any of them, undefined for a link that does not ask. */
export function tiersOf({ offers }: Pick<Policy, 'offers'>): readonly string[] | undefined {
  for (const { all } of offers) for (const condition of all) if (condition.kind === 'fan_sub') return condition.tierIds;
  return undefined;
}

/** The tiers that each of a link's offers asks for, one entry for each offer that asks for a subscription. */
export const allTiersOf = ({ offers }: Pick<Policy, 'offers'>): (readonly string[])[] =>
  offers.flatMap(({ all }) => all.flatMap((condition) => (condition.kind === 'fan_sub' ? [condition.tierIds] : [])));

/** Returns whether a link asks for money. */
export const isForSale = (policy: Pick<Policy, 'offers'>): boolean =>
  tipsOf(policy).length > 0 || pricesOf(policy).length > 0 || tiersOf(policy) !== undefined;

/** The first thing in a link's rules that cannot be, as its field and a sentence. */
export function findRuleFault(policy: Policy): { field: string; sentence: string } | undefined {
  const fault = findOfferFault(policy);
  if (fault !== undefined) return { field: 'rules.offers', sentence: fault };
  if (tipsOf(policy).some((cents) => cents > mostTipCents))
    return { field: 'rules.offers', sentence: describeRange(leastCents, mostTipCents) };
  return undefined;
}

/** Between which amounts one is to be chosen. */
export const describeRange = (leastCents: number, mostCents: number): string =>
  `Choose between ${formatPrice(leastCents)} and ${formatPrice(mostCents)}.`;

/** Why a window of time makes no sense, as its field and a sentence. */
export function findTimeFault(
  { notBefore }: Pick<Policy, 'notBefore'>,
  expiresAt: Date | null,
  now: Date,
): { field: string; sentence: string } | undefined {
  if (expiresAt === null) return undefined;
  if (expiresAt <= now) return { field: 'expiry', sentence: 'Choose an end date in the future.' };
  if (notBefore !== undefined && Date.parse(notBefore) >= expiresAt.getTime())
    return { field: 'rules.notBefore', sentence: 'It must open before it ends.' };
  return undefined;
}

/** Returns whether every offer asks for the creator's yes, as a protected album wishes. */
export const asksFirst = ({ offers }: Policy): boolean =>
  offers.every(({ all }) => all.some(({ kind }) => kind === 'approval'));

/** Whether every offer asks for money, as an album with a price wishes. */
export const asksMoney = ({ offers }: Policy): boolean =>
  offers.every(({ all }) => all.some(({ kind }) => kind === 'pay' || kind === 'fan_sub'));

/** A name as the readable beginning of an address: "Mía & Bob" becomes "mia-bob"; empty when nothing is left of it. */
export function slugWord(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
}

/** Random characters behind a readable word: 10 of base62 hold 59 bits, and a network that tries slugs out is slowed. */
export const vanityRandomLength = 10;

/** A link of words alone could be guessed, so the random part always stays. */
export const composeSlug = (word: string, random: string): string =>
  word === '' ? random : `${word}-${random.slice(0, vanityRandomLength)}`;

/** A ready-made set of rules. */
export interface Preset {
  id: 'look' | 'pay' | 'day' | 'one' | 'query';
  label: string;
  /** Offers are left out where a preset takes none away and names no price. */
  rules: Partial<Policy>;
}

/** The price that *Pay to open* begins with, in cents; it is a word of the sentence, to be changed. */
const firstPriceCents = 1000;

/** What one tap in the link sheet chooses. */
export const presets: readonly Preset[] = [
  { id: 'look', label: 'Just look', rules: { offers: offersOf({}) } },
  { id: 'pay', label: 'Pay to open', rules: { offers: offersOf({ priceCents: firstPriceCents }) } },
  { id: 'day', label: '24 hours only', rules: { openForMs: dayMs } },
  { id: 'one', label: 'One person only', rules: { bindFirstViewer: true } },
  { id: 'query', label: 'Ask me first', rules: { offers: offersOf({ approval: 'first' }) } },
];

/** Which preset a set of rules is, as far as presets speak: of time, of people and of what is asked for. */
export function presetOf({
  openForMs,
  bindFirstViewer = false,
  maxViewers,
  viewBudgetMs,
  offers,
}: Policy): Preset['id'] | undefined {
  if (maxViewers !== undefined || viewBudgetMs !== undefined) return undefined;
  if (openForMs !== undefined) return openForMs === dayMs && !bindFirstViewer ? 'day' : undefined;
  if (bindFirstViewer) return 'one';
  const kinds = offers.flatMap(({ all }) => all.map(({ kind }) => kind));
  if (kinds.every((kind) => kind === 'free')) return 'look';
  if (kinds.length !== 1) return undefined;
  return kinds[0] === 'approval' ? 'query' : kinds[0] === 'pay' ? 'pay' : undefined;
}
