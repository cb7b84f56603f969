import { type Settings, settingsFrom } from '#features/settings/rules.ts';
import { siteStateOf } from '#features/settings/site-state.ts';
import { type Confirmation, listShownClaims } from './claims/claims.ts';
import type { Facts } from './contract.ts';
import { chooseVideo } from './demo-video.ts';

/** A stream of Google's measurement, as its address in their pages reads. */
const gtagId = /^G-[A-Z0-9]{4,16}$/;

/** What is known of the installation itself. */
interface Named {
  publicUrl: string;
  isSandbox: boolean;
  /** Somebody takes the payments for the plan. */
  sellsPlans?: boolean | undefined;
  /** What may be shown here. */
  contentPolicy?: Facts['contentPolicy'] | undefined;
  operatorName?: string | undefined;
  operatorEmail?: string | undefined;
  /** The server of a language model that words Sofia's answers. */
  assistantHost?: string | null | undefined;
  /** The built-in demo video lies beside the pages. */
  hasDemoVideo?: boolean | undefined;
}

const creditsIn = (settings: Settings): Facts['credits'] => ({
  trace: settings['credits.trace'],
  freeTraces: settings['credits.freeTraces'],
  storage: settings['credits.storage'],
  storageBytes: settings['credits.storageBytes'],
  storageDays: settings['credits.storageDays'],
  videoHour: settings['credits.videoHour'],
  freeVideoHours: settings['limits.videoHours'],
});

/** What the public pages say that depends on the installation, its settings and its confirmed claims. */
export function factsOf(
  {
    publicUrl,
    isSandbox,
    sellsPlans = true,
    contentPolicy = 'no_explicit',
    operatorName,
    operatorEmail,
    assistantHost = null,
    hasDemoVideo = false,
  }: Named,
  settings: Settings,
  confirmations: readonly Confirmation[],
  now: Date,
): Facts {
  const slug = settings['marketing.demoLinkSlug'];
  const measured = settings['marketing.gtagId'];
  return {
    publicUrl,
    isSandbox,
    // Whoever takes the payments for the plan takes those for albums, tips and subscriptions.
    takesPayments: sellsPlans,
    sellsPlans,
    contentPolicy,
    operator: { name: operatorName ?? null, email: operatorEmail ?? null },
    plan: {
      trialDays: settings['plan.trialDays'],
      priceCents: settings['plan.priceCents'],
      commissionPercent: settings['money.commissionPercent'],
    },
    limits: {
      leaseSeconds: settings['viewing.leaseSeconds'],
      undoHours: settings['links.undoHours'],
      storageBytes: settings['limits.storageBytes'],
      trialStorageBytes: settings['limits.trialStorageBytes'],
    },
    affiliates: {
      sharePercent: settings['affiliates.sharePercent'],
      months: settings['affiliates.months'],
      attributionDays: settings['affiliates.attributionDays'],
      payoutCents: settings['affiliates.payoutCents'],
    },
    credits: creditsIn(settings),
    payouts: {
      settlementDays: settings['money.settlementDays'],
      disputedSettlementDays: settings['money.disputedSettlementDays'],
      mostDebtCents: settings['money.mostDebtCents'],
    },
    assistantHost,
    sessionDays: settings['accounts.sessionDays'],
    demoUrl: slug === '' ? null : `${publicUrl}/view/${slug}`,
    video: chooseVideo(settings.youtube_video_url, hasDemoVideo),
    site: siteStateOf(settings),
    gtagId: gtagId.test(measured) ? measured : null,
    countsVisits: settings['marketing.countVisits'] === 1,
    claims: listShownClaims(confirmations, { isSandbox, now }),
  };
}

/** Until the server has answered: nobody is named, nothing is claimed, and the numbers are those of a new installation. */
export const usualFacts: Facts = factsOf({ publicUrl: '', isSandbox: false }, settingsFrom(new Map()), [], new Date(0));
