import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertDisclosure, type LogRow, listHashes, listLog } from '../log/log-store.ts';
import { readTraceFile, StoredReadings, writeReadings } from '../progress/trace-files.ts';
import { signJson } from '../signature.ts';
import { findTrace, findTraceKey, type TraceRow } from '../store.ts';
import { namePerson, resultOf } from '../to-api.ts';
import {
  type LinkRow,
  listItems,
  listLinkNames,
  listPeople,
  listPolicies,
  listVisits,
  type PersonRow,
  type VisitRow,
} from '../verdict/people-store.ts';
import { mediaIdsOf, namedIdsOf, type TraceResult } from '../verdict/result.ts';
import { describeNamed, limitWords } from '../verdict-texts.ts';
import {
  decisionRule,
  evidenceFormat,
  methodWords,
  nameViewers,
  type UnsignedEvidence,
  type WrittenEvidence,
} from './evidence-file.ts';
import { gatherSeals } from './evidence-seals.ts';
import { type LeasedRanges, stretchesRead } from './leased-ranges.ts';
import { listLeased } from './leased-ranges-store.ts';

type Named = NonNullable<TraceResult['named']>;
type Written = UnsignedEvidence;

/** A trace of the asking creator that names somebody: only of such there is an evidence file. */
interface EvidenceInput {
  traceId: string;
  now: Date;
  /**
   * For a program that checks it: with the seeds of what was traced, and what was read. That they leave this installation is written
   * down for good, because whoever has them can draw a copy that fits.
   */
  isForChecking: boolean;
}

/**
 * Gathers what speaks for and against an answer, as the creator whose trace it is.
 * @returns undefined for a trace that is unknown, somebody else's, or names nobody
 */
export async function makeEvidence(
  engines: Engines,
  creatorId: string,
  params: EvidenceInput,
): Promise<WrittenEvidence | undefined> {
  const evidence = await makeUnsigned(engines, creatorId, params);
  return evidence && { ...evidence, signature: signJson(engines.keys, evidence) };
}

async function makeUnsigned(engines: Engines, creatorId: string, params: EvidenceInput): Promise<Written | undefined> {
  const found = await engines.database.work({ kind: 'user', userId: creatorId }, async (tx) => {
    const row = await findTrace(tx, params.traceId);
    const result = row && resultOf(row);
    if (row === undefined || result?.named === undefined) return undefined;
    const isOpen = params.isForChecking && row.outcome === 'traced';
    const key = isOpen ? await findTraceKey(tx, engines.keys, row.id) : undefined;
    const evidence = await gather(tx, engines, { row, result, named: result.named, isOpen, now: params.now });
    return { evidence, key };
  });
  if (found === undefined) return undefined;
  const { evidence, key } = found;
  const stored = key && (await readTraceFile(engines.storage, { traceId: params.traceId, key }, 'readings'));
  if (stored === undefined) return evidence;
  const readings = writeReadings(StoredReadings.parse(JSON.parse(stored.toString())));
  return { ...evidence, readings };
}

interface Gathering {
  row: TraceRow;
  result: TraceResult;
  named: Named;
  isOpen: boolean;
  now: Date;
}

async function gather(tx: Tx, engines: Engines, gathering: Gathering): Promise<Written> {
  const { row, result, named, isOpen, now } = gathering;
  const { creatorId } = row;
  const mediaIds = mediaIdsOf(result);
  const { linkIds, grantIds } = namedIdsOf(result);
  const people = await listPeople(tx, creatorId, result.shown, { linkIds, grantIds });
  const names = await listLinkNames(tx, creatorId, linkIds);
  const visits = await listVisits(tx, creatorId, grantIds, mediaIds);
  const ids = idsOf(named);
  const opened = isOpen ? idsOf(named, 'traced') : [];
  if (isOpen) await insertDisclosure(tx, { creatorId, traceId: row.id, sha256: row.sha256, ids: opened, now });
  const policies = await listPolicies(tx, creatorId, linkIds);
  const items = await gatherItems(tx, gathering, mediaIds);
  const lent = await gatherLeased(tx, creatorId, grantIds, items);
  const links = named.links.map((link) => ({
    ...writeLink(link, { people, names, visits, lent }),
    policies: policies
      .filter(({ linkId }) => linkId === link.linkId)
      .map(({ version, at }) => ({ version, at: at.toISOString() })),
  }));
  const sealed = await gatherSeals(tx, engines, creatorId, { ids, opened });
  const log = await listLog(tx, { creatorId, traceId: row.id, mediaIds });
  return {
    format: evidenceFormat,
    madeAt: now.toISOString(),
    traceId: row.id,
    creatorId,
    statement: describeNamed({ links: links.map(nameViewers), ownLooks: named.ownLooks }) ?? '',
    leak: {
      sha256: row.sha256.toString('hex'),
      sizeBytes: row.bytes,
      ...result.leak,
      uploadedAt: row.createdAt.toISOString(),
    },
    together: await gatherOthers(tx, creatorId, result.together),
    items,
    decision: {
      outcome: row.outcome ?? 'inconclusive',
      rule: decisionRule,
      issued: named.issued,
      hypotheses: named.hypotheses,
      compared: result.compared,
      items: mediaIds.length,
      earlierTraces: result.earlierTraces,
      wasDisclosed: named.wasDisclosed,
    },
    links,
    ownLooks: named.ownLooks.map((look) => ({ ...look, ...lent(look.grantId) })),
    commitments: sealed.commitments,
    seals: sealed.seals,
    readings: null,
    custody: [...log.map((line) => writeStep(line, row)), { at: now.toISOString(), what: madeWords(isOpen) }],
    cut: { custody: countCut(log), visits: countCut(visits), seals: sealed.cut },
    method: methodWords,
    limits: [...limitWords],
  };
}

