import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { isMomentCursor } from '#features/albums/rules.ts';
import { ShownTerms } from '#features/orders/contract.ts';
import { PayoutStatus } from '#features/payouts/contract.ts';
import { boundedText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise, promise, setUpPromise, signedInPromise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { PaidRequest } from './paid-contract.ts';
import {
  leastRequestCents,
  longestWords,
  mostDays,
  mostOpenRequests,
  mostPriceItems,
  mostQuantity,
  mostRequestCents,
  reportReasons,
  requestStates,
} from './rules.ts';

export { PaidRequest };

const tags = ['requests'];
const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const Price = z.int().min(leastRequestCents).max(mostRequestCents);
const Words = proseText(longestWords, `Use at most ${longestWords} characters`);
const Days = z.int().min(1).max(mostDays);
const Kind = z.enum(['photo', 'video', 'both']);

export const PriceItem = z.object({ title: trimmedText(80, 'Use at most 80 characters').min(1), cents: Price });

/** What a creator says of custom work. */
export const RequestSettings = z.object({
  isOn: z.boolean(),
  leastCents: Price,
  priceList: z.array(PriceItem).max(mostPriceItems),
  /** How long they need, where they say nothing else. */
  days: Days,
  wontDo: Words,
  /** So many that they have answered may be open at a time. */
  mostOpen: z.int().min(1).max(mostOpenRequests),
});
export type RequestSettings = z.infer<typeof RequestSettings>;

/** Whom something is asked of: their own page, or a link that this browser was let in by. */
const Of = z.object({ handle: boundedText(40).optional(), slug: boundedText(80).optional() });

/** What is said to whoever wants to ask. */
export const Offer = z.object({
  creatorName: z.string(),
  leastCents: z.int(),
  mostCents: z.int(),
  priceList: z.array(PriceItem),
  days: z.int(),
  wontDo: z.string(),
  /** They take no more just now. */
  isFull: z.boolean(),
  currency: z.string(),
  isSandbox: z.boolean(),
});
export type Offer = z.infer<typeof Offer>;

export const RequestInput = z.object({
  title: trimmedText(80, 'Use at most 80 characters').min(1, 'Give it a title'),
  brief: proseText(1500, 'Use at most 1,500 characters').min(1, 'Say what you would like'),
  kind: Kind,
  quantity: z.int().min(1).max(mostQuantity),
  /** Of a video. */
  lengthMinutes: z.int().min(1).max(60).nullable().default(null),
  wantedBy: z.iso.date().nullable().default(null),
  offeredCents: z.int(),
});
export type RequestInput = z.infer<typeof RequestInput>;

/** As people see it: what became of its payment is said first. */
export const ShownState = z.enum([...requestStates, 'reported', 'disputed', 'charged_back']);
export type ShownState = z.infer<typeof ShownState>;

const Event = z.object({
  who: z.enum(['buyer', 'creator', 'staff', 'system']),
  what: z.string(),
  text: z.string(),
  amountCents: z.int().nullable(),
  at: z.date(),
});

const Both = z.object({
  reference: z.string(),
  title: z.string(),
  brief: z.string(),
  kind: Kind,
  quantity: z.int(),
  lengthMinutes: z.int().nullable(),
  wantedBy: z.iso.date().nullable(),
  offeredCents: z.int(),
  agreedCents: z.int().nullable(),
  currency: z.string(),
  state: ShownState,
  isCounter: z.boolean(),
  actUntil: z.date().nullable(),
  dueAt: z.date().nullable(),
  dueDays: z.int().nullable(),
  wasRevised: z.boolean(),
  endReason: z.string().nullable(),
  refundedCents: z.int(),
  at: z.date(),
  events: z.array(Event),
  isSandbox: z.boolean(),
});

/** A request as whoever asked follows it. */
export const FollowedRequest = Both.extend({
  code: z.string(),
  creatorName: z.string(),
  /** This browser asked, or has proven the address; others may only read. */
  isYours: z.boolean(),
  /** Masked: "b•••@example.com". */
  email: z.string(),
  receiptPath: z.string().nullable(),
  canOpen: z.boolean(),
  /** What the card statement of whoever pays shows. */
  statementDescriptor: z.string(),
  /** It was released, and until then something wrong with it can be reported. */
  reportUntil: z.date().nullable(),
});
export type FollowedRequest = z.infer<typeof FollowedRequest>;

/** A request as its creator sees it: never who asks. */
export const OwnRequest = Both.extend({
  id: Uuid,
  /** By which link it was asked for; null for their own page. */
  linkName: z.string().nullable(),
  /** Whoever asks has taken another payment to them to their bank. Not when: with the day they could tell who it is. */
  hasDisputed: z.boolean(),
  /** Their part of what was agreed, or else of what is offered. */
  shareCents: z.int(),
  /** Once it is done: their part has not left yet, or waits until their payout account can take it. */
  sending: z.enum(['on_way', 'waits']).nullable(),
  days: z.int(),
  album: z.object({ id: Uuid, name: z.string() }).nullable(),
});
export type OwnRequest = z.infer<typeof OwnRequest>;

export const RequestFilter = z.enum(['open', 'done']);
export type RequestFilter = z.infer<typeof RequestFilter>;

export const RequestRow = OwnRequest.pick({
  id: true,
  title: true,
  state: true,
  isCounter: true,
  actUntil: true,
  dueAt: true,
  offeredCents: true,
  agreedCents: true,
  currency: true,
  at: true,
});
export type RequestRow = z.infer<typeof RequestRow>;

/** A request in the list of whoever asked. */
export const MyRequest = FollowedRequest.pick({
  code: true,
  title: true,
  creatorName: true,
  state: true,
  offeredCents: true,
  agreedCents: true,
  currency: true,
  at: true,
});
export type MyRequest = z.infer<typeof MyRequest>;

const Code = z.object({ code: boundedText(80) });
const Which = z.object({ requestId: Uuid });
const forEverybody = promise({ who: everybody, subject: 'none' });
const asked = (path: `/${string}`) =>
  forEverybody.route({ method: 'POST', path, tags }).errors(refusing('NOT_FOUND', 'CONFLICT', 'GONE', 'DISPUTED'));
/** What asks for money that is not paid yet needs a plan. */
const quoted = (path: `/${string}`) => creatorPromise('request').route({ method: 'POST', path, tags });
/** What was paid for is delivered or given back, and what is not taken is declined, with a plan or without. */
const answered = (path: `/${string}`) => setUpPromise('request').route({ method: 'POST', path, tags });

export const requestsContract = {
  offer: forEverybody
    .route({ method: 'GET', path: '/requests/offer', tags })
    .errors(refusing('NOT_FOUND'))
    .input(Of)
    .output(Offer),
  /** Mails a code to whoever asks: it proves where the answer goes. */
  mailCode: asked('/requests/code')
    .input(Of.extend({ email: Email }))
    .output(z.object({ resendAfterMs: z.int() })),
  ask: asked('/requests')
    .errors(refusing('PRICE_OUT_OF_RANGE'))
    .input(Of.extend({ ...RequestInput.shape, emailCode: boundedText(6), timeZone: boundedText(60).optional() }))
    .output(z.object({ code: z.string() })),
  show: forEverybody
    .route({ method: 'GET', path: '/requests/by-code/{code}', tags })
    .errors(refusing('NOT_FOUND'))
    .input(Code)
    .output(FollowedRequest),
  /** What this browser has asked for, or somebody with the address that it has proven. */
  mine: forEverybody
    .route({ method: 'GET', path: '/my-requests', tags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(MyRequest) })),
  /** Mails a link to the address that asked, by which another browser proves it. */
  mailLink: asked('/requests/link').input(Code).output(z.object({})),
  claim: asked('/requests/claim')
    .input(Code.extend({ token: boundedText(100), timeZone: boundedText(60).optional() }))
    .output(z.object({})),
  pay: asked('/requests/pay')
    .errors(refusing('PRICE_CHANGED', 'BUYER_LIMIT', 'PROVIDER_DOWN', 'UNAVAILABLE'))
    .input(Code.extend({ amountCents: z.int(), shownTerms: ShownTerms.optional() }))
    .output(z.object({ url: z.string() })),
  /** What whoever asked says to a quote or a delivery. */
  say: asked('/requests/say')
    .input(Code.extend({ what: z.enum(['withdraw', 'accept', 'revise', 'complain']), text: Words.default('') }))
    .output(FollowedRequest),
  /** What is wrong with a delivery that was released: we look at it, once. */
  report: asked('/requests/report')
    .input(Code.extend({ reason: z.enum(reportReasons), text: Words.min(1, 'Say what is wrong') }))
    .output(FollowedRequest),
  open: asked('/requests/open')
    .input(Code.extend({ timeZone: boundedText(60).optional() }))
    .output(z.object({ viewPath: z.string() })),
  paid: forEverybody
    .route({ method: 'GET', path: '/requests/paid/{sessionId}', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({ sessionId: boundedText(200) }))
    .output(PaidRequest),
  settings: signedInPromise('none')
    .route({ method: 'GET', path: '/request-settings', tags })
    .input(z.object({}))
    .output(RequestSettings.extend({ account: PayoutStatus, currency: z.string() })),
  changeSettings: creatorPromise('none')
    .route({ method: 'PUT', path: '/request-settings', tags })
    .errors(refusing('PAYOUTS_NOT_READY'))
    .input(RequestSettings)
    .output(z.object({})),
  list: signedInPromise('none')
    .route({ method: 'GET', path: '/requests', tags })
    .input(
      z.object({
        filter: RequestFilter.default('open'),
        /** Where the page before ended. */
        cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(
      z.object({
        rows: z.array(RequestRow),
        open: z.int(),
        waiting: z.int(),
        isOn: z.boolean(),
        nextCursor: z.string().nullable(),
      }),
    ),
  one: signedInPromise('request')
    .route({ method: 'GET', path: '/requests/{requestId}', tags })
    .input(Which)
    .output(OwnRequest),
  accept: quoted('/requests/{requestId}/accept')
    .errors(refusing('PAYOUTS_NOT_READY', 'PRICE_OUT_OF_RANGE', 'GONE', 'DISPUTED'))
    .input(Which.extend({ days: Days }))
    .output(OwnRequest),
  counter: quoted('/requests/{requestId}/counter')
    .errors(refusing('PAYOUTS_NOT_READY', 'PRICE_OUT_OF_RANGE', 'GONE', 'DISPUTED'))
    .input(Which.extend({ cents: Price, days: Days, text: Words.default('') }))
    .output(OwnRequest),
  decline: answered('/requests/{requestId}/decline')
    .errors(refusing('GONE', 'DISPUTED'))
    .input(Which.extend({ text: Words.default('') }))
    .output(OwnRequest),
  /** Gives back what was paid. */
  cancel: answered('/requests/{requestId}/cancel')
    .errors(refusing('GONE', 'DISPUTED'))
    .input(Which.extend({ text: Words.default('') }))
    .output(OwnRequest),
  /** An album becomes what was asked for, behind a link for one person. */
  deliver: answered('/requests/{requestId}/deliver')
    .errors(refusing('GONE', 'DISPUTED', 'ALBUM_EMPTY', 'CONSENT_MISSING'))
    .input(Which.extend({ albumId: Uuid, text: Words.default('') }))
    .output(OwnRequest),
};
