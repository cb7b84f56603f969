import { describe, expect, it } from 'vitest';
import { factsOf, hour, iso, linkOf, now, offer, policyOf, purchase } from '#tests/support/decisions.ts';
import type { Reason } from './contract.ts';
import { isEmailAllowed } from './policy.ts';
import { areAlbumsReady, decide, type Facts, type GrantFact, type LinkRules } from './rules.ts';

const pay = offer('pay', { kind: 'pay', priceCents: 1000 });
const ask = offer('ask', { kind: 'approval' });

/** The reason, or OK. */
const reasonOf = (link: LinkRules | undefined, facts: Facts): Reason | 'OK' => {
  const decision = decide(link, facts);
  return decision.ok ? 'OK' : decision.reason;
};
const untilOf = (link: LinkRules, facts: Facts) => {
  const decision = decide(link, facts);
  return decision.ok ? decision.until : undefined;
};

describe('the order of the reasons', () => {
  /** Everything is wrong at once; each step mends what was told, and the next reason of the table appears. */
  const wrong: LinkRules = {
    albumIds: ['a'],
    revokedAt: now - 1,
    expiresAt: now,
    policy: policyOf({
      notBefore: iso(now + 1),
      geo: { mode: 'allow', countries: ['DE'], whenUnknown: 'deny' },
      ageGate: true,
      password: true,
      email: { verify: true, allow: ['@x.com'] },
      agreementId: '0199a5c0-0000-7000-8000-000000000001',
      bindFirstViewer: true,
      maxVisits: 1,
      openForMs: hour,
      viewBudgetMs: hour,
      maxConcurrent: 1,
      offers: [ask],
    }),
  };
  const facts = factsOf({
    takenDown: true,
    viewerBlocked: true,
    creatorPaused: true,
    albumReady: false,
    viewersKnown: 1,
    visits: 1,
    firstLookAt: now - hour,
    watchedMs: hour,
    concurrent: 1,
    isProgram: true,
    payback: 'disputed',
  });
  const steps: [Reason | 'OK', () => void][] = [
    ['TAKEN_DOWN', () => (facts.takenDown = false)],
    ['VIEWER_BLOCKED', () => (facts.viewerBlocked = false)],
    ['REVOKED', () => delete wrong.revokedAt],
    ['ON_HOLD', () => (facts.payback = 'charged_back')],
    ['PAYMENT_RETURNED', () => delete facts.payback],
    ['CREATOR_PAUSED', () => (facts.creatorPaused = false)],
    ['ALBUM_UNAVAILABLE', () => (facts.albumReady = true)],
    ['NOT_YET', () => (wrong.policy.notBefore = iso(now))],
    ['EXPIRED', () => (wrong.expiresAt = now + 1)],
    ['GEO_BLOCKED', () => (facts.country = 'DE')],
    ['NEED_AGE', () => (facts.passed.age = true)],
    ['NEED_PASSWORD', () => (facts.passed.password = true)],
    ['NEED_EMAIL', () => (facts.passed.email = 'eve@xx.com')],
    ['EMAIL_NOT_ALLOWED', () => (facts.passed.email = 'Bob@X.com')],
    ['NEED_AGREEMENT', () => (facts.passed.agreementId = wrong.policy.agreementId)],
    ['VIEWERS_FULL', () => (facts.isKnownViewer = true)],
    ['NEED_BROWSER', () => (facts.isProgram = false)],
    ['NEED_APPROVAL', () => (facts.request = 'pending')],
    ['APPROVAL_PENDING', () => (facts.request = 'denied')],
    ['APPROVAL_DENIED', () => (wrong.policy.offers = [pay])],
    ['NEED_OFFER', () => (wrong.policy.offers = [offer('free', { kind: 'free' })])],
    ['VISITS_USED', () => (facts.visits = 0)],
    ['TIMED_OUT', () => (facts.firstLookAt = now - hour + 1)],
    ['TIME_USED', () => (facts.watchedMs = hour - 1)],
    ['CONCURRENT', () => (facts.concurrent = 0)],
    ['OK', () => undefined],
  ];

  it('tells NOT_FOUND for a link that is not there, whatever else is wrong', () => {
    expect(reasonOf(undefined, facts)).toBe('NOT_FOUND');
  });
  for (const [reason, mend] of steps)
    it(`tells ${reason} when everything before it is right`, () => {
      expect(reasonOf(wrong, facts)).toBe(reason);
      mend();
    });
});

