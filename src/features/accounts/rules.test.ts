import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasAccess } from '#wire/context.ts';
import { Email } from './contract.ts';
import {
  accountAccessOf,
  findHandleFault,
  findSubscriptionStatus,
  foldMailbox,
  formsOfMailbox,
  hasAdminRights,
  isAdult,
  isInvitationToken,
  isSessionAlive,
  isStepOpen,
  isWorthTouching,
  type StoredAccount,
  safeReturnTo,
  setupSteps,
  stepAfter,
  suggestHandle,
  wayTo,
} from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const hour = 3_600_000;
const minute = 60_000;

const stored: StoredAccount = {
  status: 'active',
  emailVerified: true,
  setupStep: 'done',
  isAdmin: false,
  isFreeUser: false,
  freeUntil: null,
  subscriptionStatus: null,
  trialEndsAt: null,
};
const anyStored = fc.record<StoredAccount>({
  status: fc.constantFrom('pending', 'active', 'limited', 'suspended', 'deleting', 'deleted'),
  emailVerified: fc.boolean(),
  setupStep: fc.constantFrom(...setupSteps),
  isAdmin: fc.boolean(),
  isFreeUser: fc.boolean(),
  freeUntil: fc.option(fc.integer({ min: -1e9, max: 1e9 }).map(later)),
  subscriptionStatus: fc.option(fc.constantFrom('active', 'trialing', 'past_due', 'inactive', 'canceled', 'whatever')),
  trialEndsAt: fc.option(fc.integer({ min: -1e9, max: 1e9 }).map(later)),
});

describe('access: admin OR free user OR subscribed', () => {
  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', true],
    ['inactive', false],
    ['canceled', false],
    ['anything else', false],
    [null, false],
  ])('a plan that is %s gives access: %s', (subscriptionStatus, is) => {
    expect(hasAccess(accountAccessOf({ ...stored, subscriptionStatus }, now))).toBe(is);
  });

  it('a trial is over at its very instant', () => {
    const trial = (trialEndsAt: Date) => ({ ...stored, subscriptionStatus: 'trialing', trialEndsAt });
    expect(findSubscriptionStatus(trial(later(1)), now)).toBe('trialing');
    expect(findSubscriptionStatus(trial(now), now)).toBe('inactive');
    expect(hasAccess(accountAccessOf(trial(later(1)), now))).toBe(true);
    expect(hasAccess(accountAccessOf(trial(now), now))).toBe(false);
  });

  it('free access ends at its very instant, or never', () => {
    const free = (freeUntil: Date | null) =>
      hasAccess(accountAccessOf({ ...stored, isFreeUser: true, freeUntil }, now));
    expect([free(later(1)), free(now), free(null)]).toEqual([true, false, true]);
  });

  it('never comes from anything but these three, and time only takes it away', () => {
    fc.assert(
      fc.property(anyStored, fc.integer({ min: 0, max: 1e9 }), (one, laterMs) => {
        const access = accountAccessOf(one, now);
        const then = accountAccessOf(one, later(laterMs));
        const sources =
          one.isAdmin || one.isFreeUser || ['active', 'trialing', 'past_due'].includes(one.subscriptionStatus ?? '');
        return (!hasAccess(access) || sources) && (!hasAccess(then) || hasAccess(access));
      }),
    );
  });
});

