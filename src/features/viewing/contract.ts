import * as z from 'zod';
import { Reason } from '#features/access/contract.ts';
import { Email } from '#features/accounts/contract.ts';
import { VideoLeases, WantedSegments } from '#features/media/contract.ts';
import { boundedText, nameText, optionalName, proseText, secretText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise, promise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { pageSalesContract } from './page-sales-contract.ts';
import { viewerPassesContract } from './passes-contract.ts';
import { myAccessContract } from './recovery/my-access-contract.ts';
import { EventAnswer, EventReport } from './reporting/reporting-contract.ts';
import { CheckoutStatus, Purchase, Sale } from './sale-contract.ts';
import { subscribingContract } from './subscribing-contract.ts';

/** Pictures a viewer may be lent: of a photo, and of a video. */
export const Rendition = z.enum(['p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard']);
export type Rendition = z.infer<typeof Rendition>;

/** The creator as they show themselves above the first gate. */
export const Host = z.object({
  name: z.string(),
  welcomeText: z.string(),
  /** Their picture, when they have one: WebP of at most 3 KB as a data: address. */
  avatar: z.string().max(4119).optional(),
});
export type Host = z.infer<typeof Host>;

/**
 * A decision's reason, or why a screen ends that may be opened again: `CLOSED` (by the creator, or after a pause) and
 * `CODE_WRONG` (a resume code that nobody has); `NEED_EMAIL_CODE` asks for the code that was sent to an address, `CODE_SENT` for
 * one to come back with.
 */
export const RefusalReason = z.enum([...Reason.options, 'CLOSED', 'CODE_WRONG', 'CODE_SENT', 'NEED_EMAIL_CODE']);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** A text that is asked to be agreed to, in the version that is in force. */
export const AgreementToRead = z.object({ id: Uuid, title: z.string(), body: z.string(), asksName: z.boolean() });

/**
 * What `open` answers instead of a stream: a gate (200), or an end (410). All texts are ready to show. In the middle of a
 * stream it is a frame of kind 2, the last one.
 */
export const Refusal = z.object({
  code: z.literal('LINK'),
  reason: RefusalReason,
  title: z.string(),
  text: z.string(),
  host: Host.optional(),
  /** Milliseconds until this may change by itself (NOT_YET, rate limits); run it on a monotonic clock. */
  waitMs: z.number().optional(),
  triesLeft: z.number().optional(),
  /** The creator can be asked for access now, or has been asked and the question can be taken back. */
  asking: z.enum(['open', 'pending']).optional(),
  sale: Sale.optional(),
  /** The text that is to be agreed to. */
  agreement: AgreementToRead.optional(),
  /** Of a link that has not begun: where this browser is reminded, masked. */
  reminder: z.string().max(254).optional(),
});
export type Refusal = z.infer<typeof Refusal>;

/** One picture of the gallery, as the first frame of `open` lists it. */
export const ViewItem = z.object({
  /** Number of the item in kind 1 frames; the position in this list. */
  n: z.int(),
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  width: z.int(),
  height: z.int(),
  /** base64 of a thumbhash, about 25 bytes. */
  thumbhash: z.string(),
  caption: z.string(),
  /** Of a video. */
  durationMs: z.int().optional(),
  /** Seconds between two cells of a video's storyboard. */
  cellSeconds: z.int().optional(),
});
export type ViewItem = z.infer<typeof ViewItem>;

/** A lease without its keys: what the right to look at one rendition of one item is worth, and until when. */
export const Lease = z.object({
  leaseId: Uuid,
  mediaId: Uuid,
  rendition: Rendition,
  packId: Uuid,
  /** Header `PF-Lease` for GET /m/c/:packId/:tag. */
  token: z.string(),
  /** /m/c/<packId>/<tag> */
  url: z.string(),
  expiresInMs: z.int(),
  renewAfterMs: z.int(),
});
export type Lease = z.infer<typeof Lease>;

/** Body of kind 0 of POST /api/view/:slug/open. */
export const Opened = z.object({
  visitId: Uuid,
  albumNames: z.array(z.string()),
  host: Host,
  /** Its creator takes requests for custom work. */
  takesRequests: z.boolean().optional(),
  counts: z.object({ photos: z.int(), videos: z.int() }),
  /** Milliseconds until the link ends for this viewer; absent when it does not. */
  endsInMs: z.int().optional(),
  /** Text of the visible mark, tiled or in the corner, drawn into the canvas. */
  mark: z.object({ look: z.enum(['off', 'corner', 'tiled']), text: z.string() }),
  blurWhenUnfocused: z.boolean(),
  /** A picture is shown only while a finger or a key is held. */
  holdToView: z.boolean(),
  /** The link answers by itself when keys that copy are pressed: the page says so before. */
  warnsOnCopying: z.boolean(),
  items: z.array(ViewItem),
  /** Leases of the first screen (small pictures), in the order of the kind 1 frames that follow. */
  leases: z.array(Lease),
  renewAfterMs: z.int(),
  expiresInMs: z.int(),
  /** A screen that nobody has touched for so long is closed. */
  idleAfterMs: z.int(),
  /** Ten characters to come back from another browser; only on the first admission. */
  resumeCode: z.string().optional(),
  /** The creator looks at what is their own: it is lent to them as in the studio, and nothing is counted. */
  isPreview: z.boolean().optional(),
});
export type Opened = z.infer<typeof Opened>;

/** Who asks the creator for access, in their own words. */
export const AccessRequest = z.object({
  name: nameText(60, 'Use at most 60 characters', 1, 'Enter your name'),
  message: proseText(500, 'Use at most 500 characters').default(''),
  /** Where the answer is mailed as well. */
  email: Email.optional(),
});

/** Query of POST /api/view/:slug/gate: why the link did not open. */
export const GateShown = z.object({ reason: RefusalReason });

/** Body of POST /api/view/:slug/open. Everything is optional: the first tap sends an empty object. */
export const OpenRequest = z.object({
  /** "Yes, I am 18 or older." */
  isAdult: z.boolean().optional(),
  password: secretText(200).optional(),
  resumeCode: boundedText(20).optional(),
  /** Whom a link has let in before gets a code at this address, to come back with in this browser. */
  returnEmail: Email.optional(),
  /** An address to prove, and the six digits that were sent to it; at a link that has not begun it is mailed when it does. */
  email: Email.optional(),
  emailCode: boundedText(20)
    .transform((typed) => typed.normalize('NFKC').replaceAll(/\D/g, ''))
    .optional(),
  /** Asks the creator for access, where the link asks for that. */
  accessRequest: AccessRequest.optional(),
  /** Takes the question back. */
  withdrawsRequest: z.boolean().optional(),
  /** Wants no email when the link begins. */
  forgetsReminder: z.boolean().optional(),
  /** "Agree and open": the version that was read, and the name that was typed where one is asked for. */
  agreed: z.object({ agreementId: Uuid, name: optionalName(100, 'Use at most 100 characters').default('') }).optional(),
  /** How many items the first screen shows; their keys and packs come with the list. */
  firstScreen: z.int().min(0).max(24).default(12),
  /** The browser's facts that a header does not tell. */
  timeZone: boundedText(60).optional(),
  screen: boundedText(60)
    .transform((size) => size.slice(0, 20))
    .optional(),
  /**
   * A program drives this browser, as it says itself (WebDriver, `navigator.webdriver`): its visit is listed and not counted, and
   * where places are limited it is given none.
   */
  isDriven: z.boolean().optional(),
  /** Close the viewer's other screen and go on here. */
  takeOver: z.boolean().optional(),
});
export type OpenRequest = z.infer<typeof OpenRequest>;

/** Body of POST /api/view/leases; its answer is a stream: kind 0 = {leases}, then kind 1 per item (pack left out with `keys`). */
export const LeaseRequest = z.object({
  visitId: Uuid,
  items: z
    .array(z.object({ mediaId: Uuid, rendition: Rendition, with: z.enum(['pack', 'keys']).default('pack') }))
    .min(1)
    .max(24),
});
export type LeaseRequest = z.infer<typeof LeaseRequest>;

/** What was visible since the last renewal: one entry per item that was open, and one for the gallery (`galleryId`). */
export const Sample = z.object({
  mediaId: Uuid,
  visibleMs: z.int().min(0).max(60_000),
  /** Of a video: the seconds that were played, each stretch from its first second to the one behind its last. */
  played: z
    .array(z.tuple([z.int().min(0).max(100_000), z.int().min(1).max(100_001)]).refine(([from, to]) => from < to))
    .max(60)
    .optional(),
});
export type Sample = z.infer<typeof Sample>;

/** Keys of the next seconds of a video: a few at a time, so that they end soon when the right to them does. */
export const VideoKeysRequest = z.object({ visitId: Uuid, mediaId: Uuid, tracks: WantedSegments });
export type VideoKeysRequest = z.infer<typeof VideoKeysRequest>;

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];

