import * as z from 'zod';
import { planContract } from '#features/accounts/plan-contract.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { mostPausedMonths } from './pauses/pause-rules.ts';

const tags = ['billing'];
const everybody = { who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' } as const;
const Nothing = z.object({});
const SessionId = boundedText(100).regex(/^cs_\w{1,90}$/);

/** What became of a checkout, for the page to which its payer comes back. */
export const Arrival = z.object({
  /**
   * `checking`: nothing is known yet. `ready`: it is theirs. `needs_email`: the address is to be confirmed. `failed`: nothing was
   * charged. `unknown`: it is none of this browser's.
   */
  state: z.enum(['checking', 'ready', 'needs_email', 'failed', 'unknown']),
  /** A free trial has begun with it: what is left of one that they had already is none. */
  isTrial: z.boolean(),
  /** Masked: "b•••@example.com". */
  email: z.string().nullable(),
  /** Of `needs_email`: in how long another email can be asked for. */
  resendAfterMs: z.int().optional(),
});
export type Arrival = z.infer<typeof Arrival>;

export const PlanInvoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  at: z.date(),
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  state: z.enum(['paid', 'open', 'failed', 'partly_refunded', 'refunded']),
  url: z.string().nullable(),
});
export type PlanInvoice = z.infer<typeof PlanInvoice>;

/** How a plan stands, as far as the provider may know it better. */
export const KnownPlanState = z.object({
  /** The word by which access is decided; null where there never was a plan. */
  status: z.string().nullable(),
  isPaused: z.boolean(),
  trialEnd: z.date().nullable(),
  periodEnd: z.date().nullable(),
  cancelAtPeriodEnd: z.boolean(),
});
export type KnownPlanState = z.infer<typeof KnownPlanState>;

/** A plan before the provider was asked, and after. */
export const Recomputed = z.object({ before: KnownPlanState, after: KnownPlanState });
export type Recomputed = z.infer<typeof Recomputed>;

/** A creator's own plan. */
export const PlanState = z.object({
  /** What may be done about it: `off` where nothing can be paid here. */
  kind: z.enum(['off', 'none', 'trial', 'plan', 'paused', 'ended', 'free', 'admin']),
  status: z.string().nullable(),
  priceCents: z.int(),
  currency: z.string(),
  trialEnd: z.date().nullable(),
  /** When the next month is paid for. */
  periodEnd: z.date().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** One that has begun or is to begin; `from` is unknown where it was begun elsewhere, `until` where it has no end. */
  pause: z.object({ from: z.date().nullable(), until: z.date().nullable() }).nullable(),
  /** The pauses that can be chosen, each with the day on which the plan is paid for again. */
  pauses: z.array(z.object({ months: z.int(), until: z.date() })),
  endedAt: z.date().nullable(),
  freeUntil: z.date().nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** When a payment that failed is tried again. */
  nextAttemptAt: z.date().nullable(),
  /** Its renewal has not been charged: `soon`, which takes about an hour, or `stuck`, because its bill can't be made. */
  renewal: z.enum(['soon', 'stuck']).nullable(),
  /** When a renewal that is stuck ends it. */
  stuckUntil: z.date().nullable(),
  /** Until when the first payment can be taken back; null when it cannot. */
  moneyBackUntil: z.date().nullable(),
  isRefunding: z.boolean(),
  /** The provider can be asked for another card. */
  canChangeCard: z.boolean(),
  invoices: z.array(PlanInvoice),
  isSandbox: z.boolean(),
});
export type PlanState = z.infer<typeof PlanState>;

const change = (path: `/${string}`) =>
  signedInPromise('none')
    .route({ method: 'POST', path, tags })
    .errors(refusing('CONFLICT', 'PROVIDER_DOWN'))
    .input(Nothing.optional());

export const billingContract = {
  ...planContract,
  /** A checkout of their own plan; what is left of their trial stays free. */
  createPlanCheckout: signedInPromise('none')
    .route({ method: 'POST', path: '/create-plan-checkout', tags })
    .errors(refusing('ALREADY_PURCHASED', 'SETUP_REQUIRED', 'CONFLICT', 'PROVIDER_DOWN'))
    .input(z.object({ mode: z.literal('embedded') }))
    .output(z.object({ clientSecret: z.string() })),
  /** Asks the provider at once; nothing here waits for what it tells. */
  arrive: promise(everybody)
    .route({ method: 'POST', path: '/checkout-arrival', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({ sessionId: SessionId }))
    .output(Arrival),
  /** The email that confirms the address, once more. */
  mailAgain: promise(everybody)
    .route({ method: 'POST', path: '/checkout-email', tags })
    .errors(refusing('GONE'))
    .input(z.object({ sessionId: SessionId }))
    .output(z.object({ resendAfterMs: z.int() })),
  plan: signedInPromise('none')
    .route({ method: 'GET', path: '/plan', tags })
    .input(Nothing.optional())
    .output(PlanState),
  /** It runs to the end of what is paid for. */
  cancelPlan: change('/plan/cancel').output(PlanState),
  resumePlan: change('/plan/resume').output(PlanState),
  /** From the end of what is paid for. */
  pausePlan: signedInPromise('none')
    .route({ method: 'POST', path: '/plan/pause', tags })
    .errors(refusing('CONFLICT', 'PROVIDER_DOWN'))
    .input(z.object({ months: z.int().min(1).max(mostPausedMonths) }))
    .output(PlanState),
  /** A pause that is to come is taken back; one that has begun ends, and a month is paid for. */
  endPause: change('/plan/end-pause').output(PlanState),
  /** Once per person: the first payment back, and the plan ends now. */
  moneyBack: change('/plan/money-back').output(PlanState),
  /** Where another card is given. */
  changeCard: change('/plan/card').output(z.object({ url: z.string() })),
};