describe('sessions', () => {
  const times = { createdAt: now, updatedAt: now, expiresAt: later(30 * 24 * hour) };
  const session = { ...times, isAdmin: false, hasSecondFactor: false, codeAt: null };
  const ofAdmin = { ...session, isAdmin: true };
  it('end at their very instant', () => {
    expect(isSessionAlive(session, later(30 * 24 * hour - 1))).toBe(true);
    expect(isSessionAlive(session, later(30 * 24 * hour))).toBe(false);
  });
  it('are written down once in a while, not at each use', () => {
    const uses = [...Array(60).keys()].map((minutes) => isWorthTouching(session, later(minutes * minute)));
    expect([uses[0], uses.at(-1)]).toEqual([false, true]);
    expect(uses.indexOf(true)).toBe(uses.lastIndexOf(false) + 1);
    expect(isWorthTouching(session, later(uses.indexOf(true) * minute - 1))).toBe(false);
  });
  it('of an administrator end 12 hours after sign-in, used or not', () => {
    for (const one of [ofAdmin, { ...ofAdmin, hasSecondFactor: true, codeAt: now }]) {
      expect(isSessionAlive(one, later(12 * hour - 1))).toBe(true);
      expect(isSessionAlive(one, later(12 * hour))).toBe(false);
    }
  });
  it('of an administrator are over where the second factor that they have was never given', () => {
    expect(isSessionAlive({ ...ofAdmin, hasSecondFactor: true }, now)).toBe(false);
    expect(isSessionAlive({ ...session, hasSecondFactor: true }, now), 'of anybody else they are not').toBe(true);
  });
  it('have an administrator’s rights by role, second factor and its code together', () => {
    const every = fc.record({
      isAdmin: fc.boolean(),
      hasSecondFactor: fc.boolean(),
      codeAt: fc.constantFrom(null, now),
    });
    fc.assert(
      fc.property(every, (role) => {
        expect(hasAdminRights(role)).toBe(![role.isAdmin, role.hasSecondFactor, role.codeAt].some((one) => !one));
      }),
    );
  });
});

describe('setting up', () => {
  it('goes on where it stopped, never ahead of it and never back', () => {
    const step = fc.constantFrom(...setupSteps);
    fc.assert(
      fc.property(step, step, (wanted, reached) => {
        if (!isStepOpen(wanted, reached)) return true;
        return setupSteps.indexOf(stepAfter(wanted, reached)) >= setupSteps.indexOf(reached);
      }),
    );
    expect(isStepOpen('consent', 'profile')).toBe(false);
    expect(isStepOpen('profile', 'profile')).toBe(true);
    expect(accountAccessOf(stored, now).isSetUp).toBe(true);
    expect(accountAccessOf({ ...stored, setupStep: 'profile' }, now).isSetUp).toBe(false);
    expect(isStepOpen('profile', 'consent')).toBe(true);
    expect(isStepOpen('profile', 'done')).toBe(false);
    expect(stepAfter('profile', 'profile')).toBe('consent');
    expect(stepAfter('profile', 'first_step')).toBe('first_step');
  });

  it.each([
    ['2008-11-21', 'UTC', true],
    ['2008-11-22', 'UTC', false],
    ['2008-11-22', 'Pacific/Kiritimati', true],
    ['2008-11-21', 'Pacific/Niue', true],
    ['2008-11-21', 'Pacific/Pago_Pago', true],
  ])('born on %s she is 18 in %s on 21 November 2026, noon: %s', (birthDate, timeZone, is) => {
    expect(isAdult(birthDate, timeZone, now)).toBe(is);
  });

  it('counts from 1 March for those born on 29 February', () => {
    expect(isAdult('2008-02-29', 'UTC', new Date('2026-02-28T23:00:00Z'))).toBe(false);
    expect(isAdult('2008-02-29', 'UTC', new Date('2026-03-01T00:00:00Z'))).toBe(true);
  });
});

