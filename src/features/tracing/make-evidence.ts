import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { grantSeed, linkSeed } from '#features/media/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { decisionRule, evidenceFormat, methodWords, type WrittenEvidence } from './evidence-file.ts';
import { insertDisclosure, listHashes, listLog } from './log-store.ts';
import { listItems, listPeople, listPolicies, listVisits, type PersonRow, type VisitRow } from './people-store.ts';
import { mediaIdsOf, type TraceResult } from './result.ts';
import { type CommitmentRow, firstHash } from './seals.ts';
import { listCommitments, listRowsOfSeals, listSealsFrom } from './seals-store.ts';
import { namePerson, resultOf, sentenceOf } from './show.ts';
import { findTrace, findTraceKey, type TraceRow } from './store.ts';
import { readTraceFile, StoredReadings, writeReadings } from './trace-files.ts';
import { limitWords } from './words.ts';

type Named = NonNullable<TraceResult['named']>;
type Written = WrittenEvidence;

/** A trace of the asking creator that names somebody: only of such there is an evidence file. */
interface Wish {
  traceId: string;
  now: Date;
  /**
   * For a program that checks it: with the seeds of what was traced, and what was read. That they leave the house is written
   * down for good, because whoever has them can draw a copy that fits.
   */
  isForChecking: boolean;
}

/**
 * Gathers what speaks for and against an answer, as the creator whose trace it is.
 * @returns undefined for a trace that is unknown, somebody else's, or names nobody
 */
export async function makeEvidence(engines: Engines, creatorId: string, wish: Wish): Promise<Written | undefined> {
  const found = await engines.database.work({ kind: 'user', userId: creatorId }, async (tx) => {
    const row = await findTrace(tx, wish.traceId);
    const result = row && resultOf(row);
    if (row === undefined || result?.named === undefined) return undefined;
    const isOpen = wish.isForChecking && row.outcome === 'traced';
    const key = isOpen ? await findTraceKey(tx, engines.keys, row.id) : undefined;
    const evidence = await gather(tx, engines, { row, result, named: result.named, isOpen, now: wish.now });
    return { evidence, key };
  });
  if (found === undefined) return undefined;
  const { evidence, key } = found;
  const stored = key && (await readTraceFile(engines.storage, { traceId: wish.traceId, key }, 'readings'));
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
  const linkIds = named.links.map(({ linkId }) => linkId);
  const people = await listPeople(tx, creatorId, mediaIds, linkIds);
  const visits = await listVisits(
    tx,
    creatorId,
    people.map(({ grantId }) => grantId),
    mediaIds,
  );
  const ids = idsOf(named);
  if (isOpen) await insertDisclosure(tx, { creatorId, traceId: row.id, sha256: row.sha256, ids, now });
  const policies = await listPolicies(tx, creatorId, linkIds);
  return {
    format: evidenceFormat,
    madeAt: now.toISOString(),
    traceId: row.id,
    creatorId,
    statement: sentenceOf(row, people) ?? '',
    leak: {
      sha256: row.sha256.toString('hex'),
      sizeBytes: row.bytes,
      ...result.leak,
      uploadedAt: row.createdAt.toISOString(),
    },
    together: await listHashes(tx, creatorId, result.together.traceIds),
    items: await gatherItems(tx, gathering, mediaIds),
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
    links: named.links.map((link) => ({
      ...writeLink(link, people, visits),
      policies: policies
        .filter(({ linkId }) => linkId === link.linkId)
        .map(({ version, at }) => ({ version, at: at.toISOString() })),
    })),
    ownLooks: named.ownLooks,
    ...(await gatherSeals(tx, engines, gathering, ids)),
    readings: null,
    custody: await gatherCustody(tx, gathering, mediaIds),
    method: methodWords,
    limits: [...limitWords],
  };
}

/** Every link and grant that an answer names. */
const idsOf = ({ links, ownLooks }: Named) => [
  ...links.flatMap(({ linkId, grants }) => [linkId, ...grants.map(({ grantId }) => grantId)]),
  ...ownLooks.map(({ grantId }) => grantId),
];

