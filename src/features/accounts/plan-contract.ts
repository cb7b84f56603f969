import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { Email } from './contract.ts';

const everybody = { who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' } as const;
const tags = ['billing'];

/** How a plan stands, as the route guard asks for it. */
export const PlanCheck = z.object({
  /** Null when there never was a plan. */
  subscription_status: z.string().nullable(),
  trial_end: z.date().nullable(),
  period_end: z.date().nullable(),
  cancel_at_period_end: z.boolean(),
});

/** What a browser needs to show the frame in which a plan is taken. */
export const StripeConfig = z.object({
  publishableKey: z.string(),
  /** The provider's script; left out where the frame is a page of ours. */
  scriptUrl: z.string().optional(),
  mode: z.enum(['sandbox', 'test', 'live']),
});
export type StripeConfig = z.infer<typeof StripeConfig>;

/** The part of billing that the ways in need: joining takes a plan, and the guard asks how one stands. */
export const planContract = {
  /** Asks the provider where what is known here may be old. */
  checkSubscription: signedInPromise('none')
    .route({ method: 'POST', path: '/check-subscription', tags })
    .input(z.object({}).optional())
    .output(PlanCheck),
  stripeConfig: promise(everybody)
    .route({ method: 'GET', path: '/get-stripe-config', tags })
    .errors(refusing('CONFLICT', 'PROVIDER_DOWN'))
    .input(z.object({}).optional())
    .output(StripeConfig),
  /** Answers alike whether or not the address is known, or has had its trial: an email tells. */
  createTrialCheckout: promise({ ...everybody, neutral: true })
    .route({ method: 'POST', path: '/create-trial-checkout', tags })
    .errors(refusing('CONFLICT', 'PROVIDER_DOWN', 'RATE_LIMITED', 'UNAVAILABLE'))
    .input(z.object({ email: Email, mode: z.literal('embedded'), trialCode: boundedText(40).optional() }))
    .output(z.object({ clientSecret: z.string() })),
};
