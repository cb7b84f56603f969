import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import { formatCount } from '#kit/text.ts';

/** What a refusal may carry beside its code and its ready-to-show sentence. */
export const RefusalData = z
  .object({
    field: z.string(),
    retryAfter: z.number(),
    requestId: z.string(),
    reason: z.string(),
    triesLeft: z.number(),
    /** What it costs. */
    credits: z.number(),
  })
  .partial();
export type RefusalData = z.infer<typeof RefusalData>;

/** Every refusal of the API: its status and the sentence that people read. */
export const refusals = {
  UNAUTHENTICATED: { status: 401, message: 'Please sign in.' },
  FORBIDDEN: { status: 403, message: "You don't have access to this." },
  CREDITS_NEEDED: { status: 402, message: 'This costs credits.' },
  SETUP_REQUIRED: { status: 403, message: 'Finish setting up your account first.' },
  CSRF: { status: 403, message: 'This request came from another site.' },
  EMAIL_UNCONFIRMED: { status: 403, message: 'Please confirm your email first.' },
  SUBSCRIPTION_REQUIRED: { status: 403, message: 'Subscription required' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'Set up two-step sign-in first.' },
  CODE_REQUIRED: { status: 403, message: 'Enter a code from your authenticator app first.' },
  PAYOUTS_NOT_READY: { status: 403, message: 'Connect payouts first.' },
  NOT_FOUND: { status: 404, message: "This doesn't exist, or isn't yours." },
  CONFLICT: { status: 409, message: 'This was changed somewhere else. Please reload.' },
  ALBUM_EMPTY: { status: 409, message: 'Add at least one picture or video first.' },
  CONSENT_MISSING: { status: 409, message: 'Not everyone shown has agreed yet.' },
  ALREADY_PURCHASED: { status: 409, message: 'You already have access.' },
  DISPUTED: { status: 409, message: 'This payment is in dispute.' },
  REFUND_WINDOW: { status: 409, message: 'The time for a refund has passed.' },
  GONE: { status: 410, message: 'This has ended.' },
  UPLOAD_EXPIRED: { status: 410, message: 'This upload has expired. Please start again.' },
  FILE_TOO_BIG: { status: 413, message: 'This file is too big.' },
  STORAGE_FULL: { status: 413, message: 'Your storage is full.' },
  UNSUPPORTED_MEDIA: { status: 415, message: "This file type isn't supported" },
  VALIDATION: { status: 422, message: 'Please check what you entered.' },
  PRICE_CHANGED: { status: 409, message: 'The price has changed. Look at it again.' },
  PRICE_OUT_OF_RANGE: { status: 422, message: 'Choose between $5 and $100.' },
  BUYER_LIMIT: { status: 429, message: "You've reached today's spending limit." },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please wait a moment.' },
  MAINTENANCE: { status: 503, message: 'PrivateFans is under maintenance. Please try again soon.' },
  PROVIDER_DOWN: { status: 503, message: 'Payments are temporarily unavailable.' },
  UNAVAILABLE: { status: 503, message: 'This is taking too long. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;
export type RefusalCode = keyof typeof refusals;

/** The part of the table that one procedure promises, in the form of `oc.errors()`. */
export function refusing<Code extends RefusalCode>(...codes: Code[]) {
  const picked = codes.map((code) => [code, { ...refusals[code], data: RefusalData.optional() }]);
  return Object.fromEntries(picked) as {
    [C in Code]: { status: number; message: string; data: z.ZodOptional<typeof RefusalData> };
  };
}

/** A refusal to throw: typed at the browser when the procedure promises it. */
export function refuse(code: RefusalCode, { message, ...data }: RefusalData & { message?: string } = {}) {
  const { status, message: usual } = refusals[code];
  return new ORPCError(code, { status, message: message ?? usual, data });
}

/** 429 with the seconds to wait, also in words. */
export function refuseForNow(retryAfterSeconds: number) {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return refuse('RATE_LIMITED', {
    retryAfter: seconds,
    message: `Too many attempts. Please wait ${formatCount(seconds, 'second')}.`,
  });
}
