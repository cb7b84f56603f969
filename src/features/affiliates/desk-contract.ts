import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';
import { mostShareBps, partnerStates, voidReasons } from './rules.ts';

const tags = ['admin'];
const Nothing = z.object({});
const AboutPartner = z.object({ affiliateId: Uuid });
const Reason = proseText(500, 'Use at most 500 characters').min(1, 'Say why: they read it');
const Note = proseText(500, 'Use at most 500 characters');

/** A partner or an application, as the operator sees it. */
export const ListedPartner = z.object({
  id: Uuid,
  userId: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  state: z.enum(partnerStates),
  code: z.string().nullable(),
  sharePercent: z.number().nullable(),
  isClaimed: z.boolean(),
  createdAt: z.date(),
  clicks: z.int(),
  signUps: z.int(),
  active: z.int(),
  voided: z.int(),
  earnedCents: z.int(),
  pendingCents: z.int(),
  payableCents: z.int(),
  paidCents: z.int(),
  debtCents: z.int(),
});
export type ListedPartner = z.infer<typeof ListedPartner>;

export const PartnerCard = ListedPartner.extend({
  audience: z.string(),
  note: z.string(),
  decidedAt: z.date().nullable(),
  /** What should be looked at before they are paid. */
  hints: z.array(z.string()),
  referrals: z.array(
    z.object({
      id: Uuid,
      /** Null once the account is gone. */
      userId: z.string().nullable(),
      source: z.enum(['link', 'code']),
      signedUpAt: z.date(),
      endsAt: z.date(),
      voidAt: z.date().nullable(),
      voidReason: z.enum(voidReasons).nullable(),
      voidNote: z.string(),
      /** An administrator has looked at it, and lets it count. */
      isKept: z.boolean(),
      earnedCents: z.int(),
    }),
  ),
});
export type PartnerCard = z.infer<typeof PartnerCard>;

/** Who would get what in a run that is made now. */
export const RunPlan = z.object({
  lines: z.array(
    z.object({
      affiliateId: Uuid,
      name: z.string(),
      email: z.string(),
      currency: z.string(),
      payableCents: z.int(),
      debtCents: z.int(),
      amountCents: z.int(),
    }),
  ),
  totalCents: z.int(),
  leastCents: z.int(),
});
export type RunPlan = z.infer<typeof RunPlan>;

export const RunLine = z.object({
  id: Uuid,
  affiliateId: Uuid,
  name: z.string(),
  email: z.string().nullable(),
  code: z.string().nullable(),
  /** What goes back before it is paid makes it smaller than it was. */
  amountCents: z.int(),
  madeCents: z.int(),
  currency: z.string(),
  state: z.enum(['open', 'paid', 'canceled']),
  note: z.string(),
  settledAt: z.date().nullable(),
  /** When nothing was left to pay of it. */
  leftAt: z.date().nullable(),
  runId: Uuid,
  runAt: z.date(),
});
export type RunLine = z.infer<typeof RunLine>;

const owner = adminPromise('owner');
/** What partners are paid; who they are is decided by an owner. */
const finance = adminPromise('finance');

/** Partners, what they bring, and what they are paid. */
export const adminAffiliatesContract = {
  list: finance
    .route({ method: 'GET', path: '/admin/affiliates', tags })
    .input(z.object({ state: z.enum(partnerStates).optional() }))
    .output(z.object({ partners: z.array(ListedPartner) })),
  show: finance
    .route({ method: 'GET', path: '/admin/affiliates/{affiliateId}', tags })
    .input(AboutPartner)
    .output(PartnerCard),
  approve: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/approve', tags })
    .input(AboutPartner)
    .output(Nothing),
  reject: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/reject', tags })
    .input(AboutPartner.extend({ reason: Reason }))
    .output(Nothing),
  pause: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/pause', tags })
    .input(AboutPartner.extend({ reason: Reason }))
    .output(Nothing),
  resume: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/resume', tags })
    .input(AboutPartner)
    .output(Nothing),
  /** Ends it for good: what was earned is still paid, and nothing more is. */
  close: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/close', tags })
    .input(AboutPartner.extend({ reason: Reason }))
    .output(Nothing),
  /** Changes the share of bills that are paid from now on. */
  changeShare: owner
    .route({ method: 'POST', path: '/admin/affiliates/{affiliateId}/share', tags })
    .input(
      AboutPartner.extend({
        sharePercent: z
          .int()
          .min(0)
          .max(mostShareBps / 100),
      }),
    )
    .output(Nothing),
  voidReferral: owner
    .route({ method: 'POST', path: '/admin/affiliates/referrals/{referralId}/void', tags })
    .input(z.object({ referralId: Uuid, reason: z.enum(voidReasons), note: Note }))
    .output(Nothing),
  /** Lets a referral count that was void; nothing makes it void by itself any more. */
  restoreReferral: owner
    .route({ method: 'POST', path: '/admin/affiliates/referrals/{referralId}/restore', tags })
    .input(z.object({ referralId: Uuid }))
    .output(Nothing),
  planRun: finance
    .route({ method: 'GET', path: '/admin/affiliate-run', tags })
    .input(Nothing.optional())
    .output(RunPlan),
  /** Makes the run that was read; one that would be another is refused. */
  makeRun: finance
    .route({ method: 'POST', path: '/admin/affiliate-run', tags })
    .input(z.object({ partners: z.int().min(1).max(1000), totalCents: z.int().min(1) }))
    .output(z.object({ partners: z.int() })),
  runs: finance
    .route({ method: 'GET', path: '/admin/affiliate-runs', tags })
    .input(Nothing.optional())
    .output(z.object({ lines: z.array(RunLine) })),
  /** Notes what was paid by hand of a line, or that nothing was. */
  settleLine: finance
    .route({ method: 'POST', path: '/admin/affiliate-payouts/{payoutId}', tags })
    .input(z.object({ payoutId: Uuid, paidCents: z.int().min(1).nullable(), note: Note }))
    .output(Nothing),
};