async function gatherItems(tx: Tx, { row, result }: Gathering, mediaIds: string[]): Promise<Written['items']> {
  const rows = await listItems(tx, row.creatorId, mediaIds);
  return result.items.flatMap(({ mediaId, isMirrored, corners, columns, rows: count, tiles }) => {
    const item = rows.find((known) => known.mediaId === mediaId);
    if (item === undefined) return [];
    return [
      {
        mediaId,
        sha256: item.sha256.toString('hex'),
        uploadedAt: item.createdAt.toISOString(),
        packs: item.packs ?? [],
        isMirrored,
        corners,
        columns,
        rows: count,
        tilesRead: tiles.filter(Boolean).length,
      },
    ];
  });
}

function writeLink(link: Named['links'][number], people: readonly PersonRow[], visits: readonly VisitRow[]) {
  const ofLink = people.filter(({ linkId }) => linkId === link.linkId);
  const { linkId, word, chancePower } = link;
  return {
    linkId,
    word,
    chancePower,
    linkName: ofLink[0]?.linkName ?? '',
    recipientName: ofLink[0]?.recipientName ?? null,
    viewers: ofLink.map((person) => {
      const certainty = link.grants.find(({ grantId }) => grantId === person.grantId);
      return {
        grantId: person.grantId,
        viewerId: person.viewerId,
        name: namePerson(person),
        certainty: certainty ? { word: certainty.word, chancePower: certainty.chancePower } : null,
        firstShownAt: person.firstShownAt.toISOString(),
        lastShownAt: person.lastShownAt.toISOString(),
        visits: visits.filter(({ grantId }) => grantId === person.grantId).map(writeVisit),
      };
    }),
  };
}

const writeVisit = ({ grantId: _, startedAt, endedAt, looks, ...visit }: VisitRow) => ({
  ...visit,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  looks: looks ?? [],
});

const writeRow = ({ seq, at, kind, id, commitment }: CommitmentRow) => ({
  seq,
  at: at.toISOString(),
  kind,
  id,
  commitment: commitment.toString('hex'),
});

/** The log rows of those that are named, the seals that hold them, and the chain from there on. */
async function gatherSeals(
  tx: Tx,
  { keys }: Engines,
  { row: { creatorId }, isOpen }: Gathering,
  ids: readonly string[],
): Promise<Pick<Written, 'commitments' | 'seals'>> {
  const traceKey = isOpen ? await ensureTraceKey(tx, keys, creatorId) : undefined;
  const seedOf = ({ kind, id }: CommitmentRow) =>
    traceKey === undefined ? null : (kind === 'link' ? linkSeed : grantSeed)(traceKey, id).toString('hex');
  const commitments = await listCommitments(tx, creatorId, ids);
  const ns = [...new Set(commitments.flatMap(({ sealN }) => sealN ?? []))];
  const chain = ns.length > 0 ? await listSealsFrom(tx, creatorId, Math.min(...ns)) : [];
  const rows = ns.length > 0 ? await listRowsOfSeals(tx, creatorId, ns) : [];
  return {
    commitments: commitments.map((commitment) => ({
      ...writeRow(commitment),
      sealN: commitment.sealN,
      sealedAt: commitment.sealedAt?.toISOString() ?? null,
      seed: seedOf(commitment),
    })),
    seals: chain.map(({ n, at, previous, rowsHash, hash }) => ({
      n,
      at: at.toISOString(),
      previous: (previous ?? firstHash).toString('hex'),
      rowsHash: rowsHash.toString('hex'),
      hash: hash.toString('hex'),
      rows: ns.includes(n) ? rows.filter(({ sealN }) => sealN === n).map(writeRow) : null,
    })),
  };
}

const custodyWords = {
  uploaded: 'The copy was handed in',
  read: 'It was read and judged',
  disclosed: 'Its codeword was disclosed in an evidence file',
};

/** What became of the copy, step by step, and which traces of the same items were made before it. */
async function gatherCustody(tx: Tx, { row, isOpen, now }: Gathering, mediaIds: string[]): Promise<Written['custody']> {
  const log = await listLog(tx, { creatorId: row.creatorId, traceId: row.id, mediaIds });
  const lines = log.map(({ seq, at, kind, outcome, traceId }) => {
    const what = traceId === row.id ? custodyWords[kind] : `An earlier trace of the same photo ended: ${outcome ?? ''}`;
    return { at: at.toISOString(), what: `${what} (row ${seq} of the trace log)` };
  });
  const file = isOpen ? 'This file was made, with the codewords of those that it names' : 'This file was made';
  return [...lines, { at: now.toISOString(), what: file }];
}
