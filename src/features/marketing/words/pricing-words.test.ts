import { describe, expect, it } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { usualLimits } from '#features/settings/page-limits.ts';
import { usualPlan } from '#features/settings/plan-words.ts';
import { personInTrial } from '#tests/support/person-in-trial.ts';
import { facePlan, listFeatures, listPayers, noSale } from './pricing-words.ts';

const mara: Me = {
  ...personInTrial,
  trialEndsAt: new Date('2026-11-28T12:00:00Z'),
  plan: { ...usualPlan, isSold: true },
};
const lapsed: Me = {
  ...mara,
  hasAccess: false,
  isSubscribed: false,
  subscriptionStatus: 'inactive',
  trialEndsAt: new Date('2026-11-20T12:00:00Z'),
};
const face = (changes: Partial<Me> | undefined) => facePlan(changes && { ...mara, ...changes }, usualPlan);

describe('what /pricing says beside the price', () => {
  it('gives a visitor the terms – length, then price, how to cancel – and the way in, also while nobody knows who it is', () => {
    for (const me of [undefined, { ...mara, user: null, hasAccess: false }]) {
      const { title, lines, action } = facePlan(me, usualPlan);
      expect(title).toBe('7 days free, then $3.99 a month. No card needed.');
      expect(lines).toContain('No credit card required, cancel anytime.');
      expect(action).toBe('start');
    }
  });
  it('tells her when her trial ends, and what happens then', () => {
    const { title, lines, action } = face({});
    expect(title).toMatch(/^Your free trial ends on .*2026/);
    expect(lines.join(' ')).toContain("you won't be charged");
    expect(lines.join(' ')).toContain('Add a card to go on afterwards for $3.99 a month.');
    expect(action).toBe('card');
    const { lines: unsold, action: other } = facePlan(mara, usualPlan, false);
    expect(unsold).toContain(noSale);
    expect(other).toBe('studio');
  });
  it('tells her whose trial has ended what happened, what is kept, what viewers see, and what she can do', () => {
    const { title, lines, action } = facePlan(lapsed, usualPlan);
    expect(title).toBe('Your free trial has ended');
    expect(lines.join(' ')).toMatch(
      /ended on .*2026\. Nothing was charged\..*are kept for at least 90 days\..*“Temporarily unavailable”/,
    );
    expect([lines.at(-1), action]).toEqual(['The plan is $3.99 a month. Cancel anytime.', 'choose']);
    const unsold = facePlan(lapsed, usualPlan, false);
    expect([unsold.lines.at(-1), unsold.action]).toEqual([noSale, 'leave']);
  });
  it('promises no trial to whom it was given before: nobody learns here whether it was', () => {
    const { lines } = face({ setupStep: 'consent', hasAccess: false, subscriptionStatus: null, trialEndsAt: null });
    expect(lines.join(' ')).toMatch(
      /one trial per email address: if yours has been used before, the account starts without one/,
    );
  });
  it('has words for every other state', () => {
    expect(face({ setupStep: 'consent', hasAccess: false }).action).toBe('finish');
    expect(face({ isFreeUser: true, subscriptionStatus: 'inactive' }).title).toBe('You have free access');
    expect(face({ isAdmin: true }).title).toBe('You have admin access');
    expect(face({ subscriptionStatus: 'active' }).title).toBe("You're subscribed");
    expect(face({ subscriptionStatus: 'past_due' }).title).toBe('Payment failed');
    expect(face({ ...lapsed, trialEndsAt: null }).lines[0]).toBe('Your plan has ended.');
    expect(face({ ...lapsed, subscriptionStatus: null }).lines[0]).toContain('has no plan');
    expect(face({ ...lapsed, isStopped: true })).toMatchObject({ title: 'Your account is suspended', action: 'leave' });
  });
  it('never promises a sale that this server does not make', () => {
    for (const me of [undefined, {}, lapsed])
      expect(facePlan(me && { ...mara, ...me }, usualPlan, false).lines.join(' ')).not.toMatch(
        /soon|upgrade|subscribe now|choose plan/i,
      );
  });
});

describe('what the plan holds, and who pays what', () => {
  it('comes from the settings', () => {
    const features = listFeatures({ ...usualLimits, storageBytes: 5e9, trialStorageBytes: 1e9 }).join(' ');
    expect(features).toContain('5 GB for your originals, 1 GB during the trial');
    const [you, viewers, app] = listPayers(
      { trialDays: 7, priceCents: 500, commissionPercent: 12 },
      { takesPayments: false },
    );
    expect(you?.what).toContain('$5.00 a month');
    expect(viewers?.what).toContain('Nothing');
    expect(app?.what).toMatch(/^12% of what viewers pay you.*88% is yours/);
  });
});
