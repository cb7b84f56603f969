import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Policy } from './policy.ts';
import {
  badgeOf,
  canUndo,
  composeSlug,
  expiresAtOf,
  findRuleFault,
  findTimeFault,
  isNamedAfter,
  presetOf,
  presets,
  type StateFacts,
  screenAliveMs,
  secondStateOf,
  slugWord,
} from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const day = 86_400_000;

describe('the badge', () => {
  it.each([
    [true, null, 'revoked'],
    [true, at(-1), 'revoked'],
    [false, at(-1), 'expired'],
    [false, at(0), 'expired'],
    [false, at(1), 'active'],
    [false, null, 'active'],
  ] as const)('revoked %s, ends %s: %s', (isRevoked, expiresAt, badge) => {
    expect(badgeOf({ isRevoked, expiresAt }, now)).toBe(badge);
  });
});

describe('a revocation', () => {
  it.each([
    [true, at(1), true],
    [true, at(0), false],
    [true, at(-1), false],
    [true, null, false],
    [false, at(1), false],
    [false, null, false],
  ] as const)('revoked %s, to be undone until %s: %s', (isRevoked, undoUntil, is) => {
    expect(canUndo({ isRevoked, undoUntil }, now)).toBe(is);
  });
});

describe('a screen', () => {
  it('counts as alive while one renewal in two gets through, and ten seconds more', () => {
    expect(screenAliveMs(15_000)).toBe(40_000);
  });
});

describe('a link for somebody', () => {
  it.each([
    ['Lena', true],
    ['Lena, WhatsApp', true],
    ['Lena 2', true],
    ['Lenas birthday', false],
    ['For Lena', false],
    ['Holiday', false],
  ])('of the name %s is named after Lena: %s', (linkName, is) => {
    expect(isNamedAfter(linkName, 'Lena')).toBe(is);
  });
});

describe('a window of time', () => {
  it.each([
    [-1, undefined, 'expiry'],
    [0, undefined, 'expiry'],
    [1, undefined, undefined],
    [day, at(day - 1), undefined],
    [day, at(day), 'rules.notBefore'],
    [day, at(day + 1), 'rules.notBefore'],
  ] as const)('that ends in %s ms and opens at %s: %s', (endsInMs, notBefore, field) => {
    expect(findTimeFault({ notBefore: notBefore?.toISOString() }, at(endsInMs), now)?.field).toBe(field);
  });
  it('without an end may open whenever it likes', () => {
    expect(findTimeFault({ notBefore: at(day).toISOString() }, null, now)).toBeUndefined();
  });
});

describe('the second line', () => {
  const link: StateFacts = {
    isRevoked: false,
    expiresAt: at(day),
    policy: {},
    uniqueViewers: 0,
    isTakenDown: false,
    isAlbumReady: true,
    consentGap: null,
  };
  it('says nothing about a link with which all is well', () => {
    expect(secondStateOf(link, now)).toBeUndefined();
  });
  it('says what the badge does not: removed, paused, not yet open, full', () => {
    expect(secondStateOf({ ...link, isTakenDown: true, isRevoked: true }, now)).toEqual({ kind: 'removed' });
    expect(secondStateOf({ ...link, isAlbumReady: false }, now)).toEqual({ kind: 'paused' });
    expect(secondStateOf({ ...link, isAlbumReady: false, consentGap: 'withdrawn' }, now)).toEqual({
      kind: 'consent',
      gap: 'withdrawn',
    });
    const opens = { ...link, policy: { notBefore: at(1).toISOString() } };
    expect(secondStateOf(opens, now)).toEqual({ kind: 'opens', at: at(1) });
    expect(secondStateOf(opens, at(1))).toBeUndefined();
    expect(secondStateOf({ ...link, policy: { maxViewers: 3 }, uniqueViewers: 3 }, now)).toEqual({
      kind: 'full',
      people: 3,
    });
    expect(secondStateOf({ ...link, policy: { maxViewers: 3 }, uniqueViewers: 2 }, now)).toBeUndefined();
    expect(secondStateOf({ ...link, policy: { maxViewers: 3, bindFirstViewer: true }, uniqueViewers: 1 }, now)).toEqual(
      {
        kind: 'full',
        people: 1,
      },
    );
  });
  it('leaves an ended link alone', () => {
    expect(secondStateOf({ ...link, isAlbumReady: false, expiresAt: now }, now)).toBeUndefined();
    expect(secondStateOf({ ...link, isAlbumReady: false, isRevoked: true }, now)).toBeUndefined();
  });
});

describe('addresses', () => {
  it.each([
    ['For Bob', 'for-bob'],
    ['  Mía & Zoë!  ', 'mia-zoe'],
    ['---', ''],
    ['日本', ''],
    ['x'.repeat(60), 'x'.repeat(40)],
    ['-a--b-', 'a-b'],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ])('%s begins as %s', (name, word) => {
    expect(slugWord(name)).toBe(word);
  });
  it('are a word and ten random characters, or twenty-two of them', () => {
    expect(composeSlug('for-bob', '0123456789abcdefghijkl')).toBe('for-bob-0123456789');
    expect(composeSlug('', '0123456789abcdefghijkl')).toBe('0123456789abcdefghijkl');
  });
  it('never consist of words alone and always fit their column', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.stringMatching(/^[A-Za-z0-9]{22}$/), (name, random) => {
        const slug = composeSlug(slugWord(name), random);
        return /^([a-z0-9-]+-[A-Za-z0-9]{10}|[A-Za-z0-9]{22})$/.test(slug) && slug.length >= 12 && slug.length <= 80;
      }),
    );
  });
});

describe('ends', () => {
  it('are hours from now, a moment, or never', () => {
    expect(expiresAtOf({ kind: 'after', hours: 24 }, now)).toEqual(at(day));
    expect(expiresAtOf({ kind: 'at', at: at(5) }, now)).toEqual(at(5));
    expect(expiresAtOf({ kind: 'never' }, now)).toBeNull();
  });
});

describe('presets', () => {
  it('can all be offered, and are known again by their rules', () => {
    for (const { id, rules } of presets) {
      const policy = Policy.parse(rules);
      expect(findRuleFault(policy)).toBeUndefined();
      expect(presetOf(policy)).toBe(id);
    }
  });
  it('are none as soon as a limit of time or of people differs', () => {
    expect(presetOf(Policy.parse({ maxViewers: 2 }))).toBeUndefined();
    expect(presetOf(Policy.parse({ viewBudgetMs: 60_000 }))).toBeUndefined();
    expect(presetOf(Policy.parse({ openForMs: 2 * day }))).toBeUndefined();
    expect(presetOf(Policy.parse({ openForMs: day, bindFirstViewer: true }))).toBeUndefined();
  });
});
