import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runClaims } from '../commands.ts';
import { listShownClaims, operatorClaims } from './claims.ts';

const now = new Date('2026-11-21T12:00:00Z');
const confirmed = (key: string, expiresAt: Date | null = null) => ({
  key,
  source: 'a list',
  checkedAt: now,
  expiresAt,
});

describe('which claims a page may show', () => {
  it('a sandbox shows all of them, as samples', () => {
    const shown = listShownClaims([], { isSandbox: true, now });
    expect(shown).toHaveLength(operatorClaims.length);
    expect(shown.every(({ isSample }) => isSample)).toBe(true);
  });

  it('a live installation shows only what was confirmed, and not as a sample', () => {
    expect(listShownClaims([], { isSandbox: false, now })).toEqual([]);
    const shown = listShownClaims([confirmed('hero.creators')], { isSandbox: false, now });
    expect(shown).toEqual([{ place: 'hero', figure: '5,247', text: 'creators', by: null, isSample: false }]);
  });

  it('a confirmation ends at its very instant', () => {
    const until = (at: string) =>
      listShownClaims([confirmed('hero.creators', new Date(at))], { isSandbox: false, now }).length;
    expect([until('2026-11-21T12:00:00.001Z'), until('2026-11-21T12:00:00.000Z')]).toEqual([1, 0]);
  });
});

describe('an operator', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: true });
  });
  afterAll(() => app.close());

  const order = (verb?: string, key?: string, source?: string, until?: string) =>
    runClaims(app.engines, { verb, key, source, until });
  const shownKeys = async () =>
    (await app.call('marketing.facts')).body.claims.map(({ text }: { text: string }) => text);

  it('confirms a claim with its source, and the pages show it; withdraws it, and they do not', async () => {
    expect(await shownKeys()).toEqual([]);
    expect(await order('confirm', 'figures.albums', 'counted on 20 November', '2027-06-30')).toBe(
      'Public pages show figures.albums now, until 2027-06-30.',
    );
    await expect.poll(shownKeys).toEqual(['albums']);
    expect(await order()).toContain(
      'figures.albums (figures): 2,500+ albums\n    confirmed on 2026-11-21, until 2027-06-30: counted on 20 November',
    );
    await order('withdraw', 'figures.albums');
    await expect.poll(shownKeys).toEqual([]);
    const written = await readRows(
      app,
      `select action, details from audit_log where action like 'claim.%' order by id`,
    );
    expect(written).toEqual([
      { action: 'claim.confirmed', details: { key: 'figures.albums' } },
      { action: 'claim.withdrawn', details: { key: 'figures.albums' } },
    ]);
  });

  it.each([
    [['confirm', 'no.such'], 'There is no claim "no.such"'],
    [['confirm', 'hero.rating'], 'Say where it can be checked'],
    [['confirm', 'hero.rating', '  '], 'Say where it can be checked'],
    [['confirm', 'hero.rating', 'x', '2026-02-30'], '--until takes a day like'],
    [['confirm', 'hero.rating', 'x', '2026-11-21'], 'still to come'],
    [['withdraw', 'hero.rating'], 'was not confirmed'],
    [['publish', 'hero.rating'], 'Use `claims`'],
  ] as const)('%j is refused with a sentence', async (words, sentence) => {
    await expect(order(...words)).rejects.toThrow(sentence);
  });
});