describe('a right that is used up', () => {
  const stranger = factsOf({ keepsCookie: false });
  const limits = { bindFirstViewer: true, maxViewers: 3, maxVisits: 1 } as const;

  it('is given to a browser that brings its cookie, before anything else is asked of it', () => {
    for (const [rule, limit] of Object.entries(limits)) {
      const link = linkOf({ [rule]: limit, ageGate: true, password: true });
      expect([rule, reasonOf(link, stranger)]).toEqual([rule, 'NEED_COOKIE']);
      expect([rule, reasonOf(link, factsOf())]).toEqual([rule, 'NEED_AGE']);
    }
  });
  it('is asked of nobody where nothing is used up, nor of who holds it', () => {
    expect(reasonOf(linkOf({ openForMs: hour, viewBudgetMs: hour }), stranger)).toBe('OK');
    expect(reasonOf(linkOf(limits), { ...stranger, isKnownViewer: true, visits: 0 })).toBe('OK');
  });
  it('tells a browser without a cookie no more of a full link than it tells others', () => {
    expect(reasonOf(linkOf({ maxViewers: 1 }), { ...stranger, viewersKnown: 1 })).toBe('VIEWERS_FULL');
    const full = { ...stranger, viewersKnown: 1, isProgram: true };
    expect(reasonOf(linkOf({ bindFirstViewer: true }), full)).toBe('VIEWERS_FULL');
  });
  it('is no program’s where places are counted, not even of one that has a place', () => {
    const program = factsOf({ isProgram: true });
    expect(reasonOf(linkOf({ bindFirstViewer: true }), program)).toBe('NEED_BROWSER');
    expect(reasonOf(linkOf({ maxViewers: 5 }), { ...program, isKnownViewer: true, visitOpen: true })).toBe(
      'NEED_BROWSER',
    );
    expect(reasonOf(linkOf({ maxVisits: 1 }), program)).toBe('OK');
    expect(reasonOf(linkOf({ maxVisits: 1 }), { ...program, isKnownViewer: true, visits: 1 })).toBe('VISITS_USED');
  });
});

