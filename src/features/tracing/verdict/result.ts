import * as z from 'zod';
import { Certainty } from '../contract.ts';

/** Everything that was found, in this copy and in those that it was weighed with. */
export const mediaIdsOf = ({ items, together }: TraceResult): string[] => [
  ...new Set([...items.map(({ mediaId }) => mediaId), ...together.mediaIds]),
];

const NamedLink = Certainty.extend({
  linkId: z.uuid(),
  /** In how many earlier traces of the same items it was named. */
  timesNamed: z.int(),
  grants: z.array(Certainty.extend({ grantId: z.uuid() })),
});
const NamedLook = Certainty.extend({ grantId: z.uuid(), timesNamed: z.int(), isSupport: z.boolean() });

/**
 * The answer of a trace as its row keeps it: only what may be shown. Below *probable* `named` is missing, and with it every number.
 */
export const TraceResult = z.object({
  leak: z.object({
    mime: z.string(),
    width: z.int(),
    height: z.int(),
    /** Of a clip with photos: the seconds of the pictures out of it that were laid side by side and read. */
    stills: z.array(z.number()).optional(),
  }),
  /** Candidates that the copy was compared with. */
  compared: z.int(),
  /** Traces of the same items before this one, that count. */
  earlierTraces: z.int(),
  /** Other copies of the same leak that were weighed together with this one, and what was found in them. */
  together: z.object({
    traceIds: z.array(z.uuid()),
    mediaIds: z.array(z.uuid()),
    /** Of those that were clips with photos, the seconds of their pictures. */
    stills: z.array(z.object({ traceId: z.uuid(), seconds: z.array(z.number()) })).optional(),
    /** One of them was deleted before it could be weighed. */
    isOtherGone: z.boolean(),
  }),
  /** Everything that was found, and when the last copy that shows it came: only who was shown it before can have made it. */
  shown: z.array(z.object({ mediaId: z.uuid(), before: z.coerce.date(), isMoving: z.boolean().default(false) })),
  items: z.array(
    z.object({
      mediaId: z.uuid(),
      /** A video in a clip: its tiles are its seconds, in one row. */
      isMoving: z.boolean().default(false),
      /** In a storyboard: a still out of a video, of which its cells tell hardly anything. */
      isStill: z.boolean().default(false),
      isMirrored: z.boolean(),
      corners: z.array(z.tuple([z.number(), z.number()])),
      columns: z.int(),
      rows: z.int(),
      tiles: z.array(z.boolean()),
    }),
  ),
  /** The moment of a video that the copy shows is kept beside it, without a mark. */
  hasOriginal: z.boolean().default(false),
  named: z
    .object({
      issued: z.int(),
      hypotheses: z.int(),
      links: z.array(NamedLink),
      ownLooks: z.array(NamedLook),
      /** A codeword that is named was disclosed before the copy was submitted. */
      wasDisclosed: z.boolean(),
    })
    .optional(),
});
export type TraceResult = z.infer<typeof TraceResult>;

/** Links and grants that an answer names. */
export const namedIdsOf = (result: TraceResult | undefined) => {
  const { links = [], ownLooks = [] } = result?.named ?? {};
  const grants = [...links.flatMap((link) => link.grants), ...ownLooks];
  return { linkIds: links.map(({ linkId }) => linkId), grantIds: grants.map(({ grantId }) => grantId) };
};
