import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';
import { OwnRequest, ShownState } from './contract.ts';
import { longestWords, mostRequestCents } from './rules.ts';

const tags = ['admin'];

/** How staff decide: what is held goes to the creator, or back, or what was reported after its release stays as it is. */
export const staffVerdicts = ['release', 'refund', 'decline'] as const;
export type StaffVerdict = (typeof staffVerdicts)[number];

/** A custom request as staff see it. */
export const StaffRequest = z.object({
  id: Uuid,
  title: z.string(),
  reference: z.string(),
  creatorId: Uuid.nullable(),
  creatorName: z.string(),
  state: ShownState,
  /** What is agreed, or offered so far. */
  amountCents: z.int(),
  /** What of it has not gone back. */
  leftCents: z.int(),
  currency: z.string(),
  actUntil: z.date().nullable(),
  /** It waits for staff: a problem was reported, before its release or after. */
  isWaiting: z.boolean(),
  /** The account of its creator does not take what was released. */
  isReleaseRefused: z.boolean(),
  orderId: Uuid.nullable(),
});
export type StaffRequest = z.infer<typeof StaffRequest>;

/** The same with what was asked for and said. */
export const StaffRequestCard = StaffRequest.extend({
  asked: OwnRequest.pick({
    brief: true,
    kind: true,
    quantity: true,
    lengthMinutes: true,
    wantedBy: true,
    offeredCents: true,
    agreedCents: true,
    currency: true,
    dueAt: true,
    dueDays: true,
  }),
  events: OwnRequest.shape.events,
  verdicts: z.array(z.enum(staffVerdicts)),
});
export type StaffRequestCard = z.infer<typeof StaffRequestCard>;

const AboutRequest = z.object({ requestId: Uuid });

/** Custom requests, and what is decided about the money that is held for them. */
export const adminRequestsContract = {
  /** Lists a hundred requests: first what waits for staff, then what is open, then what ended lately. */
  list: adminPromise('finance')
    .route({ method: 'GET', path: '/admin/requests', tags })
    .input(z.object({}).optional())
    .output(z.object({ requests: z.array(StaffRequest) })),
  show: adminPromise('finance')
    .route({ method: 'GET', path: '/admin/requests/{requestId}', tags })
    .input(AboutRequest)
    .output(StaffRequestCard),
  /** Releases or returns what is held, or a part of it; both sides are told with the note. */
  decide: adminPromise('finance')
    .route({ method: 'POST', path: '/admin/requests/{requestId}/decide', tags })
    .input(
      AboutRequest.extend({
        verdict: z.enum(staffVerdicts),
        /** Of a refund: this part goes back, and the rest is released. All of it where it is left out. */
        amountCents: z.int().min(1).max(mostRequestCents).optional(),
        note: proseText(longestWords, `Use at most ${longestWords} characters`).min(1, 'Say why: both sides read it'),
      }),
    )
    .output(StaffRequestCard),
};
