import * as z from 'zod';
import { Certainty, TraceOutcome } from '../contract.ts';
import { StoredReadings } from '../progress/trace-files.ts';
import { PlayedRanges, Stretches } from '../verdict/time-ranges.ts';
import { LeasedRanges } from './leased-ranges.ts';

/** The form of an evidence file; the number grows when an older checker could not read it. */
export const evidenceFormat = 'privatefans-evidence-1';

const hex = z.string().regex(/^([0-9a-f]{2})+$/);
const moment = z.iso.datetime();
const from = {
  country: z.string().nullable(),
  isCountryEstimated: z.boolean(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
};

/** What of each video was lent to somebody who is named, up to when the file was made. Older files do not tell that. */
const lent = z.array(LeasedRanges).optional();

/** Of a clip with photos: the seconds of the pictures out of it that were laid side by side; corners of photos lie on these. */
const stills = z.array(z.number()).optional();

const CommitmentLine = z.object({
  seq: z.int(),
  at: moment,
  kind: z.enum(['grant', 'link']),
  id: z.uuid(),
  commitment: hex,
});

const Visit = z.object({
  visitId: z.uuid(),
  startedAt: moment,
  endedAt: moment.nullable(),
  policyVersion: z.int(),
  ...from,
  /** When one of the items was looked at, and for how long; of a video, what was played of it. Older files do not tell that. */
  looks: z.array(
    z.object({ mediaId: z.uuid(), at: z.string(), msVisible: z.number(), played: PlayedRanges.optional() }),
  ),
});

/** Everything that speaks for and against the answer of one trace, for people and for a program that checks it. */
export const EvidenceFile = z.object({
  format: z.literal(evidenceFormat),
  madeAt: moment,
  traceId: z.uuid(),
  creatorId: z.uuid(),
  statement: z.string(),
  leak: z.object({
    sha256: hex,
    sizeBytes: z.int(),
    mime: z.string(),
    width: z.int(),
    height: z.int(),
    stills,
    uploadedAt: moment,
  }),
  /** Other copies of the same leak that were weighed together with it. */
  together: z.array(z.object({ traceId: z.uuid(), sha256: hex, stills })),
  items: z.array(
    z.object({
      /** In which copy it was found. */
      traceId: z.uuid(),
      mediaId: z.uuid(),
      /** Of the original as it was uploaded. */
      sha256: hex,
      uploadedAt: moment,
      packs: z.array(
        z.object({
          packId: z.uuid(),
          rendition: z.string(),
          sha256: hex,
          columns: z.int().nullable(),
          rows: z.int().nullable(),
        }),
      ),
      /** A video in a clip: its tiles are its seconds. */
      isMoving: z.boolean().default(false),
      isMirrored: z.boolean(),
      corners: z.array(z.tuple([z.number(), z.number()])),
      columns: z.int(),
      rows: z.int(),
      tilesRead: z.int(),
      /** Of a video, which seconds. Older files do not tell that. */
      secondsRead: Stretches.optional(),
    }),
  ),
  decision: z.object({
    outcome: TraceOutcome,
    rule: z.string(),
    issued: z.int(),
    hypotheses: z.int(),
    compared: z.int(),
    /** Items that were found, in this copy and in the others. */
    items: z.int(),
    earlierTraces: z.int(),
    /** A codeword that is named was disclosed before the copy was submitted. */
    wasDisclosed: z.boolean(),
  }),
  links: z.array(
    Certainty.extend({
      linkId: z.uuid(),
      linkName: z.string(),
      recipientName: z.string().nullable(),
      /** In how many earlier traces of the same photos or videos it was named. */
      timesNamed: z.int(),
      policies: z.array(z.object({ version: z.int(), at: moment })),
      viewers: z.array(
        z.object({
          grantId: z.uuid(),
          viewerId: z.uuid(),
          /** Empty for those who are not named themselves. */
          name: z.string(),
          /** The creator themselves, or support, through the link. */
          isOwn: z.boolean(),
          isSupport: z.boolean(),
          /** Null: the link is named, but which of its viewers it was is open. */
          certainty: Certainty.nullable(),
          firstShownAt: moment,
          lastShownAt: moment,
          lent,
          visits: z.array(Visit),
        }),
      ),
      /** Viewers of the link who were shown what was found and are not told here, because another is named. */
      otherViewers: z.int(),
    }),
  ),
  ownLooks: z.array(Certainty.extend({ grantId: z.uuid(), timesNamed: z.int(), isSupport: z.boolean(), lent })),
  /** Rows of the append-only log of those that are named, with the seal that holds each. */
  commitments: z.array(
    CommitmentLine.extend({ sealN: z.int().nullable(), sealedAt: moment.nullable(), seed: hex.nullable() }),
  ),
  /** The seals that hold them with all their rows, and the chain from there to the newest. */
  seals: z.array(
    z.object({
      n: z.int(),
      at: moment,
      previous: hex,
      rowsHash: hex,
      hash: hex,
      rows: z.array(CommitmentLine).nullable(),
    }),
  ),
  /** What was read of each tile; only for what is traced, together with the seeds. */
  readings: StoredReadings.nullable(),
  custody: z.array(z.object({ at: moment, what: z.string() })),
  /** How many lines of a kind there are beside those in this file, where there are very many. */
  cut: z.object({ custody: z.int(), visits: z.int(), seals: z.int() }),
  method: z.array(z.string()),
  limits: z.array(z.string()),
  /** By the installation's key, over everything else. */
  signature: z.object({ publicKey: hex, value: hex }),
});
/** An evidence file as it was read; `readings` are numbers in arrays of their own. */
export type EvidenceFile = z.infer<typeof EvidenceFile>;
/** The same as it is written. */
export type WrittenEvidence = z.input<typeof EvidenceFile>;
/** The same before it is signed. */
export type UnsignedEvidence = Omit<WrittenEvidence, 'signature'>;

/** A link with its viewers, as the statement tells of it. */
export const nameViewers = <T extends Pick<EvidenceFile['links'][number], 'linkName' | 'word' | 'chancePower'>>(
  link: T & {
    viewers: readonly Pick<
      EvidenceFile['links'][number]['viewers'][number],
      'name' | 'isOwn' | 'isSupport' | 'certainty'
    >[];
  },
) => ({
  ...link,
  viewers: link.viewers.map(({ isOwn, isSupport, name, certainty }) => ({
    name,
    certainty,
    isYou: isOwn && !isSupport,
  })),
});

/** How an answer comes to be, for people who have to judge it. */
export const methodWords = [
  'Every photo is stored in two versions that look alike, A and B, cut into tiles. What a viewer is shown mixes tiles of both: half of the tiles follow a secret of the link (its codeword), half a secret of the viewer under that link (the grant).',
  'The copy is aligned with the photo, and each visible tile is compared with A and with B. This is done without looking at any codeword.',
  'A video is stored in two versions as well, in which every second is a tile: even seconds follow the secret of the link, odd ones that of the grant. A clip is aligned with the video by what both look like, moment by moment, and a few frames of each second are compared with the same frames of A and of B.',
  'If a clip shows photos, up to four pictures that stay in it longest are placed side by side, row by row, and read as one copy. The file says at which seconds they were taken.',
  'Every codeword under which the photo or video was ever shown is then weighed against what was read. The chance that someone who did not make the copy matches this well by accident is bounded (Chernoff) and multiplied by the number of codewords and of everything that was tried. Earlier traces of it raise the bar, and each that named a link raises it again for that link, so that nobody can work towards a name one result at a time.',
  'Below 1 in 1,000,000, a link is named; below 1 in 1,000, it is named as probable, which is not certain enough to act on alone; above that, nobody is named.',
  'Secrets are fixed before anyone is shown anything: a hash of each is kept in a log to which rows can only be added, and which is sealed into a chain every minute.',
];

const ruleOf = (items: string) =>
  `issued × hypotheses × (440 (k + 1))^m × p < 10^-6: traced; < 10^-3: probable; else nobody is named (k earlier traces of the same ${items}, m of which named this link)`;

export const decisionRule = ruleOf('photos or videos');

/** The same rule, as files said it that were made before there were videos; they stay valid. */
export const decisionRules: readonly string[] = [decisionRule, ruleOf('photos')];
