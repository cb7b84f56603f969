import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';
import { pulseLights, pulseParts } from '#wire/pulse.ts';

const tags = ['admin'];

/** A figure of the last seven days against the seven before. */
const Week = z.object({ now: z.int(), before: z.int() });

/** A part of a whole in some days, and in as many days before those. */
const Share = z.object({
  part: z.object({ now: z.int(), before: z.int() }),
  whole: z.object({ now: z.int(), before: z.int() }),
});

/** What an administrator sees first: how the week goes, and what waits for somebody. */
export const Today = z.object({
  signUps: Week,
  uploads: Week,
  linksOpened: Week,
  /** People who have uploaded, made an album or a link, or sold something. */
  activeCreators: Week,
  /** Emails that came back or were complained about, of those that were sent. */
  emailsReturned: Share,
  disk: z.object({ light: z.enum(pulseLights), finding: z.string() }),
  /** Accounts in their trial. */
  trialAccounts: z.int(),
  /** Only for those who have to do with money. */
  money: z
    .object({
      salesCents: Week,
      feeCents: Week,
      refundedCents: Week,
      /** What running plans bring in a month, and what of it ends with its period. */
      recurringCents: z.int(),
      endingCents: z.int(),
      /** People who have paid for a plan, of those whose trial ended in seven days. */
      trialsPaid: Share,
      /** Disputes that were opened, of the payments of 30 days. */
      disputed: Share,
      /** Accounts that pay for a plan. */
      payingAccounts: z.int(),
      waiting: z.object({
        heldPayouts: z.int(),
        /** Disputes that are not answered yet, and when the first of them has to be. */
        disputes: z.int(),
        disputesDueBy: z.date().nullable(),
        refundRequests: z.int(),
        /** Custom requests with a problem that we decide about, or whose release is refused. */
        customRequests: z.int(),
        providerEvents: z.int(),
        partnerApplications: z.int(),
      }),
    })
    .nullable(),
  waiting: z.object({
    reports: z.int(),
    overdueReports: z.int(),
    /** Appeals and counter-notices about reports that are decided. */
    appeals: z.int(),
    overdueAppeals: z.int(),
    /** Uploads that are held back as copies of what was reported or listed. */
    heldCopies: z.int(),
    /** Albums that a withdrawn consent has locked, and whose creator says that the pictures are gone. */
    lockedAlbums: z.int(),
    support: z.int(),
    emails: z.int(),
    media: z.int(),
    jobs: z.int(),
    errors: z.int(),
  }),
});
export type Today = z.infer<typeof Today>;

/** A photo or video that could not be made ready; nothing of what it shows. */
export const FailedMedium = z.object({
  id: Uuid,
  creatorId: Uuid,
  creatorEmail: z.string(),
  kind: z.enum(['photo', 'video']),
  code: z.string(),
  text: z.string().nullable(),
  sizeBytes: z.int(),
  createdAt: z.date(),
});
export type FailedMedium = z.infer<typeof FailedMedium>;

/** Errors of one kind. */
export const ErrorGroup = z.object({
  component: z.string(),
  message: z.string(),
  severity: z.enum(['warning', 'error', 'critical']),
  count: z.int(),
  people: z.int(),
  lastAt: z.date(),
  /** Of the last one. */
  requestId: z.string().nullable(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/** One error as it was met. */
export const ErrorEntry = z.object({
  id: Uuid,
  component: z.string(),
  message: z.string(),
  stack: z.string().nullable(),
  severity: z.enum(['warning', 'error', 'critical']),
  url: z.string().nullable(),
  userAgent: z.string().nullable(),
  userId: z.string().nullable(),
  requestId: z.string().nullable(),
  at: z.date(),
});
export type ErrorEntry = z.infer<typeof ErrorEntry>;

/** How one part of the installation is. */
export const PulsePartState = z.object({
  part: z.enum(pulseParts),
  light: z.enum(pulseLights),
  finding: z.string(),
  since: z.date().nullable(),
});
export type PulsePartState = z.infer<typeof PulsePartState>;

/** What an installation is made of, its own parts and those of others that it uses. */
export const componentIds = [
  'browsers',
  'web',
  'queue',
  'workers',
  'database',
  'storage',
  'keys',
  'backup',
  'mail',
  'provider',
  'push',
  'assistant',
] as const;
export type ComponentId = (typeof componentIds)[number];

/** What flows between the components, as far as it is counted: of the last hour in steps of ten minutes, or as it stands now. */
export const FlowFigures = z.object({
  calls: z.int(),
  callErrors: z.int(),
  pages: z.int(),
  pieces: z.int(),
  uploads: z.int(),
  questions: z.int(),
  providerEvents: z.int(),
  providerEventsWaiting: z.int(),
  jobs: z.int(),
  jobErrors: z.int(),
  jobsWaiting: z.int(),
  jobsRunning: z.int(),
  moneyJobs: z.int(),
  mediaJobs: z.int(),
  backupJobs: z.int(),
  pushJobs: z.int(),
  pushBrowsers: z.int(),
  emailsSent: z.int(),
  emailsWaiting: z.int(),
  mailReports: z.int(),
  workers: z.int(),
  replicas: z.int(),
  masterKeys: z.int(),
  storedBytes: z.int(),
  /** Sent by the process that answers, since it was started. */
  statements: z.int(),
});
export type FlowFigures = z.infer<typeof FlowFigures>;

/** Where the components are, in words without a password or a key, and what flows between them. */
export const InstallationState = z.object({
  places: z.record(z.enum(componentIds), z.string()),
  figures: FlowFigures,
});
export type InstallationState = z.infer<typeof InstallationState>;

const Nothing = z.object({}).optional();
const anyScope = adminPromise('support', 'moderation', 'finance');

/** How the installation does, and what of it has failed. */
export const adminOperationsContract = {
  today: anyScope.route({ method: 'GET', path: '/admin/today', tags }).input(Nothing).output(Today),
  /** How each part of the installation is; it is looked at often while somebody asks. */
  pulse: anyScope
    .route({ method: 'GET', path: '/admin/pulse', tags })
    .input(Nothing)
    .output(z.object({ parts: z.array(PulsePartState), version: z.string() })),
  /** What the installation is made of, and what flows through it; how each part is, `pulse` says. */
  installation: anyScope
    .route({ method: 'GET', path: '/admin/installation', tags })
    .input(Nothing)
    .output(InstallationState),
  failedMedia: adminPromise('support')
    .route({ method: 'GET', path: '/admin/failed-media', tags })
    .input(Nothing)
    .output(z.object({ media: z.array(FailedMedium) })),
  /** Has a failed photo or video made ready once more. */
  retryMedium: adminPromise('support')
    .route({ method: 'POST', path: '/admin/failed-media/retry', tags })
    .input(z.object({ mediaId: Uuid }))
    .output(z.object({})),
  /** Groups the errors of the last days by what they say. */
  errors: adminPromise('support')
    .route({ method: 'GET', path: '/admin/errors', tags })
    .input(z.object({ days: z.coerce.number().pipe(z.int().min(1).max(30)).default(1) }))
    .output(z.object({ groups: z.array(ErrorGroup) })),
  /** Finds what stands in the log under a request's or an error's id. */
  findErrors: adminPromise('support')
    .route({ method: 'POST', path: '/admin/errors/find', tags })
    .input(z.object({ id: boundedText(100, 'Use at most 100 characters').min(1, 'Enter an id') }))
    .output(z.object({ entries: z.array(ErrorEntry) })),
};
