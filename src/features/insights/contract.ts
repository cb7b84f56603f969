import * as z from 'zod';
import { isMomentCursor } from '#features/albums/rules.ts';
import { LinkVersion } from '#features/links/versions-contract.ts';
import { Risk } from '#features/security/contract.ts';
import { boundedText, optionalName } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise } from '#wire/promise.ts';
import { AlbumSales } from './album-sales-contract.ts';

/** Period a page looks, today included. */
export const Days = z.union([z.literal(7), z.literal(30), z.literal(90), z.literal(365)]);
export type Days = z.infer<typeof Days>;
const DaysInput = z.object({ days: z.coerce.number().pipe(Days).default(30) });

/** Opens, views and watch time, as product defines them ("How we count"). */
const Sums = z.object({ opens: z.int(), views: z.int(), watchMs: z.int() });

const Figures = Sums.extend({
  uniqueViewers: z.int(),
  /** Viewers who had never viewed anything of theirs before. */
  newViewers: z.int(),
  /** Screens that a revoked link took the pictures from. */
  screensClosed: z.int(),
});

/** One day in the creator's time zone. */
export const Day = Sums.extend({ day: z.iso.date() });
export type Day = z.infer<typeof Day>;

const LinkSums = Sums.extend({ linkId: Uuid, linkName: z.string(), recipientName: z.string().nullable() });
const AlbumSums = z.object({ albumId: Uuid, name: z.string(), looks: z.int(), watchMs: z.int() });

/** A picture drawn from its own encrypted rendition. */
const Picture = z.object({
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  thumbhash: z.string(),
  width: z.int(),
  height: z.int(),
});
export type Picture = z.infer<typeof Picture>;
const ItemSums = Picture.extend({ looks: z.int(), watchMs: z.int() });

/** A video with its plays: looks of three seconds or more, and those in which nearly all of it was seen. */
const VideoSums = Picture.extend({
  durationMs: z.int(),
  /** Seconds between two cells of its storyboard. */
  cellSeconds: z.int(),
  plays: z.int(),
  completions: z.int(),
  watchMs: z.int(),
});
export type VideoSums = z.infer<typeof VideoSums>;

/** Sums of one country, device or app; `name` is empty when nobody knows. */
const NamedSums = Sums.extend({ name: z.string() });
export type NamedSums = z.infer<typeof NamedSums>;

export const Overview = z.object({
  /** Somebody has opened a link of theirs at some time. */
  hasBegun: z.boolean(),
  figures: Figures,
  days: z.array(Day),
  links: z.array(LinkSums),
  albums: z.array(AlbumSums),
  items: z.array(ItemSums),
  /** Two letters each; `estimatedOpens` came from the browser's time zone. */
  countries: z.array(NamedSums.extend({ estimatedOpens: z.int() })),
  devices: z.array(NamedSums),
  apps: z.array(NamedSums),
  /** Opens by hour of the week where the creator is: 24 of Monday, then of Tuesday. */
  hours: z.array(z.int()).length(168),
  timeZone: z.string(),
});
export type Overview = z.infer<typeof Overview>;

/** Where somebody looked from and on what; null when nobody knows. */
const From = z.object({
  country: z.string().nullable(),
  isCountryEstimated: z.boolean(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  /** The app whose own browser it was: `instagram`, `whatsapp`. */
  app: z.string().nullable(),
});
export type From = z.infer<typeof From>;

/** The last payment to this creator that somebody took to their bank; null for none, and for what was paid anonymously. */
const Dispute = z.object({ at: z.date(), state: z.enum(['open', 'won', 'lost']) }).nullable();
export type Dispute = z.infer<typeof Dispute>;

export const Viewer = From.extend({
  viewerId: Uuid,
  /** Their own name for this viewer, else the recipient of the link that this viewer opened first of all, else "Viewer 4F2A". */
  name: z.string(),
  isRenamed: z.boolean(),
  /** None of the creator's links opens for this viewer. */
  isBlocked: z.boolean(),
  /** The highest of what was noticed about them and that nothing was done about yet. */
  risk: Risk.nullable(),
  visits: z.int(),
  views: z.int(),
  watchMs: z.int(),
  lastSeenAt: z.date(),
  /** What this viewer has paid the creator at any time and not got back; nothing of what was paid anonymously. */
  spentCents: z.int(),
  currency: z.string(),
  /** Links that this viewer came by, newest first. */
  links: z.array(z.object({ linkId: Uuid, linkName: z.string(), recipientName: z.string().nullable() })),
  dispute: Dispute,
});
export type Viewer = z.infer<typeof Viewer>;

/** Why a visit is not a view. */
export const NotCounted = z.enum(['own', 'admin', 'automation', 'short']);
export type NotCounted = z.infer<typeof NotCounted>;

export const Visit = From.extend({
  visitId: Uuid,
  viewerId: Uuid,
  viewerName: z.string(),
  linkId: Uuid,
  linkName: z.string(),
  recipientName: z.string().nullable(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
  endReason: z.enum(['left', 'idle', 'expired', 'revoked', 'security', 'replaced', 'time_used']).nullable(),
  watchMs: z.int(),
  itemsSeen: z.int(),
  isCounted: z.boolean(),
  /** A screen shows it at this moment. */
  isLookingNow: z.boolean(),
  /** Null for a view, and for a visit that may still become one. */
  notCounted: NotCounted.nullable(),
  dispute: Dispute,
});
export type Visit = z.infer<typeof Visit>;

/** Programs that said what they are and wanted to open a link: refused, so there is no visit. */
export const Robots = z.object({
  linkId: Uuid,
  linkName: z.string(),
  recipientName: z.string().nullable(),
  opens: z.int(),
  lastAt: z.date(),
});
export type Robots = z.infer<typeof Robots>;

/** What came to a link and was let in by nobody: programs, and wrong passwords. */
export const Refused = z.object({ kind: z.enum(['program', 'password']), times: z.int(), lastAt: z.date() });
export type Refused = z.infer<typeof Refused>;

/** Somebody whose screen is open at this moment. */
export const LookingNow = From.extend({
  visitId: Uuid,
  viewerId: Uuid,
  viewerName: z.string(),
  linkId: Uuid,
  linkName: z.string(),
  recipientName: z.string().nullable(),
  /** The album of the open picture, else the link's first. */
  albumName: z.string(),
  /** The open picture; null while the viewer is in the gallery. */
  picture: Picture.extend({ place: z.int(), count: z.int() }).nullable(),
  /** Watch time of this visit until now. */
  lookedMs: z.int(),
});
export type LookingNow = z.infer<typeof LookingNow>;

const What = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('visit'), visit: Visit }),
  z.object({ kind: z.literal('version'), version: LinkVersion }),
  z.object({ kind: z.literal('act'), act: z.enum(['revoked', 'revived', 'shared']) }),
  /** Whoever paid is named on the page of earnings, if they request to be. */
  z.object({
    kind: z.literal('money'),
    sold: z.enum(['tip', 'album', 'bundle', 'fan_sub', 'request']),
    amountCents: z.int(),
    refundedCents: z.int(),
    currency: z.string(),
    isDisputed: z.boolean(),
  }),
  /** What let nobody in: programs, wrong passwords and wrong codes, those of a day together. */
  z.object({ kind: z.enum(['programs', 'wrong_password', 'wrong_code']), times: z.int() }),
]);

