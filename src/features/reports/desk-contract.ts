import * as z from 'zod';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';
import { answerKinds, reportKinds } from './contract.ts';

export const reportNumber = boundedText(8, 'Enter the number of a report').regex(
  /^\d{8}$/,
  'Enter the number of a report',
);

/** A report as whoever decides it sees it. */
export const ReportCase = z.object({
  number: z.string(),
  kind: z.enum(reportKinds),
  state: z.enum(['received', 'hidden', 'removed', 'rejected', 'appealed']),
  target: z.string(),
  details: z.string(),
  onBehalf: z.enum(['self', 'other']),
  name: z.string(),
  email: z.string(),
  createdAt: z.date(),
  decideBy: z.date(),
  decidedAt: z.date().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  wasHiddenAtOnce: z.boolean(),
  /** It names a link of this installation. */
  hasLink: z.boolean(),
  creatorId: z.string().nullable(),
  /** Whoever looks has decided it: somebody else decides about an appeal. */
  isOwnDecision: z.boolean(),
  answers: z.array(
    z.object({
      kind: z.enum(answerKinds),
      text: z.string(),
      name: z.string().nullable(),
      postalAddress: z.string().nullable(),
      createdAt: z.date(),
      decideBy: z.date().nullable(),
      outcome: z.enum(['kept', 'restored']).nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type ReportCase = z.infer<typeof ReportCase>;

/** Something that waits for a decision: a report, or what its creator says against one. */
export const WaitingCase = z.object({
  number: z.string(),
  kind: z.enum(reportKinds),
  what: z.enum(['report', ...answerKinds]),
  isHidden: z.boolean(),
  target: z.string(),
  decideBy: z.date(),
});
export type WaitingCase = z.infer<typeof WaitingCase>;

/** A photo or video that is held back, because it is blocked or looks like what is. */
export const HeldMatchCase = z.object({
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  creatorEmail: z.string(),
  isExact: z.boolean(),
  source: z.enum(['report', 'list']),
  reportNumber: z.string().nullable(),
  matchedAt: z.date(),
});
export type HeldMatchCase = z.infer<typeof HeldMatchCase>;

const desk = ['admin'];
const AboutReport = z.object({ number: reportNumber });
const Reason = proseText(1000, 'Use at most 1000 characters').min(1, 'Say why: it is sent to those whom it concerns');

/** What moderators see of reports, and what they decide. */
export const adminReportsContract = {
  /** Lists what waits for a decision, the most urgent first, and what is held back as a copy. */
  waiting: adminPromise('moderation')
    .route({ method: 'GET', path: '/admin/reports', tags: desk })
    .input(z.object({}).optional())
    .output(z.object({ cases: z.array(WaitingCase), held: z.array(HeldMatchCase) })),
  show: adminPromise('moderation')
    .route({ method: 'GET', path: '/admin/reports/{number}', tags: desk })
    .input(AboutReport)
    .output(ReportCase),
  /** Hides what a report is about until it is decided. */
  hide: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/hide', tags: desk })
    .input(AboutReport)
    .output(ReportCase),
  decide: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/decide', tags: desk })
    .input(AboutReport.extend({ isRemoved: z.boolean(), reason: Reason }))
    .output(ReportCase),
  /** Decides an appeal or a counter-notice; not who decided the report. */
  decideAppeal: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/decide-appeal', tags: desk })
    .input(AboutReport.extend({ outcome: z.enum(['kept', 'restored']), reason: Reason }))
    .output(ReportCase),
  /** Shows a photo or video again that is no copy. */
  release: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/release', tags: desk })
    .input(z.object({ mediaId: Uuid, reason: Reason }))
    .output(z.object({})),
  /** Removes a photo or video for good that is held back; its creator is mailed the reason. */
  erase: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/erase', tags: desk })
    .input(z.object({ mediaId: Uuid, reason: Reason }))
    .output(z.object({})),
};