describe('what is bought', () => {
  it('is not locked out by a later change of offers; one album bought does not open a bundle', () => {
    const link = linkOf({ offers: [ask] }, { albumIds: ['a', 'b'] });
    expect(reasonOf(link, factsOf({ grants: [purchase()] }))).toBe('NEED_APPROVAL');
    const both = factsOf({ grants: [purchase(), purchase({ albumIds: ['b'], source: 'manual' })] });
    expect(decide(link, both)).toMatchObject({ ok: true, via: 'grant' });
  });
  it('keeps the gates and limits it was bought under; age, country, block and revoke are those of now', () => {
    const strict = linkOf({ password: true, maxVisits: 1, notBefore: iso(now + hour) });
    const bought = factsOf({ grants: [purchase()], visits: 5, boughtUnder: policyOf() });
    expect(reasonOf(strict, bought)).toBe('OK');
    expect(reasonOf(linkOf({ password: true, ageGate: true }), bought)).toBe('NEED_AGE');
    expect(reasonOf({ ...strict, revokedAt: now }, bought)).toBe('REVOKED');
    expect(reasonOf(strict, { ...bought, grants: [] })).toBe('NOT_YET');
  });
  it('outlives the expiry of the link and the lapse of its creator; what is given for nothing does not', () => {
    const link = linkOf({ offers: [pay] }, { expiresAt: now });
    expect(reasonOf(link, factsOf({ grants: [purchase()], creatorPaused: true }))).toBe('OK');
    expect(reasonOf(link, factsOf({ grants: [purchase({ source: 'manual' })] }))).toBe('EXPIRED');
    expect(reasonOf(linkOf(), factsOf({ grants: [purchase({ source: 'manual' })], creatorPaused: true }))).toBe(
      'CREATOR_PAUSED',
    );
  });
  it('ends when it is refunded or over', () => {
    const link = linkOf({ offers: [pay] });
    expect(reasonOf(link, factsOf({ grants: [purchase({ revokedAt: now - 1 })] }))).toBe('NEED_OFFER');
    expect(reasonOf(link, factsOf({ grants: [purchase({ expiresAt: now })] }))).toBe('NEED_OFFER');
    expect(untilOf(link, factsOf({ grants: [purchase({ expiresAt: now + 1 })] }))).toBe(now + 1);
  });
  it('stays through a lapse exactly as long as it is paid, even when something given lasts longer', () => {
    const both = [purchase({ expiresAt: now + hour }), purchase({ source: 'manual' })];
    expect(untilOf(linkOf(), factsOf({ grants: both, creatorPaused: true }))).toBe(now + hour);
    expect(untilOf(linkOf({}, { expiresAt: now + 1 }), factsOf({ grants: both }))).toBe(now + hour);
    expect(untilOf(linkOf(), factsOf({ grants: both }))).toBeUndefined();
  });
  it('is bought or given by hand: a tip, a pass or an approval is no grant by itself', () => {
    for (const source of ['tip', 'sub', 'fan_pass', 'approval'] as const)
      expect(reasonOf(linkOf({ offers: [pay] }), factsOf({ grants: [purchase({ source })] }))).toBe('NEED_OFFER');
    const denied = factsOf({ request: 'denied', grants: [purchase({ source: 'approval' })] });
    expect(reasonOf(linkOf({ offers: [ask] }), denied)).toBe('APPROVAL_DENIED');
  });
  it('counts a tip of the asked size on this link, and it outlives expiry too', () => {
    const link = linkOf({ offers: [offer('tip', { kind: 'tip', minCents: 500 })] }, { expiresAt: now });
    expect(reasonOf(link, factsOf({ tips: [499] }))).toBe('EXPIRED');
    expect(decide(link, factsOf({ tips: [500], creatorPaused: true }))).toEqual({ ok: true, via: 'tip' });
  });
  it('lets a paying fan stay through a lapse, until the end of the period, with the albums of the tier', () => {
    const link = linkOf({ offers: [offer('fans', { kind: 'fan_sub', tierIds: [] })] });
    const fan = { tierId: 't', albumIds: ['a'], endsAt: now + hour };
    expect(decide(link, factsOf({ fanSubs: [fan], creatorPaused: true }))).toEqual({
      ok: true,
      via: 'fans',
      until: now + hour,
    });
    expect(reasonOf(link, factsOf({ fanSubs: [{ ...fan, albumIds: ['b'] }] }))).toBe('NEED_OFFER');
    expect(reasonOf(link, factsOf({ fanSubs: [{ ...fan, endsAt: now }] }))).toBe('NEED_OFFER');
    const other = linkOf({
      offers: [offer('fans', { kind: 'fan_sub', tierIds: ['0199a5c0-0000-7000-8000-000000000002'] })],
    });
    expect(reasonOf(other, factsOf({ fanSubs: [{ ...fan, albumIds: 'all' }] }))).toBe('NEED_OFFER');
  });
  it('asks for every condition inside an offer and any offer of the list', () => {
    const link = linkOf({ offers: [pay, offer('both', { kind: 'tip', minCents: 500 }, { kind: 'approval' })] });
    expect(reasonOf(link, factsOf({ tips: [500] }))).toBe('NEED_OFFER');
    const yes: GrantFact = { albumIds: ['a'], source: 'approval', expiresAt: now + hour };
    expect(decide(link, factsOf({ tips: [500], request: 'approved', grants: [yes] }))).toMatchObject({
      via: 'both',
      until: now + hour,
    });
    const ended = factsOf({ request: 'approved', grants: [{ ...yes, expiresAt: now }] });
    expect(reasonOf(linkOf({ offers: [ask] }), ended)).toBe('NEED_APPROVAL');
  });
});

describe('instants', () => {
  it('is dead at its very instant, not one millisecond before or after', () => {
    for (const [t, reason] of [
      [-1, 'OK'],
      [0, 'EXPIRED'],
      [1, 'EXPIRED'],
    ] as const)
      expect(reasonOf(linkOf({}, { expiresAt: now }), factsOf({ now: now + t }))).toBe(reason);
  });
  it('opens at its very instant', () => {
    expect(reasonOf(linkOf({ notBefore: iso(now) }), factsOf({ now: now - 1 }))).toBe('NOT_YET');
    expect(reasonOf(linkOf({ notBefore: iso(now) }), factsOf())).toBe('OK');
  });
  it('counts the open time from the first look, and from now before the first look', () => {
    expect(untilOf(linkOf({ openForMs: 24 * hour }), factsOf())).toBe(now + 24 * hour);
    const first = now - 23 * hour;
    expect(untilOf(linkOf({ openForMs: 24 * hour }), factsOf({ firstLookAt: first }))).toBe(now + hour);
    expect(reasonOf(linkOf({ openForMs: 24 * hour }), factsOf({ firstLookAt: now - 24 * hour }))).toBe('TIMED_OUT');
  });
  it('never strikes a visit that is open, except by its end', () => {
    const link = linkOf({ maxVisits: 1, maxConcurrent: 1, openForMs: hour });
    const open = factsOf({ visits: 1, concurrent: 1, visitOpen: true, isKnownViewer: true, firstLookAt: now });
    expect(reasonOf(link, open)).toBe('OK');
    expect(reasonOf(link, { ...open, visitOpen: false })).toBe('VISITS_USED');
    expect(reasonOf(link, { ...open, now: now + hour })).toBe('TIMED_OUT');
  });
});

