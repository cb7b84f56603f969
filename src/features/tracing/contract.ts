import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { isMomentCursor } from '#features/albums/rules.ts';
import { boundedText, nameText, trimmedText } from '#kit/bounded-text.ts';
import { readUrl } from '#kit/read-url.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise } from '#wire/promise.ts';
import { codeWords } from './rules.ts';

/** Returns whether a text is the address of a page on the web. */
function isWebAddress(text: string): boolean {
  const url = readUrl(text);
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username === '';
}

/** What a creator types into the letter that asks a host to take a copy down. */
export const TakedownLetter = z.object({
  kind: z.enum(['intimate', 'copyright']),
  /** Where the copy is. */
  address: trimmedText(2000, 'Use at most 2000 characters').refine(
    isWebAddress,
    'Enter the whole address, with https://',
  ),
  /** The signature. */
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your full name'),
  email: Email,
});
export type TakedownLetter = z.infer<typeof TakedownLetter>;

export const TraceState = z.enum(['queued', 'matching', 'reading', 'done', 'failed']);
export type TraceState = z.infer<typeof TraceState>;

/** How a trace ends; `no_match`: the copy shows nothing of the creator's. */
export const TraceOutcome = z.enum(['traced', 'probable', 'inconclusive', 'no_match']);
export type TraceOutcome = z.infer<typeof TraceOutcome>;

/** One copy that was submitted, as a list shows it. */
export const Trace = z.object({
  id: Uuid,
  /** All of their photos were compared; else those of one album. */
  isEverywhere: z.boolean(),
  /** That album; null when it was deleted. */
  albumId: Uuid.nullable(),
  state: TraceState,
  outcome: TraceOutcome.nullable(),
  /** How far it is, 0 to 1; it never goes back, and is 1 once it is over. */
  share: z.number(),
  /** With how many items it is being compared; 0 while nobody can say, and once it is over. */
  comparing: z.int(),
  failText: z.string().nullable(),
  sizeBytes: z.int(),
  /** It can be looked at, at `/api/traces/{id}/preview`. */
  hasPreview: z.boolean(),
  /** What the answer is in one sentence; null until there is one. */
  sentence: z.string().nullable(),
  /** A codeword that is named was disclosed in an evidence file before this copy was submitted. */
  wasDisclosed: z.boolean(),
  createdAt: z.date(),
  /** When the copy and the answer are deleted. */
  keptUntil: z.date(),
});
export type Trace = z.infer<typeof Trace>;

/** How sure a name is: the chance of naming a wrong one is less than 1 in 10 to the minus `chancePower`. */
export const Certainty = z.object({ word: z.enum(['traced', 'probable']), chancePower: z.int().min(-12).max(-3) });
export type Certainty = z.infer<typeof Certainty>;

/** A look that belongs to no link: the creator's own in the studio, or support's. */
export const OwnLook = Certainty.extend({ isSupport: z.boolean() });
export type OwnLook = z.infer<typeof OwnLook>;

/** An item that was found in the copy, for drawing both beside each other. */
export const FoundItem = z.object({
  mediaId: Uuid,
  /** Null when the item has since been deleted. */
  thumbhash: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  /** What it is in the album. */
  kind: z.enum(['photo', 'video']),
  /** A video in a clip: its tiles are its seconds, in one row. */
  isMoving: z.boolean(),
  /** A still out of a video, found in its storyboard. */
  isStill: z.boolean(),
  isMirrored: z.boolean(),
  /** It has room for so little of the mark that hardly any copy of it names anybody. */
  isHardlyTraceable: z.boolean(),
  /** Where its corners lie in the copy, clockwise from its upper left, as shares of the copy's width and height. */
  corners: z.array(z.tuple([z.number(), z.number()])),
  columns: z.int(),
  rows: z.int(),
  /** Tile by tile whether it was read; never whether it agrees with anybody. */
  tiles: z.array(z.boolean()),
});
export type FoundItem = z.infer<typeof FoundItem>;

/** Somebody who was shown an item through a link. */
const Person = z.object({
  viewerId: Uuid,
  name: z.string(),
  /** The creator's own look through a link of theirs, or an administrator's. */
  isOwn: z.boolean(),
  isSupport: z.boolean(),
  isBlocked: z.boolean(),
  firstShownAt: z.date(),
});

