import * as z from 'zod';
import { isMomentCursor } from '#features/albums/rules.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

/** What a viewer's browser reports. It knows that keys were pressed, never that a copy was made. */
export const ClientEventType = z.enum([
  ...(['screenshot_attempt', 'devtools_attempt', 'save_attempt', 'copy_attempt'] as const),
  ...(['context_menu_attempt', 'view_source_attempt', 'select_all_attempt'] as const),
  ...(['tab_switch_attempt', 'drag_attempt', 'text_selection_attempt', 'clipboard_attempt'] as const),
  ...(['focus_change', 'window_resize', 'tab_return'] as const),
]);
export type ClientEventType = z.infer<typeof ClientEventType>;

/** What the server sees itself. */
export const ServerEventType = z.enum([
  ...(['key_rate_exceeded', 'automation_suspected', 'leak_traced'] as const),
  ...(['link_forwarded', 'password_bruteforce'] as const),
  ...(['email_not_allowed', 'denied_geo', 'concurrent_screens', 'revoked_link_opened'] as const),
]);
export type ServerEventType = z.infer<typeof ServerEventType>;

export const Risk = z.enum(['high', 'medium', 'low']);
export type Risk = z.infer<typeof Risk>;

/** What was done about an event, by its creator or by the link's own rule. */
export const EventAction = z.enum(['warned', 'closed', 'revoked', 'blocked', 'ignored']);
export type EventAction = z.infer<typeof EventAction>;

/** Something that happened at a link, as its creator sees it. */
export const SecurityEvent = z.object({
  id: Uuid,
  eventType: z.string(),
  /** Of the first time. */
  timestamp: z.date(),
  /** Of the last time: the same again soon is one event. */
  lastAt: z.date(),
  count: z.int(),
  risk: Risk,
  /** `client`: reported by the viewer's browser; `server`: seen by us. */
  source: z.enum(['client', 'server']),
  link: z.object({ id: Uuid, linkName: z.string(), slug: z.string(), isRevoked: z.boolean() }),
  /** Null where nobody is known. */
  viewer: z.object({ id: Uuid, name: z.string(), isBlocked: z.boolean() }).nullable(),
  device: z.object({ platform: z.string().nullable(), screen: z.string().nullable() }),
  /** Stands for what there was too much of to be listed one by one. */
  isRest: z.boolean(),
  action: z.object({ kind: EventAction, isAutomatic: z.boolean(), at: z.date(), isUndone: z.boolean() }).nullable(),
  /** What was done can be taken back now. */
  canUndo: z.boolean(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const RiskFilter = z.enum(['all', ...Risk.options]);
export type RiskFilter = z.infer<typeof RiskFilter>;

/** As many are listed at once at most. */
export const mostListed = 1000;

const tags = ['security'];
const EventInput = z.object({ eventId: Uuid });

export const securityContract = {
  /** Newest first. */
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/security-events', tags })
    .input(
      z.object({
        risk: RiskFilter.default('all'),
        linkId: Uuid.optional(),
        cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
        limit: z.coerce.number().int().min(1).max(mostListed).default(mostListed),
      }),
    )
    .output(
      z.object({
        events: z.array(SecurityEvent),
        /** Of all that the filter holds, however many are listed; 10,000 stands for more. */
        total: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  /** Nothing needs to be done about it; called again it answers the same. */
  ignore: creatorPromise('securityEvent')
    .route({ method: 'POST', path: '/security-events/{eventId}/ignore', tags })
    .input(EventInput)
    .output(SecurityEvent),
  /** Shuts its viewer out of everything of the creator's. */
  blockViewer: creatorPromise('securityEvent')
    .route({ method: 'POST', path: '/security-events/{eventId}/block-viewer', tags })
    .errors(refusing('GONE'))
    .input(EventInput)
    .output(SecurityEvent),
  revokeLink: creatorPromise('securityEvent')
    .route({ method: 'POST', path: '/security-events/{eventId}/revoke-link', tags })
    .input(EventInput)
    .output(SecurityEvent),
  /** Takes back one thing that was done about it: lets the viewer in again, or brings the link back while it can be. Called again it answers the same. */
  undo: creatorPromise('securityEvent')
    .route({ method: 'POST', path: '/security-events/{eventId}/undo', tags })
    .errors(refusing('GONE'))
    .input(EventInput.extend({ action: EventAction }))
    .output(SecurityEvent),
};