describe('email addresses: the form a@b.c, and more than 5 characters', () => {
  it.each(['a@b.co', 'Mara.Sol+x@Example.com', ' a@b.co '])('%s passes', (email) => {
    expect(Email.safeParse(email).success).toBe(true);
  });
  it.each(['a@b.c', 'a@bc', 'a b@c.de', 'a@b@c.de', '@b.com', 'a@', '', `${'a'.repeat(250)}@b.co`])(
    '%s does not',
    (email) => {
      expect(Email.safeParse(email).error?.issues[0]?.message).toBe('Please enter a valid email address');
    },
  );
  it.each([
    ['Mara+Two@Example.COM', 'mara@example.com'],
    ['m.a.r.a@example.com', 'm.a.r.a@example.com'],
    ['M.a.ra+x@gmail.com', 'mara@gmail.com'],
    ['ma.ra@GoogleMail.com', 'mara@gmail.com'],
    ['+491701@x.example', '+491701@x.example'],
    ['+491711@x.example', '+491711@x.example'],
  ])('fold to one mailbox: %s is %s', (email, folded) => {
    expect(foldMailbox(email)).toBe(folded);
  });

  it('that are typed with spaces around them are the same', () => {
    expect(foldMailbox('  mara@example.com ')).toBe('mara@example.com');
    expect(formsOfMailbox(' m.ara@example.com ')).toEqual(['m.ara@example.com']);
  });

  it('are known under the form in which they were stored before, which no phone number has', () => {
    const all = ['mara@gmail.com', 'm.ara@gmail.com', 'mara@googlemail.com', 'm.ara@googlemail.com'];
    for (const domain of ['gmail.com', 'googlemail.com'])
      expect(formsOfMailbox(`M.ara+x@${domain}`).toSorted()).toEqual(all.toSorted());
    expect(formsOfMailbox('M.ara+x@googlemail.com')[0]).toBe('mara@gmail.com');
    expect(formsOfMailbox('mara@gmail.com')).toEqual(['mara@gmail.com', 'mara@googlemail.com']);
    expect(formsOfMailbox('m.ara+x@example.com')).toEqual(['m.ara@example.com']);
    expect(formsOfMailbox('+491701@x.example')).toEqual(['+491701@x.example']);
  });
});

describe('handles', () => {
  it.each(['mara', 'mara_sol', 'x_1', '_mara_', 'ad_min', 'admin_mara', 'a'.repeat(30)])('%s can be had', (handle) => {
    expect(findHandleFault(handle)).toBeUndefined();
  });
  it.each([
    'ab',
    'Mara',
    'mara sol',
    'mära',
    'a'.repeat(31),
    'admin',
    '_admin_',
    '__admin',
    'admin__',
    'privatefans',
    'private_fans_team',
    'settings',
  ])('%s cannot', (handle) => {
    expect(findHandleFault(handle)).toBeTypeOf('string');
  });
  it.each([
    ['Anna Blüm', 'anna_blum'],
    [' Mia! ', 'mia'],
    [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
    ['Al', ''],
    ['Admin', ''],
    ['Мара', ''],
  ])('%j proposes %j', (name, handle) => {
    expect(suggestHandle(name)).toBe(handle);
  });
});

it('an invitation is 22 letters and digits', () => {
  const token = `${'aB3'.repeat(7)}x`;
  expect(isInvitationToken(token)).toBe(true);
  for (const other of [token.slice(1), `${token}x`, `${token.slice(1)}-`, `-${token}`])
    expect([other, isInvitationToken(other)]).toEqual([other, false]);
});

describe('where to go after sign-in', () => {
  const origin = 'https://privatefans.example';
  it.each(['/', '/albums?new=1#top', '/albums/1'])('%s is a place of ours', (wanted) => {
    expect(safeReturnTo(wanted, origin)).toBe(wanted);
  });
  it.each([
    null,
    '',
    'albums',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/auth?returnTo=/auth',
    '/Auth',
    '/signup',
    '/account/setup?returnTo=/albums',
    '/account/two-step',
  ])('%s is not', (wanted) => {
    expect(safeReturnTo(wanted, origin)).toBeUndefined();
  });
  it('goes along with the way in, and home needs no word', () => {
    expect(wayTo('/auth', '/albums?new=1#top')).toBe('/auth?returnTo=%2Falbums%3Fnew%3D1%23top');
    expect([wayTo('/account/setup', '/'), wayTo('/account/setup', undefined)]).toEqual([
      '/account/setup',
      '/account/setup',
    ]);
  });
  it('is this origin for whatever is given', () => {
    const anything = fc.string();
    const pieces = fc.array(
      fc.constantFrom('/', '\\', '.', '@', ':', 'evil.example', '%2f', '\t', '\n', '?', '#', ' '),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          pieces.map((parts) => `/${parts.join('')}`),
        ),
        (wanted) => {
          const place = safeReturnTo(wanted, origin);
          return place === undefined || new URL(place, origin).origin === origin;
        },
      ),
      { numRuns: 2000 },
    );
  });
});