/** The same, of a link that is named. */
const NamedPerson = Person.extend({
  /** Null: the link is named, but which of its viewers it was is open. */
  certainty: Certainty.nullable(),
  visits: z.int(),
  firstVisitAt: z.date().nullable(),
  lastVisitAt: z.date().nullable(),
  country: z.string().nullable(),
  isCountryEstimated: z.boolean(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
});
export type NamedPerson = z.infer<typeof NamedPerson>;

const LinkName = z.object({ linkId: Uuid, linkName: z.string(), recipientName: z.string().nullable() });

export const NamedLink = LinkName.extend({
  isRevoked: z.boolean(),
  ...Certainty.shape,
  /** Those of its viewers who were shown what was found, first shown first. */
  people: z.array(NamedPerson),
  /** How many more there are, beside those; nobody of them is named. */
  morePeople: z.int(),
});
export type NamedLink = z.infer<typeof NamedLink>;

export const ShownTo = Person.extend(LinkName.shape);
export type ShownTo = z.infer<typeof ShownTo>;

/** Whose view a code in a visible mark belongs to. */
export const CodedView = Person.omit({ firstShownAt: true })
  .extend(LinkName.shape)
  .extend({ isRevoked: z.boolean(), firstOpenedAt: z.date() });
export type CodedView = z.infer<typeof CodedView>;

/** Everything that may be known of one trace. Below *probable* it holds no number and no name that stands out. */
export const TraceDetail = Trace.extend({
  /** The copy's own SHA-256. */
  sha256: z.string(),
  /** Its size; `stills` says that of a clip so many pictures, side by side, are what was read. `preview` is the size of what can be looked at. */
  leak: z
    .object({
      width: z.int(),
      height: z.int(),
      stills: z.int().nullable(),
      preview: z.object({ width: z.int(), height: z.int() }),
    })
    .nullable(),
  /** The moment of a video that the copy shows can be looked at, at `/api/traces/{id}/original`. */
  hasOriginal: z.boolean(),
  items: z.array(FoundItem),
  links: z.array(NamedLink),
  /** It was made from the creator's own look in the studio, or from support's. */
  ownLook: OwnLook.nullable(),
  /** What the chance was computed with; null below *probable*. */
  numbers: z
    .object({
      /** Codewords that stood to choice. */
      issued: z.int(),
      /** What was tried, counted. */
      hypotheses: z.int(),
    })
    .nullable(),
  /** How many traces of these items were made before; each counts against the next. */
  earlierTraces: z.int(),
  /** How many other copies of the same leak were weighed together with this one. */
  together: z.int(),
  /** Another copy that it was to be weighed with was deleted before. */
  isOtherGone: z.boolean(),
  /** Without a name: everybody who was shown what was found, first shown first. */
  shownTo: z.array(ShownTo),
  /** How many more were, beside those. */
  moreShown: z.int(),
});
export type TraceDetail = z.infer<typeof TraceDetail>;

const tags = ['tracing'];
const TraceInput = z.object({ traceId: Uuid });
const ViewerInput = z.object({ viewerId: Uuid });

export const tracingContract = {
  /** Traces of one album, or all, newest first. */
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/traces', tags })
    .input(
      z
        .object({
          albumId: Uuid.optional(),
          cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
          limit: z.coerce.number().int().min(1).max(100).default(20),
        })
        .default({ limit: 20 }),
    )
    .output(z.object({ traces: z.array(Trace), nextCursor: z.string().nullable() })),
  one: creatorPromise('trace')
    .route({ method: 'GET', path: '/traces/{traceId}', tags })
    .input(TraceInput)
    .output(TraceDetail),
  /** Views with this code in their visible mark, newest first: a hint, since letters can be painted on. */
  byCode: creatorPromise('none')
    .route({ method: 'GET', path: '/views-by-code/{code}', tags })
    .input(z.object({ code: boundedText(8, codeWords).regex(/^[0-9A-F]{8}$/, codeWords) }))
    .output(z.object({ views: z.array(CodedView) })),
  /** Stops a trace that is under way, and deletes the copy and what was found; that it was submitted stays in the log. */
  remove: creatorPromise('trace')
    .route({ method: 'DELETE', path: '/traces/{traceId}', tags })
    .input(TraceInput)
    .output(z.object({})),
  /** Ends every look of a viewer at anything of theirs, now and later, whatever link they come by. */
  blockViewer: creatorPromise('viewer')
    .route({ method: 'PUT', path: '/viewers/{viewerId}/block', tags })
    .input(ViewerInput)
    .output(z.object({})),
  unblockViewer: creatorPromise('viewer')
    .route({ method: 'DELETE', path: '/viewers/{viewerId}/block', tags })
    .input(ViewerInput)
    .output(z.object({})),
};
