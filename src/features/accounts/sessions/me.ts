import { pageLimitsOf } from '#features/settings/page-limits.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { siteStateOf } from '#features/settings/site-state.ts';
import { type Actor, type Context, hasAccess } from '#wire/context.ts';
import type { Me } from '../contract.ts';
import { findSubscriptionStatus, isHomeScreenDue, storageLimitOf } from '../rules.ts';
import { findMe, type MeRow } from '../store.ts';
import { avatarUrl } from '../stored-avatar.ts';

const nobody = {
  user: null,
  hasAccess: false,
  isAdmin: false,
  needsSecondFactor: false,
  isFreeUser: false,
  isSubscribed: false,
  isStopped: false,
  isLocked: false,
  subscriptionStatus: null,
  trialEndsAt: null,
  planIsPaused: false,
  planPausedUntil: null,
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
    contentPolicy: engines.installation.contentPolicy ?? ('no_explicit' as const),
    mode: engines.installation.isSandbox ? ('sandbox' as const) : ('live' as const),
    plan: {
      trialDays: settings['plan.trialDays'],
      priceCents: settings['plan.priceCents'],
      commissionPercent: settings['money.commissionPercent'],
      isSold: !engines.payments.isOff,
    },
    limits: pageLimitsOf(settings),
    site: siteStateOf(settings),
    now: new Date(engines.clock()),
  };
  const row = actor.kind === 'visitor' ? undefined : await findMe(engines.database, actor.userId, always.now);
  if (actor.kind === 'visitor' || row === undefined)
    return {
      ...nobody,
      ...always,
      adminScopes: [],
      isLocked: actor.kind === 'visitor' && actor.lockedUserId !== undefined,
      storage: { usedBytes: 0, limitBytes: settings['limits.trialStorageBytes'] },
    };
  return {
    ...describePerson(actor, row, always.now),
    ...always,
    subscriptionStatus: findSubscriptionStatus(row, always.now),
    storage: { usedBytes: row.storageUsedBytes, limitBytes: storageLimitOf(settings, row, always.now) },
  };
}

function describePerson({ userId, access, adminScopes }: Extract<Actor, { userId: string }>, row: MeRow, now: Date) {
  const { isAdmin, isFree, isSubscribed, isStopped } = access;
  const { email, displayName, handle, bio, country, timeZone, locale, hasPassword, homeScreenWizardCompleted } = row;
  const { homeScreenSkips, homeScreenSkippedAt, hasAppLock, hasSecondFactor, planIsPaused, planPausedUntil } = row;
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
      isHomeScreenDue: isHomeScreenDue(
        { isCompleted: homeScreenWizardCompleted, skips: homeScreenSkips, skippedAt: homeScreenSkippedAt },
        now,
      ),
      hasAppLock,
      hasSecondFactor,
      consent: setupStep === 'first_step' && birthDate !== null ? { birthDate, wantsNews } : null,
    },
    hasAccess: hasAccess(access) && !isStopped,
    isAdmin,
    adminScopes: [...adminScopes],
    needsSecondFactor: row.needsSecondFactor,
    isFreeUser: isFree,
    isSubscribed,
    isStopped,
    isLocked: false,
    trialEndsAt,
    planIsPaused,
    planPausedUntil,
    freeUntil,
    entitlements: { suiteUser, isBeta },
    setupStep,
  };
}
