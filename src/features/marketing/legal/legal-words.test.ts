import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eraseMs, termsVersion } from '#features/accounts/rules.ts';
import { consentCookie, visitorCookie } from '#features/accounts/visitor.ts';
import { grantMonths, packBackMs } from '#features/credits/rules.ts';
import { eventsKeptSince } from '#features/insights/rules.ts';
import { undoHours } from '#features/media/rules.ts';
import { answerMs, askMs } from '#features/orders/refund-asking-rules.ts';
import { failuresKeptMs } from '#features/orders/rules.ts';
import { leastPayoutCents, settlementDaysOf } from '#features/payouts/rules.ts';
import { mailableMs } from '#features/plans/rules.ts';
import { settingRules } from '#features/settings/rules.ts';
import { formatPrice } from '#kit/text.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { unnamedOperator } from '../operator-words.ts';
import { legalPages } from '../site-pages.ts';
import { describeCredits } from '../words/pricing-words.ts';
import { legalVersion, writeContentPolicy } from './legal-words.ts';
import { writePrivacy } from './privacy-words.ts';
import { writeTerms } from './terms-words.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const textOf = (write: typeof writeTerms, operator = unnamedOperator) => JSON.stringify(write(operator));
const named = { ...unnamedOperator, name: 'Example Studio', email: 'hello@example.com' };

/** Which cookie each of the files sets that set one, and how it is called there. */
const cookiesOf: Readonly<Record<string, { name: string; said?: string; alsoNamed?: string[] }>> = {
  'src/app/dev/dev-token.ts': { name: 'pf_dev' },
  'src/features/accounts/joining/proof.ts': { name: 'pf_asked' },
  'src/features/accounts/pages/cookies.tsx': { name: 'pf_try' },
  'src/features/accounts/browser-session.ts': { name: 'pf.session_token' },
  'src/features/accounts/sessions/known-browser.ts': { name: 'pf_known' },
  'src/features/marketing/browser/consent.ts': { name: 'pf_consent', said: 'consentCookie' },
  'src/features/marketing/visits.ts': { name: 'vid', said: 'visitorCookie' },
  'src/features/plans/checkouts/taking-a-plan.ts': { name: 'pf_order' },
  'src/features/referrals/api.ts': { name: 'aff', said: 'partnerCookie' },
  'src/features/viewing/viewer-cookie.ts': { name: 'pf_viewer', alsoNamed: ['pf_first'] },
};