/** Every link and grant that an answer names. @param word only what is called so */
function idsOf({ links, ownLooks }: Named, word?: 'traced'): string[] {
  const isWanted = (named: { word: string }) => word === undefined || named.word === word;
  return [
    ...links.filter(isWanted).map(({ linkId }) => linkId),
    ...[...links.flatMap(({ grants }) => grants), ...ownLooks].filter(isWanted).map(({ grantId }) => grantId),
  ];
}

/** The copies that it was weighed with, also those that were deleted meanwhile. */
async function gatherOthers(tx: Tx, creatorId: string, { traceIds, stills }: TraceResult['together']) {
  const copies = await listHashes(tx, creatorId, traceIds);
  return copies.map((copy) => {
    const found = stills?.find(({ traceId }) => traceId === copy.traceId);
    return found === undefined ? copy : { ...copy, stills: found.seconds };
  });
}

/** What was found in this copy and in those that it was weighed with. */
async function gatherItems(tx: Tx, { row, result }: Gathering, mediaIds: string[]): Promise<Written['items']> {
  const rows = await listItems(tx, row.creatorId, mediaIds);
  const found = result.items.map((item) => ({ traceId: row.id, ...item }));
  for (const traceId of result.together.traceIds) {
    const other = await findTrace(tx, traceId);
    for (const item of (other && resultOf(other)?.items) ?? []) found.push({ traceId, ...item });
  }
  return found.flatMap(({ tiles, ...item }) => {
    const known = rows.find(({ mediaId }) => mediaId === item.mediaId);
    if (known === undefined) return [];
    return [
      {
        ...item,
        sha256: known.sha256.toString('hex'),
        uploadedAt: known.createdAt.toISOString(),
        packs: known.packs ?? [],
        tilesRead: tiles.filter(Boolean).length,
        ...(item.isMoving && { secondsRead: stretchesRead(tiles) }),
      },
    ];
  });
}

/** What of each video in the copy was lent to those who are named; of photos there is nothing to tell. */
async function gatherLeased(tx: Tx, creatorId: string, grantIds: readonly string[], items: Written['items']) {
  const videos = [...new Set(items.flatMap(({ mediaId, isMoving }) => (isMoving ? [mediaId] : [])))];
  const rows = videos.length === 0 ? [] : await listLeased(tx, creatorId, grantIds, videos);
  return (grantId: string): { lent?: LeasedRanges[] } => {
    const ofVideo = (mediaId: string) => rows.find((row) => row.grantId === grantId && row.mediaId === mediaId);
    const lent = videos.map((mediaId) => ({ mediaId, stretches: (ofVideo(mediaId) ?? { stretches: [] }).stretches }));
    return videos.length === 0 ? {} : { lent };
  };
}

/** A link with those of its viewers who are named; where none is, with all whom it may have been, without names and visits. */
function writeLink(link: Named['links'][number], { people, names, visits, lent }: NamedLinks) {
  const ofLink = people.filter(({ linkId }) => linkId === link.linkId);
  const { linkId, word, chancePower, timesNamed, grants } = link;
  const name = names.find((known) => known.linkId === linkId);
  const isNamed = ({ grantId }: PersonRow) => grants.some((grant) => grant.grantId === grantId);
  const shown = grants.length > 0 ? ofLink.filter(isNamed) : ofLink;
  return {
    linkId,
    word,
    chancePower,
    timesNamed,
    linkName: name?.linkName ?? '',
    recipientName: name?.recipientName ?? null,
    otherViewers: (ofLink[0]?.outOf ?? 0) - shown.length,
    viewers: shown.map((person) => {
      const certainty = grants.find(({ grantId }) => grantId === person.grantId);
      return {
        grantId: person.grantId,
        viewerId: person.viewerId,
        name: certainty ? namePerson(person) : '',
        isOwn: person.isOwn,
        isSupport: person.isSupport,
        certainty: certainty ? { word: certainty.word, chancePower: certainty.chancePower } : null,
        firstShownAt: person.firstShownAt.toISOString(),
        lastShownAt: person.lastShownAt.toISOString(),
        ...(certainty && lent(person.grantId)),
        visits: certainty ? visits.filter(({ grantId }) => grantId === person.grantId).map(writeVisit) : [],
      };
    }),
  };
}

/** What is told of the people of a link. */
interface NamedLinks {
  people: readonly PersonRow[];
  names: readonly LinkRow[];
  visits: readonly VisitRow[];
  lent(grantId: string): { lent?: LeasedRanges[] };
}

const writeVisit = ({ grantId: _, outOf: __, startedAt, endedAt, looks, ...visit }: VisitRow) => ({
  ...visit,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  looks: (looks ?? []).map(({ played, ...look }) => (played === null ? look : { ...look, played })),
});

const custodyWords = {
  uploaded: 'The copy was submitted',
  read: 'It was read and judged',
  disclosed: 'Its codeword was disclosed in an evidence file',
};

/** What became of the copy, step by step, and which traces of the same items were made before it. */
function writeStep({ seq, at, kind, outcome, traceId, isSame }: LogRow, { id }: TraceRow): Written['custody'][number] {
  const whose = isSame ? 'An earlier trace of this very file' : 'An earlier trace of the same item';
  const what = traceId === id ? custodyWords[kind] : `${whose} ended: ${outcome ?? ''}`;
  return { at: at.toISOString(), what: `${what} (row ${seq} of the trace log)` };
}

const madeWords = (isOpen: boolean) =>
  isOpen ? 'This file was made, with the codewords of those it names' : 'This file was made';

/** Returns how many rows there are beside those that were read. */
const countCut = (rows: readonly { outOf: number }[]): number => (rows[0]?.outOf ?? 0) - rows.length;
