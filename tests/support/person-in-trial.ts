import type { Me } from '#features/accounts/contract.ts';
import { usualLimits } from '#features/settings/page-limits.ts';

/** Somebody in her trial, as `/api/me` tells of her. */
export const personInTrial: Me = {
  user: {
    id: '01a1fdfa-4600-75e8-8e81-b1ffa973d319',
    email: 'mara@example.com',
    displayName: 'Mara',
    handle: 'mara',
    bio: '',
    avatarUrl: null,
    hasPublicPage: false,
    country: 'DE',
    timeZone: 'Europe/Berlin',
    locale: 'en',
    hasPassword: true,
    homeScreenWizardCompleted: false,
    isHomeScreenDue: false,
    hasAppLock: false,
    consent: null,
  },
  hasAccess: true,
  isAdmin: false,
  isFreeUser: false,
  isSubscribed: true,
  isStopped: false,
  isLocked: false,
  subscriptionStatus: 'trialing',
  trialEndsAt: null,
  freeUntil: null,
  entitlements: { suiteUser: false, isBeta: false },
  setupStep: 'done',
  storage: { usedBytes: 0, limitBytes: 1 },
  plan: { trialDays: 7, priceCents: 399, commissionPercent: 10, isSold: true },
  limits: usualLimits,
  mode: 'sandbox',
  now: new Date('2026-11-21T12:00:00Z'),
};
