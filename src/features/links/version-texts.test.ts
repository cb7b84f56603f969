import { describe, expect, it } from 'vitest';
import { offersOf } from './offers/offer-rules.ts';
import { Policy } from './policy.ts';
import { describeVersion, nameAuthor } from './version-texts.ts';
import type { LinkVersion } from './versions-contract.ts';

const now = new Date('2026-11-21T12:00:00Z');
const place = { locale: 'en-GB', timeZone: 'UTC' };
const december = new Date('2026-12-20T12:00:00Z');

type Rules = Partial<Policy> & { ends?: Date | null };
const sideOf = ({ ends = december, ...rules }: Rules) => ({ policy: Policy.parse(rules), expiresAt: ends });
const versionOf = (before: Rules | null, after: Rules, hasNewPassword = false): LinkVersion => ({
  version: 2,
  at: now,
  by: 'creator',
  hasNewPassword,
  before: before && sideOf(before),
  ...sideOf(after),
});
const tell = (before: Rules | null, after: Rules, hasNewPassword = false) =>
  describeVersion(versionOf(before, after, hasNewPassword), now, place);

describe('a version of rules', () => {
  it('says what each change was, from and to', () => {
    const price = (priceCents?: number) => ({ offers: offersOf({ priceCents }) });
    expect(tell(price(1000), price(1500))).toEqual(['Price $10 → $15']);
    expect(tell(price(), { offers: offersOf({ priceCents: 1000, tipCents: 500 }) })).toEqual([
      'Price free → $10 or $5 tip',
    ]);
    expect(tell({}, { ends: null })).toEqual(['Ends 20 Dec → never']);
    expect(tell({ ends: null }, { ends: new Date('2027-01-02T12:00:00Z') })).toEqual(['Ends never → 2 Jan 2027']);
    expect(tell({}, { openForMs: 86_400_000 })).toEqual(['Viewing time any time → 24 hours after first opening']);
    expect(tell({}, { bindFirstViewer: true, ageGate: false })).toEqual([
      'Open to anyone who has it → one person',
      'Age adults only → any age',
    ]);
    expect(tell({}, { desktopAllowed: false })).toEqual(['Phones and tablets only']);
    expect(tell({ desktopAllowed: false }, {})).toEqual(['Computers allowed']);
    expect(tell({ maxVisits: 3 }, {})).toEqual(['Visits 3 → any number']);
    expect(tell({}, { maxConcurrent: 1 })).toEqual(['Screens at once 2 → 1']);
    expect(tell({}, { mark: 'off', blurWhenUnfocused: false, holdToView: true })).toEqual([
      'Visible mark same as album → invisible only',
      'Blur when out of focus on → off',
      'Hold to view off → on',
    ]);
    expect(tell({}, { notBefore: '2026-12-01T09:30:00Z' })).toEqual(['Opens at once → 1 Dec, 09:30']);
  });
  it('tells two ends of one day apart by their minute', () => {
    expect(tell({}, { ends: new Date('2026-12-20T18:30:00Z') })).toEqual(['Ends 20 Dec, 12:00 → 20 Dec, 18:30']);
  });
  it('says of one rule that stands in two fields one sentence', () => {
    expect(tell({ openForMs: 86_400_000 }, { viewBudgetMs: 600_000 })).toEqual([
      'Viewing time 24 hours after first opening → 10 minutes in total',
    ]);
    expect(tell({ bindFirstViewer: true }, { maxViewers: 3 })).toEqual(['Open to one person → 3 people']);
  });
  it('tells a password that was set, changed and removed apart', () => {
    expect(tell({}, { password: true }, true)).toEqual(['Password set']);
    expect(tell({ password: true }, { password: true, maxVisits: 2 }, true)).toEqual([
      'Visits any number → 2',
      'Password changed',
    ]);
    expect(tell({ password: true }, {})).toEqual(['Password removed']);
  });
  it('names countries, up to three of them, and what becomes of an unknown one', () => {
    const geo = (countries: string[], more: object = {}) => ({
      geo: { mode: 'allow' as const, whenUnknown: 'deny' as const, countries, ...more },
    });
    expect(tell({}, geo(['DE', 'FR']))).toEqual(['Countries everywhere → only Germany, France']);
    expect(tell(geo(['DE']), geo(['DE', 'FR', 'IT', 'ES', 'PT'], { mode: 'block' }))).toEqual([
      'Countries only Germany → all but Germany, France, Italy and 2 more',
    ]);
    expect(tell(geo(['DE'], { whenUnknown: 'allow' }), geo(['DE']))).toEqual(['An unknown country is kept out']);
    expect(tell(geo(['DE']), geo(['DE'], { whenUnknown: 'allow' }))).toEqual(['An unknown country is let in']);
    expect(tell(geo(['DE', 'FR', 'IT', 'ES']), geo(['DE', 'FR', 'IT', 'US']))).toEqual(['Countries changed']);
  });
  it('says that an address and an agreement are asked, changed and no longer asked', () => {
    const email = (...allow: string[]) => ({ email: { verify: true as const, allow } });
    expect(tell({}, email())).toEqual(['Email address asked']);
    expect(tell(email(), email('@example.com'))).toEqual(['Email list changed']);
    expect(tell(email(), {})).toEqual(['Email address no longer asked']);
    const [one, other] = ['0197b5e0-0000-7000-8000-000000000001', '0197b5e0-0000-7000-8000-000000000002'];
    expect(tell({}, { agreementId: one })).toEqual(['Agreement asked']);
    expect(tell({ agreementId: one }, { agreementId: other })).toEqual(['Agreement changed']);
    expect(tell({ agreementId: one }, {})).toEqual(['Agreement removed']);
  });
  it('says of the first one the rules that the link began with', () => {
    expect(tell(null, { bindFirstViewer: true })).toEqual(['Link created: free · one person · until 20 Dec']);
  });
  it('says who made it', () => {
    expect((['creator', 'automatic', 'operator'] as const).map((by) => nameAuthor({ by }))).toEqual([
      'you',
      'automatic',
      'support',
    ]);
  });
});