describe('a link for phones and tablets', () => {
  const link = linkOf({ desktopAllowed: false, ageGate: true });
  it('is closed to a computer before anything is asked, and open to a phone', () => {
    expect(reasonOf(link, factsOf({ isDesktop: true }))).toBe('NEED_PHONE');
    expect(reasonOf(link, factsOf({ isDesktop: false }))).toBe('NEED_AGE');
    expect(reasonOf(linkOf(), factsOf({ isDesktop: true }))).toBe('OK');
  });
  it('stays open on the computer of somebody who bought before it became one', () => {
    const passed = { age: true, password: false };
    const bought = factsOf({ isDesktop: true, passed, grants: [purchase()], boughtUnder: policyOf() });
    expect(reasonOf(link, bought)).toBe('OK');
    expect(reasonOf(link, { ...bought, boughtUnder: policyOf({ desktopAllowed: false }) })).toBe('NEED_PHONE');
  });
});

describe('country and e-mail', () => {
  it.each([
    ['allow', ['DE'], 'deny', undefined, 'GEO_BLOCKED'],
    ['allow', ['DE'], 'allow', undefined, 'OK'],
    ['allow', ['DE'], 'allow', 'FR', 'GEO_BLOCKED'],
    ['block', ['DE'], 'allow', 'DE', 'GEO_BLOCKED'],
    ['block', ['DE'], 'deny', 'FR', 'OK'],
    ['block', ['DE'], 'deny', undefined, 'GEO_BLOCKED'],
  ] as const)('%s %j, unknown %s, from %s: %s', (mode, countries, whenUnknown, country, reason) => {
    expect(reasonOf(linkOf({ geo: { mode, countries: [...countries], whenUnknown } }), factsOf({ country }))).toBe(
      reason,
    );
  });
  it.each([
    [['@x.com'], 'bob@x.com', true],
    [['@x.com'], 'BOB@X.COM ', true],
    [['@x.com'], 'eve@xx.com', false],
    [['@x.com'], 'eve@x.com.evil.org', false],
    [['@x.com'], 'eve@sub.x.com', false],
    [['@x.com'], '"@x.com"@evil.org', false],
    [['bob@x.com'], 'notbob@x.com', false],
    [['x.com'], 'bob@x.com', false],
    [['Bob@Y.com'], 'bob@y.com', true],
    [[], 'anyone@anywhere.org', true],
    [[''], 'bob@x.com', false],
  ])('list %j lets %s in: %s', (allow, email, isAllowed) => {
    expect(isEmailAllowed(allow, email)).toBe(isAllowed);
  });
});

describe('albums', () => {
  it('must all be ready; an archived one opens for its buyers', () => {
    const albums = [
      { albumId: 'a', state: 'ready' },
      { albumId: 'b', state: 'archived' },
    ];
    expect(areAlbumsReady(albums, [], now)).toBe(false);
    expect(areAlbumsReady(albums, [purchase({ albumIds: ['b'] })], now)).toBe(true);
    expect(areAlbumsReady(albums, [purchase({ albumIds: ['b'], source: 'manual' })], now)).toBe(false);
    expect(areAlbumsReady(albums, [purchase({ albumIds: ['b'], expiresAt: now })], now)).toBe(false);
    for (const state of ['draft', 'locked', 'deleting'])
      expect(areAlbumsReady([{ albumId: 'b', state }], [purchase({ albumIds: ['b'] })], now)).toBe(false);
    expect(areAlbumsReady([], [], now)).toBe(false);
  });
});
