import { describe, expect, it } from 'vitest';
import { Policy } from '../policy.ts';
import { describeOpeners, nameAllowed, nameCountries, nameEnd } from './gate-texts.ts';

const email = (...allow: string[]) => ({ verify: true, allow }) as const;
const geo = (mode: 'allow' | 'block', ...countries: string[]) => ({ mode, countries, whenUnknown: 'deny' }) as const;
const agreementId = '0199a5c0-0000-7000-8000-000000000001';

describe('the rules of a link in words', () => {
  it.each([
    [[], 'any address'],
    [['lena@example.com'], 'only lena@example.com'],
    [['@x.com'], 'anyone at @x.com'],
    [['a@x.com', 'b@x.com', 'c@x.com'], '3 addresses'],
    [['a@x.com', '@y.com'], '2 entries'],
  ])('%j are %s', (allow, words) => {
    expect(nameAllowed(email(...allow)).replaceAll(/[\u2066-\u2069]/g, '')).toBe(words);
  });

  it('names one country and counts the others', () => {
    expect(nameCountries(geo('allow', 'DE', 'FR', 'IT'), 'en')).toBe('only in Germany and 2 more');
    expect(nameCountries(geo('block', 'FR'), 'en')).toBe('not in France');
  });

  it('tells the time of an end today, where its reader is, and the day of every other', () => {
    const now = new Date('2026-12-20T10:00:00Z');
    const place = { locale: 'en-GB', timeZone: 'Europe/Berlin' };
    expect(nameEnd(new Date('2026-12-20T17:00:00Z'), now, place)).toBe('18:00');
    expect(nameEnd(new Date('2026-12-20T23:00:00Z'), now, place)).toBe('21 Dec');
    expect(nameEnd(new Date('2026-12-19T23:30:00Z'), now, place)).toBe('00:30');
  });
});

describe('who can open a link', () => {
  const pay = { offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 1500 }] }] };
  const payOrTip = { offers: [...pay.offers, { id: 'tip', all: [{ kind: 'tip', minCents: 1000 }] }] };
  const both = { offers: [{ id: 'both', all: [{ kind: 'approval' }, { kind: 'pay', priceCents: 1500 }] }] };
  const ask = { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] };
  it.each<[object, string]>([
    [{}, 'Anyone who gets this link and confirms they are 18 can open it.'],
    [{ ageGate: false }, 'Anyone who gets this link can open it.'],
    [{ ageGate: false, bindFirstViewer: true }, 'Only the first person who opens it.'],
    [{ bindFirstViewer: true }, 'Only the first person who gets this link and confirms they are 18 can open it.'],
    [{ maxViewers: 1, ageGate: false }, 'Only the first person who opens it.'],
    [
      { maxViewers: 3, password: true },
      'The first 3 people who get this link, know the password and confirm they are 18 can open it.',
    ],
    [
      { ageGate: false, email: email('lena@example.com') },
      'Anyone who gets this link and confirms lena@example.com can open it.',
    ],
    [
      { ageGate: false, email: email('@x.com') },
      'Anyone who gets this link and confirms an address at x.com can open it.',
    ],
    [
      { ageGate: false, email: email('a@x.com', 'b@x.com') },
      'Anyone who gets this link and confirms an address on your list can open it.',
    ],
    [
      { ageGate: false, email: email(), agreementId },
      'Anyone who gets this link, confirms an email address and agrees to your text can open it.',
    ],
    [{ ageGate: false, ...payOrTip }, 'Anyone who gets this link and pays $15 or tips $10 can open it.'],
    [{ ageGate: false, maxViewers: 2, ...pay }, 'The first 2 people who get this link and pay $15 can open it.'],
    [{ ageGate: false, ...both }, 'Anyone who gets this link and gets your yes and pays $15 can open it.'],
    [{ ageGate: false, ...ask }, 'Anyone who gets this link and gets your yes can open it.'],
    [
      { ageGate: false, bindFirstViewer: true, ...ask },
      'Only the first person who gets this link and gets your yes can open it.',
    ],
    [{ ageGate: false, geo: geo('block', 'FR') }, 'Anyone who gets this link can open it, not in France.'],
    [{ ageGate: false, desktopAllowed: false }, 'Anyone who gets this link can open it on a phone or tablet.'],
  ])('%j: %s', (rules, words) => {
    expect(describeOpeners(Policy.parse(rules), 'en').replaceAll(/[\u2066-\u2069]/g, '')).toBe(words);
  });
});