describe('what people agree to', () => {
  it('says the figures that the product keeps to', () => {
    const privacy = textOf(writePrivacy);
    expect(eventsKeptSince(new Date('2026-11-21T12:00:00Z')).toISOString()).toBe('2025-10-21T12:00:00.000Z');
    expect(privacy).toContain('13 months, after which only totals without viewers remain');
    expect(privacy).toContain('until it has not been back for 13 months, after which it is no longer recognized');
    expect(privacy).toContain('which pictures and which seconds of videos they were given');
    expect(privacy).toContain(`${undoHours} hours`);
    expect(privacy).toContain(`${settingRules['accounts.sessionDays'].default} days after last use`);
    expect(eraseMs).toBe(dayMs);
    expect(textOf(writeTerms)).toContain(`within ${settingRules['viewing.leaseSeconds'].default} seconds.`);
    expect(textOf(writeTerms)).toContain(`free trial of ${settingRules['plan.trialDays'].default} days`);
  });

  it('says the numbers of the settings in force', () => {
    const set = { ...unnamedOperator, leaseSeconds: 77, trialDays: 1, sessionDays: 12 };
    expect(textOf(writeTerms, set)).toContain('within 77 seconds.');
    expect(textOf(writeTerms, set)).toContain('free trial of 1 day,');
    expect(textOf(writePrivacy, set)).toContain('12 days after last use');
  });

  it('says what credits are by the settings in force, where they are sold', () => {
    const credits = { ...unnamedOperator.credits, trace: 7, storageDays: 31 };
    const terms = textOf(writeTerms, { ...unnamedOperator, sellsPlans: true, credits });
    for (const words of [describeCredits(credits), 'expire 12 months later', 'For 14 days after', 'no cash value'])
      expect(terms).toContain(words);
    expect([grantMonths, packBackMs]).toEqual([12, 14 * dayMs]);
    expect(textOf(writeTerms, { ...unnamedOperator, sellsPlans: false })).not.toContain('redits');
  });

  it('says how sales renew, go back and are paid out by the rules and settings in force, where anything is sold', () => {
    const payouts = { settlementDays: 9, disputedSettlementDays: 21, mostDebtCents: 15_000 };
    const terms = textOf(writeTerms, { ...unnamedOperator, sellsPlans: true, payouts });
    for (const words of [
      'You can cancel with one tap',
      'until you agree to the new one',
      `For ${askMs / dayMs} days after you pay`,
      `has ${answerMs / hourMs} hours to answer`,
      'Money from a sale is held for 9 days',
      'for 21 days while',
      `The smallest is ${formatPrice(leastPayoutCents, 'USD')}.`,
      `more than ${formatPrice(15_000, 'USD')} below zero`,
    ])
      expect(terms).toContain(words);
    const settlement = { usual: 7, disputed: 14 };
    const daysFor = (daysHere: number, sales: number, disputes: number) =>
      settlementDaysOf({ daysHere, sales, disputes }, settlement);
    expect([daysFor(30, 200, 0), daysFor(31, 200, 0), daysFor(31, 200, 2)]).toEqual([7, 0, 14]);
    const bare = textOf(writeTerms, { ...unnamedOperator, sellsPlans: false });
    expect(bare).not.toContain('Payouts to creators');
  });

  it('says who handles payments and what is kept of a card, where anything can be paid', () => {
    const privacy = textOf(writePrivacy, { ...unnamedOperator, sellsPlans: true });
    for (const words of [
      'Payments are handled by Stripe.',
      'the brand and the last four digits of its card',
      `a code that Stripe uses for that card, to notice when someone tries out stolen cards, for ${failuresKeptMs / dayMs} days`,
      'the bank may receive evidence through Stripe',
      "except Stripe's payment form",
      `when you take the plan, for ${mailableMs / dayMs} days longer`,
    ])
      expect(privacy).toContain(words);
    expect(textOf(writePrivacy, { ...unnamedOperator, sellsPlans: false })).not.toContain('Stripe');
  });

  it('names who runs the installation where it was told, and makes nobody up', () => {
    for (const write of [writeTerms, writeContentPolicy, writePrivacy]) {
      expect(textOf(write)).toContain("his installation's operator");
      expect(textOf(write)).not.toMatch(/@|Inc\b|Ltd|GmbH|null|undefined/);
      expect(textOf(write, named)).toContain('Example Studio');
      expect(textOf(write, named)).toContain('hello@example.com');
    }
  });

  it('names the server of a language model where questions to Sofia are sent to one', () => {
    expect(textOf(writePrivacy)).toContain('are answered by a program on this server');
    const privacy = textOf(writePrivacy, { ...named, assistantHost: 'models.example.com' });
    expect(privacy).toContain('are sent to a language model at models.example.com');
    expect(privacy).not.toContain('by a program on this server');
  });

  it('names every cookie that is set anywhere', () => {
    const sets = /\bsetCookie\(|'set-cookie'|document\.cookie = /;
    const between = [
      // They pass on what others set.
      ...['src/app/server/contexts.ts', 'src/wire/context.ts', 'src/app/full-check/browser.ts'],
      // One that is set and taken away at once, on a page for operators, to see whether a browser keeps any.
      'src/features/fullcheck/browser/browser-parts.ts',
    ];
    const found = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !between.includes(file))
      .filter((file) => sets.test(readFileSync(path.join(root, file), 'utf8')));
    expect(found.toSorted()).toEqual(Object.keys(cookiesOf).toSorted());
    const privacy = textOf(writePrivacy, {
      ...unnamedOperator,
      sellsPlans: true,
      measured: { byUs: true, byGoogle: false },
    });
    for (const [file, { name, said = name, alsoNamed = [] }] of Object.entries(cookiesOf)) {
      expect(readFileSync(path.join(root, file), 'utf8')).toContain(said);
      for (const each of [name, ...alsoNamed]) expect(privacy).toContain(`“${each}”`);
    }
    expect([consentCookie, visitorCookie]).toEqual(['pf_consent', 'vid']);
  });

  it('carries the version that is stored with the agreement', () => {
    const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    expect(legalVersion).toBe(month.format(new Date(`${termsVersion}-01T00:00:00Z`)));
  });

  it('has a page of its own for each text: routed, listed and rendered', () => {
    for (const file of ['src/app/routes.ts', 'src/features/marketing/site-pages.ts', 'src/app/pages/render-pages.tsx'])
      for (const { to } of legalPages) expect(readFileSync(path.join(root, file), 'utf8')).toContain(`'${to}'`);
  });
});
