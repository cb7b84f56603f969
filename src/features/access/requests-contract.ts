import * as z from 'zod';
import { isMomentCursor } from '#features/albums/rules.ts';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise, setUpPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { grantSpans } from './asked-rules.ts';

export const RequestStatus = z.enum(['pending', 'approved', 'denied', 'withdrawn', 'expired']);
export type RequestStatus = z.infer<typeof RequestStatus>;

/** Why a yes to a request would open nothing: its link, whoever asked, or an album. */
export const Shut = z.enum(['revoked', 'over', 'viewer', 'album']);
export type Shut = z.infer<typeof Shut>;

/** Somebody asks to be let in: one request, whatever number of albums it is for. */
export const AccessRequest = z.object({
  id: Uuid,
  status: RequestStatus,
  requesterName: z.string(),
  message: z.string(),
  albums: z.array(z.object({ id: Uuid, name: z.string() })),
  link: z.object({ id: Uuid, linkName: z.string(), recipientName: z.string().nullable() }),
  /** "iPhone", "Safari"; null when nobody knows. */
  device: z.object({ platform: z.string().nullable(), userAgent: z.string().nullable() }),
  /** Two letters; null when nobody knows. */
  country: z.string().nullable(),
  createdAt: z.date(),
  /** Until when a pending one can be answered. */
  expiresAt: z.date(),
  reviewedAt: z.date().nullable(),
  /** Of an approved one: until when it opens; null for no end. */
  opensUntil: z.date().nullable(),
  /** What was written when it was denied. */
  decisionText: z.string(),
  /** What this viewer asked before, and how it ended; how often they have looked. */
  before: z.object({ approved: z.int(), denied: z.int(), visits: z.int() }),
  /** Of a pending one: why it can't be approved; null where it can. */
  shut: Shut.nullable(),
});
export type AccessRequest = z.infer<typeof AccessRequest>;

/** What a creator has opened by hand, one album to one viewer. */
export const AccessGrant = z.object({
  id: Uuid,
  viewerName: z.string(),
  album: z.object({ id: Uuid, name: z.string() }),
  source: z.enum(['approval', 'manual']),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  /** When the album was last looked at by whom it was opened for; null when it was not yet. */
  lastVisitAt: z.date().nullable(),
});
export type AccessGrant = z.infer<typeof AccessGrant>;

/** A viewer who can open nothing of a creator, or not one link. */
export const BlockedViewer = z.object({
  viewerId: Uuid,
  viewerName: z.string(),
  /** `leak`, `request`, `chosen`, `security`, or `rule` where a link's own rule has closed it. */
  reason: z.string(),
  blockedAt: z.date(),
  /** The only link that is closed to them; null where everything is. */
  link: z.object({ id: Uuid, linkName: z.string() }).nullable(),
});
export type BlockedViewer = z.infer<typeof BlockedViewer>;

const tags = ['access'];
const cursor = boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional();
const limit = z.coerce.number().int().min(1).max(100).default(20);
const RequestInput = z.object({ requestId: Uuid });

export const accessContract = {
  requests: creatorPromise('none')
    .route({ method: 'GET', path: '/access-requests', tags })
    .input(
      z.object({
        status: z.enum(['pending', 'all']).default('all'),
        albumId: Uuid.optional(),
        cursor,
        limit,
      }),
    )
    .output(
      z.object({
        requests: z.array(AccessRequest),
        /** Of all that the filter holds, however many are listed. */
        pendingCount: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  /** Lets in whoever asked; called again it answers the same. */
  approve: creatorPromise('access')
    .route({ method: 'POST', path: '/access-requests/{requestId}/approve', tags })
    .errors(refusing('GONE'))
    .input(RequestInput.extend({ span: z.enum(grantSpans).default('never') }))
    .output(AccessRequest),
  /** Turns a request down; called again it answers the same. */
  deny: creatorPromise('access')
    .route({ method: 'POST', path: '/access-requests/{requestId}/deny', tags })
    .errors(refusing('GONE'))
    .input(
      RequestInput.extend({
        /** Shown to whoever asked; left out, only that it was declined. */
        text: proseText(300, 'Use at most 300 characters').default(''),
        mayAskAgain: z.boolean().default(true),
        /** Shuts this viewer out of everything of the creator's. */
        isBlocked: z.boolean().default(false),
      }),
    )
    .output(AccessRequest),
  grants: creatorPromise('none')
    .route({ method: 'GET', path: '/access-grants', tags })
    .input(z.object({ albumId: Uuid.optional(), cursor, limit }))
    .output(z.object({ grants: z.array(AccessGrant), nextCursor: z.string().nullable() })),
  /** Takes one grant back: no new keys from this moment. */
  revokeGrant: creatorPromise('access')
    .route({ method: 'POST', path: '/access-grants/{grantId}/revoke', tags })
    .input(z.object({ grantId: Uuid }))
    .output(z.object({})),
  blocked: setUpPromise('none')
    .route({ method: 'GET', path: '/blocked-viewers', tags })
    .input(z.object({ cursor, limit }))
    .output(z.object({ viewers: z.array(BlockedViewer), nextCursor: z.string().nullable() })),
  /** Shuts a viewer out of everything of the creator's: open screens close, and none of their links opens any more. */
  block: creatorPromise('viewer')
    .route({ method: 'POST', path: '/blocked-viewers/{viewerId}/block', tags })
    .input(z.object({ viewerId: Uuid }))
    .output(z.object({})),
  /** Lets a blocked viewer in again: everywhere, or at the one link whose rule has closed it to them. */
  unblock: setUpPromise('viewer')
    .route({ method: 'POST', path: '/blocked-viewers/{viewerId}/unblock', tags })
    .input(z.object({ viewerId: Uuid, linkId: Uuid.optional() }))
    .output(z.object({})),
};
