import * as z from 'zod';
import { ShownTerms } from '#features/orders/contract.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { promise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { MonthCount, SoldTier, Subscription } from './sale-contract.ts';

const tags = ['viewing'];
const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const Handle = boundedText(40);
const Which = z.object({ fanId: Uuid });

const change = (path: `/${string}`) =>
  promise({ who: ['viewer'], subject: 'fan' })
    .route({ method: 'POST', path, tags })
    .errors(refusing('NOT_FOUND', 'CONFLICT', 'PROVIDER_DOWN'));

/** What fans do about what they pay every month. Whose it is tells the browser that paid, or a proven address. */
export const subscribingContract = {
  /** What may be subscribed to on a creator's own page; refused alike for a page that is not there and one that is not open. */
  creatorTiers: promise({ who: everybody, subject: 'none' })
    .route({ method: 'GET', path: '/creators/{handle}/tiers', tags })
    .errors(refusing('NOT_FOUND'))
    .input(z.object({ handle: Handle }))
    .output(
      z.object({
        tiers: z.array(SoldTier),
        currency: z.string(),
        /** They can be paid; without it nothing is to be offered. */
        isPayable: z.boolean(),
        isSandbox: z.boolean(),
      }),
    ),
  /** Where a tier is paid for without any link; one order for one browser, however often it is tapped. */
  subscribe: promise({ who: ['visitor', 'viewer'], subject: 'none' })
    .route({ method: 'POST', path: '/creators/{handle}/subscribe', tags })
    .errors(
      refusing(
        'NOT_FOUND',
        'ALREADY_PURCHASED',
        'BUYER_LIMIT',
        'PRICE_CHANGED',
        'CONFLICT',
        'UNAVAILABLE',
        'PROVIDER_DOWN',
      ),
    )
    .input(
      z.object({
        handle: Handle,
        tierId: Uuid,
        months: MonthCount.default(1),
        priceCents: z.int(),
        shownTerms: ShownTerms.optional(),
        timeZone: boundedText(60).optional(),
      }),
    )
    .output(z.object({ url: z.string() })),
  subscriptions: promise({ who: everybody, subject: 'none' })
    .route({ method: 'GET', path: '/my-subscriptions', tags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(Subscription) })),
  /** It runs to the end of what is paid for. */
  cancelSubscription: change('/my-subscriptions/cancel').input(Which).output(z.object({})),
  resumeSubscription: change('/my-subscriptions/resume').input(Which).output(z.object({})),
  /** From the next renewal on it costs what new subscribers pay. */
  agreeToPrice: change('/my-subscriptions/agree')
    .errors(refusing('PRICE_CHANGED'))
    .input(Which.extend({ priceCents: z.int() }))
    .output(z.object({})),
  /** Where another card is given. */
  subscriptionCard: change('/my-subscriptions/card')
    .input(Which)
    .output(z.object({ url: z.string() })),
  /** Back from there: asks the provider now. */
  checkSubscriptions: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/my-subscriptions/check', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({}))
    .output(z.object({})),
  /** Where it opens in this browser, which may have to become one more of the viewer who subscribed. */
  openSubscription: change('/my-subscriptions/open')
    .input(Which.extend({ timeZone: boundedText(60).optional() }))
    .output(z.object({ viewPath: z.string() })),
};
