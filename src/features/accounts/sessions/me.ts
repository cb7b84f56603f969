import { pageLimitsOf } from '#features/settings/page-limits.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { type Actor, type Context, hasAccess } from '#wire/context.ts';
import { avatarUrl } from '../avatar.ts';
import type { Me } from '../contract.ts';
import { findSubscriptionStatus } from '../rules.ts';
import { findMe, type MeRow } from '../store.ts';

const nobody = {
  user: null,
  hasAccess: false,
  isAdmin: false,
  isFreeUser: false,
  isSubscribed: false,
  isStopped: false,
  subscriptionStatus: null,
  trialEndsAt: null,
  freeUntil: null,
  entitlements: { suiteUser: false, isBeta: false },
  setupStep: 'password',
} as const;

/** Everything that the pages need to know of whoever asks, in one answer of two statements. */
export async function describeMe(context: Context): Promise<Me> {
  const { engines } = context;
  const actor = await context.actor();
  const settings = await settingsOf(engines);
  const always = {
    mode: engines.installation.isSandbox ? ('sandbox' as const) : ('live' as const),
    plan: {
      trialDays: settings['plan.trialDays'],
      priceCents: settings['plan.priceCents'],
      commissionPercent: settings['money.commissionPercent'],
    },
    limits: pageLimitsOf(settings),
    now: new Date(engines.clock()),
  };
  const row = actor.kind === 'visitor' ? undefined : await findMe(engines.database, actor.userId);
  if (actor.kind === 'visitor' || row === undefined)
    return { ...nobody, ...always, storage: { usedBytes: 0, limitBytes: settings['limits.trialStorageBytes'] } };
  const status = findSubscriptionStatus(row, always.now);
  const limit = status === 'trialing' ? 'limits.trialStorageBytes' : 'limits.storageBytes';
  return {
    ...describePerson(actor, row),
    ...always,
    subscriptionStatus: status,
    storage: { usedBytes: row.storageUsedBytes, limitBytes: settings[limit] },
  };
}

function describePerson({ userId, standing }: Extract<Actor, { userId: string }>, row: MeRow) {
  const { isAdmin, isFree, isSubscribed, isStopped } = standing;
  const { email, displayName, handle, bio, country, timeZone, locale, hasPassword, homeScreenWizardCompleted } = row;
  const { suiteUser, isBeta, setupStep, trialEndsAt, freeUntil, avatarName, hasPublicPage, birthDate, wantsNews } = row;
  return {
    user: {
      id: userId,
      email,
      displayName,
      handle,
      bio: bio ?? '',
      avatarUrl: avatarName === null ? null : avatarUrl(avatarName),
      hasPublicPage,
      country,
      timeZone,
      locale,
      hasPassword,
      homeScreenWizardCompleted,
      consent: setupStep === 'first_step' && birthDate !== null ? { birthDate, wantsNews } : null,
    },
    hasAccess: hasAccess(standing) && !isStopped,
    isAdmin,
    isFreeUser: isFree,
    isSubscribed,
    isStopped,
    trialEndsAt,
    freeUntil,
    entitlements: { suiteUser, isBeta },
    setupStep,
  };
}
