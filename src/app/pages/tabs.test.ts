import { describe, expect, it } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { personInTrial as person } from '#tests/support/person-in-trial.ts';
import { isWithin, tabsOf } from './tabs.ts';

const labelsOf = (me: Me | undefined) => tabsOf(me).map(({ label }) => label);

describe('the bar of a phone', () => {
  it('waits until it is known whose it is', () => {
    expect(labelsOf(undefined)).toEqual([]);
  });
  it('leads visitors to open pages only', () => {
    expect(tabsOf({ ...person, user: null, hasAccess: false }).map(({ to }) => to)).toEqual([
      '/',
      '/pricing',
      '/demo',
      '/auth',
    ]);
  });
  it('leads whoever has access through the studio', () => {
    expect(labelsOf(person)).toEqual(['Home', 'Albums', 'Links', 'Earnings', 'Analytics', 'Profile']);
    const ofPhone = tabsOf(person).filter(({ onRailOnly }) => !onRailOnly);
    expect(ofPhone.map(({ label }) => label)).toEqual(['Home', 'Albums', 'Earnings', 'Profile']);
    expect(labelsOf({ ...person, subscriptionStatus: 'inactive', isAdmin: true })).toEqual([
      ...labelsOf(person),
      'Admin',
    ]);
  });
  it('keeps Earnings lit on the pages whose way back leads there', () => {
    const litOn = (page: string) =>
      tabsOf(person)
        .filter((tab) => isWithin(tab, page))
        .map(({ label }) => label);
    for (const page of ['/requests', '/requests/0196f0c2', '/account/payouts', '/account/tiers'])
      expect(litOn(page)).toEqual(['Earnings']);
    for (const page of ['/earnings', '/requests-of-others', '/account/billing']) expect(litOn(page)).toEqual([]);
  });
  it('offers nothing before the setup is done: each place would lead back to it', () => {
    expect(labelsOf({ ...person, hasAccess: false, setupStep: 'consent' })).toEqual([]);
  });
  it('offers what is open without access, and home only to whom it opens', () => {
    const without: Me = { ...person, hasAccess: false, isSubscribed: false };
    for (const subscriptionStatus of [null, 'canceled'])
      expect(labelsOf({ ...without, subscriptionStatus })).toEqual(['Home', 'Plan', 'Billing', 'Payouts', 'Account']);
    expect(labelsOf({ ...without, isStopped: true })).toEqual(['Home', 'Plan', 'Billing', 'Payouts', 'Account']);
    expect(labelsOf({ ...without, subscriptionStatus: 'inactive' })).toEqual(['Plan', 'Billing', 'Payouts', 'Account']);
  });
});
