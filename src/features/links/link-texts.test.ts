import { describe, expect, it } from 'vitest';
import type { MagicLink } from './contract.ts';
import {
  describeDark,
  describeRule,
  describeSecondState,
  describeStory,
  describeTerms,
  describeWhat,
  followRecipient,
  nameAlbums,
  nameAudience,
  nameLink,
  nameRecipient,
  suggestName,
} from './link-texts.ts';
import { Policy } from './policy.ts';

const now = new Date('2026-11-21T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const place = { locale: 'en-GB', timeZone: 'UTC' };
const hour = 3_600_000;
const day = 24 * hour;

const link = (more: Partial<MagicLink> = {}, rules: Partial<Policy> = {}): MagicLink => ({
  id: '0199a5c0-0000-7000-8000-000000000001',
  linkName: '',
  recipientName: null,
  recipientChannel: null,
  note: '',
  welcomeText: '',
  slug: 'x'.repeat(22),
  url: '',
  albums: [{ id: '0199a5c0-0000-7000-8000-000000000002', name: 'Golden hour' }],
  policy: Policy.parse(rules),
  policyVersion: 1,
  expiresAt: at(29 * day),
  createdAt: at(-2 * day),
  isRevoked: false,
  revokedAt: null,
  undoUntil: null,
  isTakenDown: false,
  isAlbumReady: true,
  consentGap: null,
  notify: 'first',
  viewsCount: 0,
  uniqueViewers: 0,
  watchMs: 0,
  earnedCents: 0,
  firstOpenedAt: null,
  lastOpenedAt: null,
  isLookingNow: false,
  dark: null,
  lastVisit: null,
  ...more,
});
const visit = {
  startedAt: at(-2 * hour),
  endedAt: null,
  endReason: null,
  country: 'DE',
  isCountryEstimated: false,
  device: 'iPhone',
};

describe('names', () => {
  it('say what is missing where nothing was said', () => {
    expect(nameLink(link())).toBe('Untitled Link');
    expect(nameRecipient(link())).toBe('No recipient');
    expect(nameRecipient(link({ recipientName: 'Bob' }))).toBe('For Bob');
  });
  it('of a new link come from the person and the way', () => {
    expect(suggestName('Lena', 'whatsapp')).toBe('Lena, WhatsApp');
    expect(suggestName('K.', null)).toBe('K.');
    expect(suggestName('', 'sms')).toBe('');
  });
  it('of several albums are their number', () => {
    expect(nameAlbums(link().albums)).toBe('Golden hour');
    expect(nameAlbums([{ name: 'a' }, { name: 'b' }])).toBe('2 albums');
  });
});

describe('the rule in one line', () => {
  it.each<[Partial<Policy>, Partial<MagicLink>, string]>([
    [{}, {}, 'free · until 20 Dec'],
    [{ openForMs: day }, {}, 'free · 24 h after first opening · until 20 Dec'],
    [
      { openForMs: 3 * day, bindFirstViewer: true },
      { expiresAt: null },
      'free · 3 days after first opening · one person · no end',
    ],
    [
      { viewBudgetMs: 600_000, maxViewers: 3, password: true },
      {},
      'free · 10 min of viewing time · 3 people · password · until 20 Dec',
    ],
    [{ ageGate: false, password: true }, {}, 'free · any age · password · until 20 Dec'],
    [{ desktopAllowed: false }, {}, 'free · phones and tablets only · until 20 Dec'],
    [{ maxVisits: 1 }, { expiresAt: at(-day) }, 'free · 1 visit · ended 20 Nov'],
    [{}, { expiresAt: at(6 * hour) }, 'free · until 18:00'],
    [
      {
        email: { verify: true, allow: ['@team.example', 'bob@x.com'] },
        agreementId: '0199a5c0-0000-7000-8000-000000000003',
      },
      { expiresAt: null },
      'free · 2 entries · agreement · no end',
    ],
    [
      {
        geo: { mode: 'allow', countries: ['DE', 'FR', 'IT'], whenUnknown: 'deny' },
        maxConcurrent: 1,
        notBefore: '2026-11-22T18:00:00Z',
      },
      { expiresAt: null },
      'free · only in Germany and 2 more · 1 screen at a time · from 22 Nov, 18:00 · no end',
    ],
  ])('%j %j: %s', (rules, more, words) => {
    expect(describeRule(link(more, rules), now, place)).toBe(words);
  });
  it('names the crowd', () => {
    expect(nameAudience(Policy.parse({}))).toBe('anyone who has it');
    expect(nameAudience(Policy.parse({ maxViewers: 1 }))).toBe('one person');
  });
});

describe('the quiet line of a row', () => {
  const named = { linkName: 'Bob, WhatsApp', recipientName: 'Bob' };
  it('says whom it is for where the name does not', () => {
    expect(describeTerms(link(named), now, undefined, place)).toBe('Golden hour · free · until 20 Dec');
    expect(describeTerms(link({ ...named, linkName: 'Beach' }), now, undefined, place)).toBe(
      'For Bob · Golden hour · free · until 20 Dec',
    );
  });
  it('tells links without a name apart by their addresses', () => {
    const sent = { slug: '0123456789abcdefgh8kQz' };
    expect(describeTerms(link(sent), now, undefined, place)).toBe(
      'No recipient · address ends in 8kQz · Golden hour · free · until 20 Dec',
    );
    expect(describeWhat(link(sent))).toBe('No recipient · address ends in 8kQz · Golden hour');
    expect(describeWhat(link(named))).toBe('Golden hour');
  });
  it('leaves out the album in whose list it stands, unless it shows others too', () => {
    const [album = { id: '', name: '' }] = link().albums;
    expect(describeTerms(link(named), now, album.id, place)).toBe('free · until 20 Dec');
    const bundle = link({ ...named, albums: [album, { id: '0199a5c0-0000-7000-8000-000000000003', name: 'Sea' }] });
    expect(describeTerms(bundle, now, album.id, place)).toBe('2 albums · free · until 20 Dec');
  });
});

describe('the story of a row', () => {
  it('begins before anybody came', () => {
    expect(describeStory(link(), now, place)).toBe('Not opened yet · created 2d ago');
  });
  it('says how often, when, where, on what and how long', () => {
    const opened = { viewsCount: 3, lastOpenedAt: at(-2 * hour), watchMs: 252_000, lastVisit: visit };
    expect(describeStory(link(opened), now, place)).toBe('Opened 3× · last 2h ago · Germany · iPhone · 4 min 12 s');
    expect(describeStory(link({ ...opened, viewsCount: 3658 }), now, place)).toMatch(/^Opened 3,658× · last/);
    expect(describeStory(link({ ...opened, isLookingNow: true }), now, place)).toBe(
      'Opened 3× · Germany · iPhone · 4 min 12 s',
    );
  });
  it('never makes a place up', () => {
    const opened = { lastOpenedAt: now, lastVisit: { ...visit, country: null, device: null } };
    expect(describeStory(link(opened), now, place)).toBe('Opened, not viewed · last just now · location unknown');
    const guessed = {
      lastOpenedAt: now,
      viewsCount: 1,
      lastVisit: { ...visit, isCountryEstimated: true, device: null },
    };
    expect(describeStory(link(guessed), now, place)).toBe('Opened 1× · last just now · Germany (estimated)');
  });
  it('says why an opening is no view, as long as visits are kept', () => {
    expect(describeStory(link({ lastOpenedAt: now }), now, place)).toBe('Opened by a bot, not counted · last just now');
    expect(describeStory(link({ lastOpenedAt: at(-366 * day) }), now, place)).toMatch(
      /^Opened, not counted · last 20 Nov/,
    );
  });
  it('has a second line for what the badge does not say', () => {
    expect(describeSecondState(link(), now, place)).toBeUndefined();
    expect(describeSecondState(link({ uniqueViewers: 3 }, { maxViewers: 3 }), now, place)).toBe('Full: 3 of 3 people');
    expect(describeSecondState(link({ uniqueViewers: 1 }, { bindFirstViewer: true }), now, place)).toBe(
      'Full: 1 of 1 person',
    );
    expect(describeSecondState(link({}, { notBefore: at(3 * day).toISOString() }), now, place)).toBe('Opens 24 Nov');
    expect(describeSecondState(link({ isAlbumReady: false }), now, place)).toBe('Paused');
    expect(describeSecondState(link({ consentGap: 'missing' }), now, place)).toBe('Waiting for consent');
    expect(describeSecondState(link({ isTakenDown: true }), now, place)).toBe('Removed');
  });
});

describe('after a revocation', () => {
  it('tells only what was measured', () => {
    const revoked = { isRevoked: true, revokedAt: now };
    expect(describeDark(link(revoked))).toBeUndefined();
    expect(describeDark(link({ ...revoked, dark: { screens: 1, at: at(430) } }))).toBe(
      'The open screen closed 0.4 s later.',
    );
    expect(describeDark(link({ ...revoked, dark: { screens: 3, at: at(1430) } }))).toBe(
      '3 open screens closed within 1.4 s.',
    );
  });
});

describe('a link whose person is named after it was made', () => {
  const unnamed = { linkName: '', recipientName: null, recipientChannel: null };
  it('takes the name that it would have begun with', () => {
    expect(followRecipient(unnamed, { recipientName: 'Lena' })).toBe('Lena');
    const lena = { ...unnamed, linkName: 'Lena', recipientName: 'Lena' };
    expect(followRecipient(lena, { recipientChannel: 'whatsapp' })).toBe('Lena, WhatsApp');
    expect(followRecipient(lena, { recipientName: null })).toBe('');
  });
  it('keeps a name that somebody chose', () => {
    expect(followRecipient({ ...unnamed, linkName: 'Summer' }, { recipientName: 'Lena' })).toBeUndefined();
  });
});