/** One thing that happened to a link, and when; of what came often in a day, the last time. */
export const TimelineEntry = z.object({ id: z.string(), at: z.date(), what: What });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/**
 * How far people came, each once for a link; every step is a part of the one before. `paid` are those of `viewed` who paid under their
 * name: an anonymous payment is tied to nobody.
 */
export const Funnel = z.object({
  tapped: z.int(),
  atGates: z.int(),
  letIn: z.int(),
  viewed: z.int(),
  paid: z.int(),
});
export type Funnel = z.infer<typeof Funnel>;

const Page = z.object({
  /** Where the page before ended. */
  cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
const Visits = z.object({ visits: z.array(Visit), nextCursor: z.string().nullable() });
const tags = ['insights'];

export const insightsContract = {
  overview: creatorPromise('none').route({ method: 'GET', path: '/insights', tags }).input(DaysInput).output(Overview),
  /** How far people came in a span, by all links or by one. */
  funnel: creatorPromise('link')
    .route({ method: 'GET', path: '/insights/funnel', tags })
    .input(DaysInput.extend({ linkId: Uuid.optional() }))
    .output(Funnel),
  lookingNow: creatorPromise('none')
    .route({ method: 'GET', path: '/insights/looking-now', tags })
    .input(z.object({ linkId: Uuid.optional() }).optional())
    .output(z.object({ screens: z.array(LookingNow) })),
  viewers: creatorPromise('none')
    .route({ method: 'GET', path: '/insights/viewers', tags })
    .input(Page.extend(DaysInput.shape))
    .output(z.object({ viewers: z.array(Viewer), nextCursor: z.string().nullable() })),
  /** The creator's own name for a viewer; an empty one takes it back. */
  renameViewer: creatorPromise('viewer')
    .route({ method: 'PUT', path: '/insights/viewers/{viewerId}/name', tags })
    .input(z.object({ viewerId: Uuid, name: optionalName(60, 'Use at most 60 characters') }))
    .output(z.object({})),
  /** Visits of people, newest first. */
  visits: creatorPromise('none')
    .route({ method: 'GET', path: '/insights/visits', tags })
    .input(Page.extend(DaysInput.shape))
    .output(Visits),
  /** What was opened and is no view, each with its reason. */
  notCounted: creatorPromise('none')
    .route({ method: 'GET', path: '/insights/not-counted', tags })
    .input(Page.extend(DaysInput.shape))
    .output(Visits.extend({ robots: z.array(Robots) })),
  /** Videos that were played in a span, most plays first. */
  videos: creatorPromise('none')
    .route({ method: 'GET', path: '/insights/videos', tags })
    .input(DaysInput)
    .output(z.object({ videos: z.array(VideoSums) })),
  /** Who stayed until when: for each second of a video, how many plays showed it. */
  retention: creatorPromise('medium')
    .route({ method: 'GET', path: '/insights/videos/{mediaId}', tags })
    .input(DaysInput.extend({ mediaId: Uuid }))
    .output(z.object({ plays: z.int(), seconds: z.array(z.int()) })),
  /** What was paid at the links to one album, newest first, and what it comes to in all. */
  albumSales: creatorPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}/sales', tags })
    .input(Page.extend({ albumId: Uuid }))
    .output(AlbumSales),
  /** All that happened to one link, newest first. */
  timeline: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/timeline', tags })
    .input(Page.extend({ linkId: Uuid }))
    .output(z.object({ entries: z.array(TimelineEntry), nextCursor: z.string().nullable() })),
  /** All visits of one link, counted or not; before the first of them, what was refused. */
  visitsOfLink: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/visits', tags })
    .input(Page.extend({ linkId: Uuid }))
    .output(Visits.extend({ refused: z.array(Refused) })),
};
