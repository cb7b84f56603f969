import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answerMs, askMs } from '#features/orders/refund-asking-rules.ts';
import { refundOnRevokeMs } from '#features/orders/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { findPromise } from '../answering/plain-answer.ts';
import { creatorQuestions, visitorQuestions } from '../answering/quick-questions.ts';
import { usualFacts } from '../facts.ts';
import { featurePages, features, featuresHere, featuresOf } from '../rules.ts';
import { allTopics, listTopics } from './all-topics.ts';
import { isPublicPage, nameOwnPage, ownPages } from './own-pages.ts';
import type { OwnState } from './topic.ts';

const here = listTopics(usualFacts);
const later = listTopics({ features: [...features] });
const routes = readFileSync('src/app/routes.ts', 'utf8');
/** Returns whether a page is routed, below its frame too. */
const isRouted = (page: string) => {
  const [path = ''] = page.split('?');
  const [, part = ''] = /^\/profile\/(\w+)$/.exec(path) ?? [];
  return path === '/' || [path, part].some((address) => address !== '' && routes.includes(`route('${address}'`));
};

const busy: OwnState = {
  albums: 3,
  itemsReady: 40,
  itemsWorking: 1,
  itemsFailed: 2,
  activeLinks: 5,
  neverOpenedLinks: 1,
  endsToday: 1,
  endsTomorrow: 2,
  lookingNow: 1,
  visitsThisWeek: 12,
  storageUsedBytes: 1_200_000_000,
  trialDaysLeft: 3,
};
const fresh: OwnState = {
  ...busy,
  albums: 0,
  itemsReady: 0,
  activeLinks: 0,
  neverOpenedLinks: 0,
  endsToday: 0,
  endsTomorrow: 0,
};

describe('help texts', () => {
  it('cover the product: sixty and more today, each by its own name', () => {
    expect(here.filter(({ group }) => group !== undefined).length).toBeGreaterThanOrEqual(60);
    expect(new Set(allTopics.map(({ id }) => id)).size).toBe(allTopics.length);
    for (const topics of [here, later]) {
      const titles = topics.map(({ title }) => title);
      expect(titles.filter((title, n) => titles.indexOf(title) !== n)).toEqual([]);
    }
  });

  it('speak of a feature only where it is there, and of its absence only where it is not', () => {
    const ids = (topics: typeof here) => topics.map(({ id }) => id);
    const off = listTopics({ features: [...featuresOf(false)] });
    expect(ids(off)).toContain('no-earnings-yet');
    expect(ids(off)).not.toContain('earnings');
    expect(ids(later)).toContain('earnings');
    expect(ids(later)).not.toContain('no-earnings-yet');
  });

  it('lead to pages that exist; a page that exists has its texts switched on', () => {
    expect(here.filter(({ page }) => !isRouted(page)).map(({ id }) => id)).toEqual([]);
    for (const [feature, page] of Object.entries(featurePages))
      expect([feature, featuresHere.includes(feature as (typeof features)[number])]).toEqual([feature, isRouted(page)]);
  });

  it('answer the ten offered questions, with and without the features they are about', () => {
    for (const ids of [...Object.values(visitorQuestions), ...Object.values(creatorQuestions)].map((id) => [id].flat()))
      for (const topics of [here, later]) expect(topics.filter(({ id }) => ids.includes(id as never))).toHaveLength(1);
  });

  it('promise nothing that a website cannot keep, hold no HTML, and name only pages of ours', () => {
    for (const { id, text, own } of allTopics)
      for (const features of [usualFacts.features, [...later.flatMap(({ needs }) => needs ?? [])]]) {
        const facts = { ...usualFacts, features };
        const said = [text(facts), own?.(busy, facts), own?.(fresh, facts)]
          .filter((words) => words !== undefined)
          .join('\n');
        expect([id, findPromise(said)]).toEqual([id, undefined]);
        expect(said).not.toMatch(/[<>]|https?:|undefined|NaN|null/);
        for (const [, address = ''] of said.matchAll(/`(\/[^`]*)`/g))
          expect([id, nameOwnPage(address)]).not.toEqual([id, undefined]);
      }
  });

  it('say the numbers of the settings in force', () => {
    const text = (id: string, facts = usualFacts) => allTopics.find((topic) => topic.id === id)?.text(facts) ?? '';
    expect(text('price')).toContain('7 days free, then $3.99 a month.');
    expect(text('price', { ...usualFacts, priceCents: 500, trialDays: 14 })).toContain(
      '14 days free, then $5.00 a month.',
    );
    expect(text('no-email', { ...usualFacts, resendSeconds: 300 })).toContain('another email 300 seconds after');
    expect(text('take-back', { ...usualFacts, leaseSeconds: 45 })).toContain('within 45 seconds');
    expect(text('file-size')).toContain('50 MB');
  });

  it('say of refunds what the rules do', () => {
    const text = allTopics.find(({ id }) => id === 'refunds')?.text(usualFacts) ?? '';
    expect(text).toContain(`Buyers can ask within ${askMs / dayMs} days, and you have ${answerMs / hourMs} hours`);
    expect(text).toContain(`within ${refundOnRevokeMs / dayMs} days of their payment`);
    expect(text).toContain('the whole payment goes back');
    expect(text).toContain('opens nothing, and goes back at once');
  });

  it('say of links what the share sheet has', () => {
    const sheet = 'src/features/links/share-sheet';
    const code = readdirSync(sheet)
      .map((file) => readFileSync(`${sheet}/${file}`, 'utf8'))
      .join('\n');
    const text = (id: string) => allTopics.find((topic) => topic.id === id)?.text(usualFacts) ?? '';
    expect(code).toContain('openForMs');
    expect(code).toMatch(/\bgeo\b/);
    expect(text('no-country-block')).toContain('opens only in the countries you choose');
    expect(code).toMatch(/\bnotBefore\b/);
    expect(text('no-scheduling')).toContain('**When it opens**');
    expect(code).toContain("'Email address'");
    expect(text('viewer-limit')).toContain('**Email address**');
  });

  it('tell a creator of her own case', () => {
    const own = (id: string, state: OwnState) => allTopics.find((topic) => topic.id === id)?.own?.(state, usualFacts);
    expect(own('link-expiry', busy)).toBe(
      '**1 link** of yours expires today, and **2 links** of yours expire tomorrow.',
    );
    expect(own('link-expiry', fresh)).toBe('None of your links expires today or tomorrow.');
    expect(own('get-started', fresh)).toContain('upload your first photos');
    expect(own('trial', busy)).toContain('**3 days** left');
    expect(own('trial', { ...busy, trialDaysLeft: null })).toBeUndefined();
    expect(own('processing', busy)).toBe('**1 of yours is** being made ready. **2 of yours have** failed.');
  });

  it('are led to by names that links can wear', () => {
    expect(nameOwnPage('/help#take-back')).toBe('Help');
    for (const address of ['/help#<b>', '//evil.example', 'https://evil.example', '/albums/../x', 'constructor', ''])
      expect(nameOwnPage(address)).toBeUndefined();
    expect(Object.keys(ownPages).filter((page) => isPublicPage(page as keyof typeof ownPages))).toContain('/help');
    expect(isPublicPage('/albums')).toBe(false);
  });
});