export const viewingContract = {
  ...pageSalesContract,
  ...viewerPassesContract,
  ...myAccessContract,
  /**
   * Extends every lease of a visit; carries what was looked at. Refused with the reason when access has ended.
   */
  renew: promise({ who: ['viewer'], subject: 'visit' })
    .route({ method: 'POST', path: '/view/renew', tags: ['viewing'] })
    .errors({ LINK: { status: 410, message: 'Access has ended.', data: Refusal } })
    .input(
      z.object({
        visitId: Uuid,
        samples: z.array(Sample).max(50),
        /** The picture that is open now, if one is. */
        lookingAt: Uuid.optional(),
        /** Milliseconds since the last touch, key or movement. */
        idleMs: z.int().min(0),
        leaving: z.boolean().default(false),
        /** Leases whose packs will be fetched by address: these get new tokens. */
        tokensFor: z.array(Uuid).max(64).default([]),
      }),
    )
    .output(
      z.object({
        expiresInMs: z.int(),
        renewAfterMs: z.int(),
        /** By lease, for those in `tokensFor` that are this visit's. */
        tokens: z.record(Uuid, z.string()),
        endsInMs: z.int().optional(),
        /** Media that left the link since the visit began: deleted, hidden or taken out of their albums. */
        gone: z.array(Uuid).optional(),
      }),
    ),
  /** Lends the keys of some seconds of a video, by the same decision as everything else that is looked at. */
  videoKeys: promise({ who: ['viewer'], subject: 'visit' })
    .route({ method: 'POST', path: '/view/video-keys', tags: ['viewing'] })
    .errors({ LINK: { status: 410, message: 'Access has ended.', data: Refusal }, ...refusing('RATE_LIMITED') })
    .input(VideoKeysRequest)
    .output(VideoLeases),
  /**
   * Tells the creator what a browser noticed while it showed something of theirs. Refused when access has ended, also by this very
   * report, where the link's own rule closes the screen.
   */
  reportEvents: promise({ who: ['viewer'], subject: 'visit' })
    .route({ method: 'POST', path: '/view/events', tags: ['viewing'] })
    .errors({ LINK: { status: 410, message: 'Access has ended.', data: Refusal } })
    .input(EventReport)
    .output(EventAnswer),
  /** What became of a payment: asks the provider now, so that nobody waits for what it tells. */
  checkoutStatus: promise({ who: everybody, subject: 'none', neutral: true })
    .route({ method: 'POST', path: '/view/checkout-status', tags: ['viewing'] })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({ sessionId: boundedText(200) }))
    .output(CheckoutStatus),
  /**
   * Mails a link to whoever has paid or asked with this address, or to the address that something was paid with, which is told to
   * nobody; says the same of every one.
   */
  findPurchases: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/find-my-purchases', successStatus: 202, tags: ['viewing'] })
    .input(
      z
        .object({ email: Email.optional(), sessionId: boundedText(200).optional() })
        .refine(({ email, sessionId }) => (email === undefined) !== (sessionId === undefined), {
          path: ['email'],
          message: 'Enter your email address',
        }),
    )
    .output(z.object({ resendAfterMs: z.int() })),
  /** Takes the mailed link, once: by a call, because opening the link must spend nothing. */
  claimPurchases: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/claim-purchases', tags: ['viewing'] })
    .errors(refusing('GONE'))
    .input(z.object({ token: boundedText(100), timeZone: boundedText(60).optional() }))
    .output(z.object({})),
  purchases: promise({ who: everybody, subject: 'none' })
    .route({ method: 'GET', path: '/my-purchases', tags: ['viewing'] })
    .input(z.object({}))
    .output(z.object({ isProven: z.boolean(), rows: z.array(Purchase) })),
  /** Where a purchase opens in this browser, which may have to become one more of the viewer who paid. */
  openPurchase: promise({ who: ['viewer'], subject: 'order' })
    .route({ method: 'POST', path: '/open-purchase', tags: ['viewing'] })
    .errors(refusing('NOT_FOUND'))
    .input(z.object({ orderId: Uuid, timeZone: boundedText(60).optional() }))
    .output(z.object({ viewPath: z.string() })),
  ...subscribingContract,
  /** "Close their screen": one viewer's open screen goes dark; the link stays open to them. */
  closeScreen: creatorPromise('visit')
    .route({ method: 'POST', path: '/view/close-screen', tags: ['viewing'] })
    .input(z.object({ visitId: Uuid }))
    .output(z.object({})),
};
