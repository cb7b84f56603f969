import { describe, expect, it } from 'vitest';
import { hour, now, policyOf } from '#tests/support/decisions.ts';
import { Reason } from './contract.ts';
import { type About, refusalOf } from './refusals.ts';

const stranger: About = { now, wasAdmitted: false, host: { name: 'Mia', welcomeText: 'Hi' } };
const admitted: About = { ...stranger, wasAdmitted: true };

describe('what each reason shows', () => {
  it('answers alike, byte for byte, to whoever may not know more', () => {
    const unknown = JSON.stringify(refusalOf('NOT_FOUND', { now, wasAdmitted: false }));
    expect(unknown).toContain("This link isn't available");
    for (const reason of ['NOT_FOUND', 'VIEWER_BLOCKED', 'REVOKED', 'EXPIRED', 'VIEWERS_FULL'] as const)
      expect(JSON.stringify(refusalOf(reason, { ...stranger, until: now - 1 }))).toBe(unknown);
    expect(JSON.stringify(refusalOf('VIEWER_BLOCKED', admitted))).toBe(unknown);
    expect(JSON.stringify(refusalOf('VIEWERS_FULL', admitted))).toBe(unknown);
  });
  it('tells the truth to people who had access', () => {
    expect(refusalOf('REVOKED', admitted)).toEqual({
      status: 410,
      refusal: {
        code: 'LINK',
        reason: 'REVOKED',
        title: 'Access ended',
        text: 'The creator has ended access to this link.',
      },
    });
    const until = Date.UTC(2026, 4, 3, 16);
    const at = (timeZone: string) => refusalOf('EXPIRED', { ...admitted, until, timeZone }).refusal.text;
    expect(at('Europe/Berlin')).toBe('It ended on 3 May, 18:00.');
    expect(at('no such place')).toBe('It ended on 3 May, 16:00.');
    expect(refusalOf('VIEWERS_FULL', { ...stranger, holdsGrant: true }).refusal.title).toBe(
      'This link was opened on another device',
    );
  });
  it('is 410 for an end and 200 for a gate or a pause', () => {
    const ended = Reason.options.filter(
      (reason) => refusalOf(reason, { ...admitted, holdsGrant: true }).status === 410,
    );
    expect(ended.sort()).toEqual(
      [
        'NOT_FOUND',
        'PAYMENT_RETURNED',
        'TAKEN_DOWN',
        'REVOKED',
        'VIEWER_BLOCKED',
        'EXPIRED',
        'VISITS_USED',
        'VIEWERS_FULL',
        'TIME_USED',
        'TIMED_OUT',
      ].sort(),
    );
  });
  it('shows the creator above a gate and never beside an end or a pause', () => {
    const host = (reason: Reason) => refusalOf(reason, { ...admitted, holdsGrant: true }).refusal.host?.name;
    for (const reason of Reason.options)
      expect(host(reason)).toBe(/^(NEED_|APPROVAL_|NOT_YET|CONCURRENT)/.test(reason) ? 'Mia' : undefined);
  });
  it('speaks in the figures of the rule', () => {
    const title = (reason: Reason, about: Partial<About> = {}) =>
      refusalOf(reason, { ...admitted, ...about }).refusal.title;
    expect(title('NOT_YET', { until: now + 2 * hour + 14 * 60_000 })).toBe('Opens in 2 h 14 min');
    expect(refusalOf('NOT_YET', { ...admitted, until: now + hour }).refusal.waitMs).toBe(hour);
    expect(title('VISITS_USED', { policy: policyOf({ maxVisits: 3 }) })).toBe('You have used all 3 visits');
    expect(title('VISITS_USED', { policy: policyOf({ maxVisits: 1 }) })).toBe('You have used your one visit');
    const ended = (openForMs: number) => title('TIMED_OUT', { policy: policyOf({ openForMs }) });
    expect(ended(24 * hour)).toBe('Your 24 hours have ended');
    expect(ended(72 * hour)).toBe('Your 3 days have ended');
    expect(ended(hour)).toBe('Your 1 hour has ended');
    expect(ended(600_000)).toBe('Your 10 minutes have ended');
    expect(title('NEED_APPROVAL')).toBe('Ask Mia for access');
  });
  it('says that a password was wrong, and how many tries are left when that is known', () => {
    const text = (about: Partial<About>) => refusalOf('NEED_PASSWORD', { ...stranger, ...about }).refusal.text;
    expect(text({})).toBe('Enter the password you were given.');
    expect(text({ isPasswordWrong: true, triesLeft: 1 })).toBe("That's not it. 1 try left.");
    expect(text({ isPasswordWrong: true })).toBe("That's not it.");
  });
});
