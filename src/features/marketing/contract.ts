import * as z from 'zod';
import { boundedText, trimmedText } from '#kit/bounded-text.ts';
import { adminPromise, promise } from '#wire/promise.ts';

const facts = z.object({
  /** Origin of every address that is made, without a slash at the end. */
  publicUrl: z.string(),
  isSandbox: z.boolean(),
  /** Whether anything can be paid for on this server. */
  takesPayments: z.boolean(),
  /** Whether creators can take the plan on this server. */
  sellsPlans: z.boolean(),
  /** Who runs this installation, for the pages that people agree to. */
  operator: z.object({ name: z.string().nullable(), email: z.string().nullable() }),
  plan: z.object({ trialDays: z.int(), priceCents: z.int(), commissionPercent: z.int() }),
  limits: z.object({
    leaseSeconds: z.int(),
    undoHours: z.int(),
    storageBytes: z.int(),
    trialStorageBytes: z.int(),
  }),
  affiliates: z.object({
    sharePercent: z.int(),
    months: z.int(),
    attributionDays: z.int(),
    payoutCents: z.int(),
  }),
  /** What credits cost and buy. */
  credits: z.object({
    trace: z.int(),
    freeTraces: z.int(),
    storage: z.int(),
    storageBytes: z.int(),
    storageDays: z.int(),
    /** Of an hour of video beyond those of a month. */
    videoHour: z.int(),
    freeVideoHours: z.int(),
  }),
  /** How long what a creator sells rests, and how far below zero they can take their balance. */
  payouts: z.object({ settlementDays: z.int(), disputedSettlementDays: z.int(), mostDebtCents: z.int() }),
  /** Whether sexually explicit pictures are allowed here: by what the installation is set to. */
  contentPolicy: z.enum(['no_explicit', 'adult']),
  sessionDays: z.int(),
  /** The server of a language model that is sent questions to Sofia; null when they stay here. */
  assistantHost: z.string().nullable(),
  /** The link that a visitor may look at; null where there is none. */
  demoUrl: z.string().nullable(),
  video: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('file'), src: z.string(), poster: z.string() }),
      z.object({
        kind: z.literal('embed'),
        src: z.string(),
        fallback: z.object({ src: z.string(), poster: z.string() }).nullable(),
      }),
    ])
    .nullable(),
  /** The operator's sentence above every page, empty for none, and whether maintenance keeps everybody out. */
  site: z.object({ banner: z.string(), isMaintenance: z.boolean() }),
  gtagId: z.string().nullable(),
  /** Whether visits are counted here, after consent. */
  countsVisits: z.boolean(),
  claims: z.array(
    z.object({
      place: z.enum(['hero', 'figures', 'quotes', 'pricing', 'demo']),
      figure: z.string().nullable(),
      text: z.string(),
      by: z.string().nullable(),
      isSample: z.boolean(),
    }),
  ),
});

/** What the public pages say that is not the same everywhere. */
export type Facts = z.infer<typeof facts>;

const sceneName = /^scene[1-8]$/;

/** That somebody saw a scene of the demo. */
export const DemoEvent = z.object({
  path: z.literal('/demo'),
  meta: z.object({
    event_type: z.enum(['demo_start', 'scene_transition']),
    phase: boundedText(10).regex(sceneName),
    /** By the clock of the page. */
    timestamp: z.iso.datetime(),
    user_agent: boundedText(500).optional(),
  }),
});
export type DemoEvent = z.infer<typeof DemoEvent>;

const utmText = boundedText(100).optional();
const sentVisit = z.object({
  path: boundedText(200),
  referrer: boundedText(500).optional(),
  utm: z.object({ source: utmText, medium: utmText, campaign: utmText, term: utmText, content: utmText }).optional(),
});
/** A page that a visitor looked at, as their browser tells it. */
export type SentVisit = z.infer<typeof sentVisit>;

const everybody = { who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' } as const;

export const marketingContract = {
  /** Notes how far somebody got in the demo; whoever sends too many is not told, and nothing more is noted. */
  recordDemoEvent: promise({ ...everybody, neutral: true })
    .route({ method: 'POST', path: '/demo-events', tags: ['marketing'] })
    .input(DemoEvent)
    .output(z.object({})),
  /** Notes what a visitor looks at who has agreed to it; the answer is the same where nothing is noted. */
  noteVisits: promise({ ...everybody, neutral: true })
    .route({ method: 'POST', path: '/visits', tags: ['marketing'] })
    .input(z.object({ visits: z.array(sentVisit).min(1).max(10) }))
    .output(z.object({})),
  /** For whoever takes their consent back: the browser's number goes, and what was noted under it. */
  forgetVisits: promise({ ...everybody, neutral: true })
    .route({ method: 'POST', path: '/visits/forget', tags: ['marketing'] })
    .input(z.object({}).optional())
    .output(z.object({})),
  /** What the public pages say by the settings in force. */
  facts: promise(everybody)
    .route({ method: 'GET', path: '/facts', tags: ['marketing'] })
    .input(z.object({}).optional())
    .output(facts),
};

/** What public pages may say, as the desk lists it. */
export const ListedClaim = z.object({
  /** Null for what is computed. */
  key: z.string().nullable(),
  kind: z.enum(['computed', 'operator']),
  place: z.enum(['hero', 'figures', 'quotes', 'pricing', 'demo']),
  figure: z.string().nullable(),
  text: z.string(),
  by: z.string().nullable(),
  state: z.enum(['computed', 'confirmed', 'ended', 'not_confirmed']),
  isShown: z.boolean(),
  /** Null for what nobody has stood up for. */
  confirmation: z
    .object({
      source: z.string(),
      checkedAt: z.date(),
      /** Null for the command line, and for an account that is gone. */
      checkedBy: z.string().nullable(),
      expiresAt: z.date().nullable(),
    })
    .nullable(),
  /** What is counted here; null where nothing can be. */
  measured: z.string().nullable(),
});
export type ListedClaim = z.infer<typeof ListedClaim>;

const ClaimKey = boundedText(80);

/** The claims of public pages at the operator's desk. */
export const adminClaimsContract = {
  list: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/claims', tags: ['admin'] })
    .input(z.object({}).optional())
    .output(z.object({ claims: z.array(ListedClaim), isSandbox: z.boolean() })),
  /** Stands up for a claim, with where it can be checked and until when. */
  confirm: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/claims/confirm', tags: ['admin'] })
    .input(
      z.object({
        key: ClaimKey,
        source: trimmedText(500, 'Use at most 500 characters').min(1, 'Say where it can be checked'),
        /** Null for no end. */
        until: z.iso.date('Enter a day').nullable(),
      }),
    )
    .output(z.object({})),
  withdraw: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/claims/withdraw', tags: ['admin'] })
    .input(z.object({ key: ClaimKey }))
    .output(z.object({})),
};
