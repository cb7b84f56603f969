import * as z from 'zod';
import { boundedText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { packs } from './rules.ts';

const tags = ['credits'];

/** What somebody can be given at once. */
export const mostGranted = 100_000;

/** One movement of somebody's credits. */
export const CreditTransaction = z.object({
  id: z.string(),
  reason: z.string(),
  date: z.date(),
  type: z.enum(['credit', 'debit']),
  /** Never below zero: the type says the direction. */
  amount: z.int(),
});
export type CreditTransaction = z.infer<typeof CreditTransaction>;

export const CreditsBalance = z.object({
  /** Below zero after a pack that was spent went back with its money: then nothing can be spent. */
  currentBalance: z.int(),
  totalEarned: z.int(),
  totalSpent: z.int(),
  /** The newest 20. */
  recentTransactions: z.array(CreditTransaction),
});
export type CreditsBalance = z.infer<typeof CreditsBalance>;

/** A pack that was bought, and what of it can still be had back. */
export const BoughtPack = z.object({
  id: Uuid,
  credits: z.int(),
  amountCents: z.int(),
  currency: z.string(),
  at: z.date(),
  /** What of it is unused. */
  unused: z.int(),
  /** Null when nothing can be had back. */
  back: z.object({ cents: z.int(), until: z.date() }).nullable(),
  /** What became of that request. */
  state: z.enum(['bought', 'returning', 'refunded', 'disputed', 'charged_back']),
});
export type BoughtPack = z.infer<typeof BoughtPack>;

/** What a creator can do with credits, and what of it they have. */
export const CreditUses = z.object({
  canBuy: z.boolean(),
  isSandbox: z.boolean(),
  packs: z.array(BoughtPack),
  storage: z.object({
    credits: z.int(),
    bytes: z.int(),
    days: z.int(),
    /** What they have of it, by when it ends. */
    has: z.array(z.object({ id: Uuid, bytes: z.int(), endsAt: z.date() })),
  }),
  traces: z.object({ credits: z.int(), free: z.int(), usedThisMonth: z.int() }),
  /** Links that nobody has opened, whose address can still be changed. */
  address: z.object({
    credits: z.int(),
    links: z.array(
      z.object({ id: Uuid, linkName: z.string(), recipientName: z.string().nullable(), isShared: z.boolean() }),
    ),
  }),
  /** Videos that wait to be made. */
  priority: z.object({ credits: z.int(), videos: z.array(z.object({ id: Uuid, name: z.string() })) }),
  /** Time of videos: free each month, and what was bought, which stays. */
  videoTime: z.object({
    /** Of an hour. */
    credits: z.int(),
    freeSeconds: z.int(),
    usedSeconds: z.int(),
    extraSeconds: z.int(),
    /** How many videos wait for more. */
    waiting: z.int(),
  }),
  /** Answers that a model writes; null where none does. */
  answers: z.object({ credits: z.int(), each: z.int(), free: z.int(), used: z.int(), extra: z.int() }).nullable(),
});
export type CreditUses = z.infer<typeof CreditUses>;

const sizes = packs.map(({ credits }) => credits);

export const creditsContract = {
  balance: signedInPromise('none')
    .route({ method: 'GET', path: '/credits-balance', tags })
    .input(z.object({}))
    .output(CreditsBalance),
  uses: signedInPromise('none').route({ method: 'GET', path: '/credits', tags }).input(z.object({})).output(CreditUses),
  /** A checkout of a pack, in a frame. */
  buy: creatorPromise('none')
    .route({ method: 'POST', path: '/create-credits-checkout', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(
      z.object({
        credits: z.int().refine((credits) => sizes.some((size) => size === credits), 'Choose one of the packs.'),
        mode: z.literal('embedded'),
      }),
    )
    .output(z.object({ clientSecret: z.string() })),
  /** What became of a checkout of theirs; the provider is asked now. */
  arrive: signedInPromise('none')
    .route({ method: 'POST', path: '/credits/arrival', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({ sessionId: boundedText(100).regex(/^cs_\w{1,90}$/) }))
    .output(z.object({ state: z.enum(['checking', 'ready', 'failed', 'unknown']), credits: z.int() })),
  /** The unused part of a pack back, once, within 14 days. */
  askBack: signedInPromise('pack')
    .route({ method: 'POST', path: '/credits/packs/{packId}/refund', tags })
    .errors(refusing('REFUND_WINDOW', 'CONFLICT', 'DISPUTED', 'PROVIDER_DOWN'))
    .input(z.object({ packId: Uuid }))
    .output(z.object({ cents: z.int(), state: z.enum(['refunded', 'returning']) })),
  /** Storage beyond the plan, for a time. */
  addStorage: creatingPromise('none')
    .route({ method: 'POST', path: '/credits/storage', tags })
    .errors(refusing('CREDITS_NEEDED', 'PRICE_CHANGED'))
    .input(
      z.object({
        /** How many times as much. */
        count: z.int().min(1).max(100).default(1),
        /** The price that was read, of all of it. */
        credits: z.int(),
      }),
    )
    .output(z.object({ id: Uuid, endsAt: z.date() })),
  /** A readable beginning of a link's address; random characters always follow. Each link gets one, once. */
  giveWord: creatorPromise('link')
    .route({ method: 'POST', path: '/credits/address', tags })
    .errors(refusing('CREDITS_NEEDED', 'PRICE_CHANGED', 'CONFLICT'))
    .input(z.object({ linkId: Uuid, word: trimmedText(60).min(1, 'Choose a word'), credits: z.int() }))
    .output(z.object({ url: z.string() })),
  /** A waiting video is made before those of others. */
  moveToFront: creatorPromise('medium')
    .route({ method: 'POST', path: '/credits/priority', tags })
    .errors(refusing('CREDITS_NEEDED', 'PRICE_CHANGED', 'CONFLICT'))
    .input(z.object({ mediaId: Uuid, credits: z.int() }))
    .output(z.object({})),
  /** Hours of video beyond those of a month; what waited for them is made. */
  addVideoTime: creatingPromise('none')
    .route({ method: 'POST', path: '/credits/video-time', tags })
    .errors(refusing('CREDITS_NEEDED', 'PRICE_CHANGED'))
    .input(
      z.object({
        /** How many hours. */
        count: z.int().min(1).max(100).default(1),
        /** The price that was read, of all of them. */
        credits: z.int(),
      }),
    )
    .output(z.object({ id: Uuid, extraSeconds: z.int() })),
  /** More answers of the assistant's model. */
  addAnswers: creatingPromise('none')
    .route({ method: 'POST', path: '/credits/answers', tags })
    .errors(refusing('CREDITS_NEEDED', 'PRICE_CHANGED'))
    .input(
      z.object({
        /** How many times as many. */
        count: z.int().min(1).max(100).default(1),
        /** The price that was read, of all of them. */
        credits: z.int(),
      }),
    )
    .output(z.object({ id: Uuid, extra: z.int() })),
};
