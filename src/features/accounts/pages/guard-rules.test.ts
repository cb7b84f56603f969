import { describe, expect, it } from 'vitest';
import { personInTrial as person } from '#tests/support/person-in-trial.ts';
import type { Me } from '../contract.ts';
import { decideDoor, type Need } from './guard-rules.ts';

const visitor: Me = { ...person, user: null, hasAccess: false };
const lapsed: Me = { ...person, hasAccess: false, isSubscribed: false, subscriptionStatus: 'inactive' };
const go = (me: Me | undefined, need: Need, { isLoading = false, isChecking = false } = {}) =>
  decideDoor({ me, isLoading, isChecking }, need, '/albums?new=1');

describe('the route guard', () => {
  it('1: waits while authentication loads', () => {
    expect(go(undefined, 'access', { isLoading: true })).toEqual({ is: 'wait', text: 'Authenticating...' });
  });
  it('2: sends a visitor to /auth and remembers where she wanted to go, also when the answer never came', () => {
    const auth = { is: 'elsewhere', to: '/auth?returnTo=%2Falbums%3Fnew%3D1' };
    expect(go(visitor, 'access')).toEqual(auth);
    expect(go(undefined, 'access')).toEqual(auth);
  });
  it('3: an unfinished setup comes before everything else', () => {
    const unfinished: Me = { ...lapsed, setupStep: 'profile' };
    for (const need of ['session', 'access', 'admin', 'home'] as const)
      expect(go(unfinished, need)).toEqual({ is: 'elsewhere', to: '/account/setup?returnTo=%2Falbums%3Fnew%3D1' });
    const fromHome = decideDoor({ me: unfinished, isLoading: false, isChecking: false }, 'home', '/');
    expect(fromHome, 'home is where the setup leads anyhow').toEqual({ is: 'elsewhere', to: '/account/setup' });
  });
  it('an administrator without a second factor is led to set one up, and gets nowhere else but to what is theirs by session', () => {
    for (const without of [
      { ...person, needsSecondFactor: true },
      { ...lapsed, needsSecondFactor: true },
    ]) {
      for (const need of ['access', 'admin', 'home'] as const)
        expect(go(without, need)).toEqual({ is: 'elsewhere', to: '/account/two-step?returnTo=%2Falbums%3Fnew%3D1' });
      expect(go(without, 'session')).toEqual({ is: 'open' });
    }
  });
  it('4: an admin page tells others that they are none', () => {
    const notice = "Access Denied - You don't have admin privileges.";
    expect(go(person, 'admin')).toEqual({ is: 'elsewhere', to: '/', notice });
    expect(go({ ...person, isAdmin: true }, 'admin')).toEqual({ is: 'open' });
  });
  it('5 and 6: without access the plan is checked once more, then it is /auth', () => {
    expect(go(lapsed, 'access', { isChecking: true })).toEqual({ is: 'wait', text: 'Checking subscription...' });
    expect(go(lapsed, 'access')).toEqual({ is: 'elsewhere', to: '/auth' });
    expect(go(person, 'access', { isChecking: true })).toEqual({ is: 'open' });
  });
  it('7: home sends whoever has exactly "inactive" and no access to /pricing', () => {
    expect(go(lapsed, 'home')).toEqual({ is: 'elsewhere', to: '/pricing' });
    expect(go(lapsed, 'home', { isChecking: true }), "home waits for nobody's plan").toEqual(go(lapsed, 'home'));
    expect(go({ ...lapsed, hasAccess: true, isFreeUser: true }, 'home')).toEqual({ is: 'open' });
    expect(go({ ...lapsed, hasAccess: true, isAdmin: true }, 'home')).toEqual({ is: 'open' });
  });
  it('8: home stays, with its notice, for a plan that never was and for a status that nobody knows', () => {
    for (const subscriptionStatus of [null, 'canceled', 'unpaid', 'Inactive', ''])
      expect(go({ ...lapsed, subscriptionStatus }, 'home'), String(subscriptionStatus)).toEqual({ is: 'open' });
  });
  it('only home leads to /pricing: a closed page leads to /auth whatever the plan says', () => {
    expect(go({ ...lapsed, subscriptionStatus: null }, 'access')).toEqual({ is: 'elsewhere', to: '/auth' });
    expect(go(lapsed, 'admin')).toMatchObject({ to: '/' });
  });
  it('lets a session in where nothing else is asked', () => {
    expect(go(lapsed, 'session')).toEqual({ is: 'open' });
  });
});
