import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { codewordTrack, grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { recordSeen } from '#features/security/recording.ts';
import { joinSeconds } from '../clips/join-seconds.ts';
import type { TraceOutcome } from '../contract.ts';
import type { Fingerprint, FoundItem, Reading, ReadLeak, Suspect } from '../findings.ts';
import { countEarlierTraces, insertReadEntry, takeAnswerTurn, wasDisclosed } from '../log/log-store.ts';
import { finishTrace, type TracedRow } from '../progress/progress-store.ts';
import { readTraceFile, StoredReadings } from '../progress/trace-files.ts';
import { secondsShown, tilesShown } from '../rules.ts';
import { findTrace, findTraceKey } from '../store.ts';
import { resultOf } from '../to-api.ts';
import { countIssued, type Judgement, judge } from '../verdict/judge.ts';
import { listSuspects, type ShownItem, type SuspectRow } from '../verdict/people-store.ts';
import { mediaIdsOf, type TraceResult } from '../verdict/result.ts';

const system = { kind: 'system' } as const;

/** What was read of a copy, together with other copies of the same leak. */
export interface Whole extends ReadLeak {
  readings: Reading[];
  /** Of each item that was found, when the last copy that shows it was there: who was shown it later made none of them. */
  shown: ShownItem[];
  together: TraceResult['together'];
}

/** Adds what was read of another copy, which holds what it was weighed with itself; what of it was deleted meanwhile adds nothing. */
export async function addOthers(
  { database, keys, storage }: Engines,
  { with_id: otherId, known_at: at }: TracedRow,
  { items, compared }: ReadLeak,
): Promise<Omit<Whole, 'items'>> {
  const readings = items.flatMap((item) => item.readings);
  const shown = items.map((item) => ({ mediaId: item.mediaId, before: at, isMoving: isMoving(item) }));
  const alone = { readings, compared, shown, together: { traceIds: [], mediaIds: [], isOtherGone: false } };
  if (otherId === null) return alone;
  const other = await database.work(system, (tx) => findOther(tx, keys, otherId));
  const stored = other && (await readTraceFile(storage, { traceId: otherId, key: other.key }, 'readings'));
  // A copy of nothing has no readings, and none to lose.
  if (other === undefined || (stored === undefined && mediaIdsOf(other.result).length > 0))
    return { ...alone, together: { ...alone.together, isOtherGone: true } };
  const { result } = other;
  const mediaIds = mediaIdsOf(result);
  const own = result.leak.stills === undefined ? [] : [{ traceId: otherId, seconds: result.leak.stills }];
  const stills = [...own, ...(result.together.stills ?? [])];
  // Of a video that leaked as a still as well, whoever was given its pictures may have made one of both.
  const isStill = (mediaId: string) => result.shown.some((one) => one.mediaId === mediaId && !one.isMoving);
  const asBoth = (item: ShownItem) => ({ ...item, isMoving: item.isMoving && !isStill(item.mediaId) });
  const isNew = ({ mediaId }: ShownItem) => items.every((item) => item.mediaId !== mediaId);
  return {
    readings: joinSeconds([
      ...readings,
      ...(stored === undefined ? [] : StoredReadings.parse(JSON.parse(stored.toString()))),
    ]),
    compared: compared + result.compared,
    shown: [...shown.map(asBoth), ...result.shown.filter(isNew)],
    together: { ...result.together, traceIds: [otherId, ...result.together.traceIds], mediaIds, stills },
  };
}

/** Returns whether what was found is a video in a clip, read second by second. */
const isMoving = ({ readings }: Pick<FoundItem, 'readings'>): boolean =>
  readings.some(({ track }) => codewordTrack(track) === 'video');

/** Another copy whose answer is there. */
async function findOther(tx: Tx, keys: Engines['keys'], traceId: string) {
  const row = await findTrace(tx, traceId);
  const result = row && resultOf(row);
  const key = await findTraceKey(tx, keys, traceId);
  return result && key && { result, key };
}

interface Answered {
  row: TracedRow;
  print: Pick<Fingerprint, 'mime' | 'width' | 'height'>;
  read: Whole;
}

/** Judges what was read and writes down the answer, in the row and for good in the log, or neither. */
export async function writeAnswer(tx: Tx, engines: Engines, { row, print, read }: Answered): Promise<void> {
  const now = new Date(engines.clock());
  const creatorId = row.creator_id;
  // Two answers at once would both take themselves for the first.
  await takeAnswerTurn(tx, creatorId);
  const mediaIds = [...new Set(read.readings.map(({ mediaId }) => mediaId))];
  // A copy of nothing says nothing, whatever it was submitted with.
  const rows = read.items.length > 0 ? await listSuspects(tx, creatorId, read.shown) : undefined;
  const suspects = rows && (await openSuspects(tx, engines, creatorId, rows));
  const ground = { creatorId, traceId: row.id, sha256: row.sha256, mediaIds, compared: read.compared };
  const isAlone = read.together.traceIds.length === 0;
  const counted = await countEarlierTraces(tx, { ...ground, isAlone, issued: suspects ? countIssued(suspects) : null });
  const tries = { candidates: read.compared, ...counted };
  const judgement = suspects && judge(read.readings, suspects, tries);
  const outcome: TraceOutcome = judgement?.outcome ?? 'no_match';
  const named = judgement && (await nameThem(tx, row, judgement, rows));
  const { mime, width, height } = print;
  const result: TraceResult = {
    leak: { mime, width, height, stills: read.stills && [...read.stills] },
    compared: read.compared,
    earlierTraces: counted.earlierTraces,
    together: read.together,
    shown: read.shown,
    hasOriginal: read.hasOriginal ?? false,
    items: read.items.map(({ mediaId, isMirrored, corners, readings }) => {
      const { columns = 0, rows = 0, visible = [], track } = readings[0] ?? {};
      const isStill = track === 'storyboard';
      return {
        mediaId,
        isMoving: isMoving({ readings }),
        isStill,
        isMirrored,
        corners,
        columns,
        rows,
        tiles: isMoving({ readings }) ? secondsShown(visible) : tilesShown(visible),
      };
    }),
    ...(named && { named }),
  };
  if (!(await finishTrace(tx, row.id, { outcome, result, now }))) return;
  const [issued, hypotheses] = [judgement?.issued ?? null, judgement?.hypotheses ?? null];
  const namedIds = [
    ...(named?.links ?? []).map(({ linkId }) => linkId),
    ...(named?.ownLooks ?? []).map(({ grantId }) => grantId),
  ];
  await insertReadEntry(tx, { ...ground, outcome, issued, hypotheses, namedIds, now });
  await noteLeak(tx, row, { named, suspects: rows ?? [], now: new Date(engines.linkClock()) });
  await insertAudit(tx, {
    actor: { type: 'system' },
    action: 'leak.traced',
    target: { type: 'trace', id: row.id },
    details: { outcome },
  });
}

/** Notes at each link that is named that a copy was traced to it, and by whom where that is one viewer. */
async function noteLeak(
  tx: Tx,
  { id: traceId, creator_id: creatorId }: TracedRow,
  { named, suspects, now }: { named: TraceResult['named']; suspects: readonly SuspectRow[]; now: Date },
): Promise<void> {
  for (const { linkId, grants } of named?.links ?? []) {
    const [only, ...others] = grants;
    const suspect = others.length > 0 ? undefined : suspects.find(({ grantId }) => grantId === only?.grantId);
    const viewerId = suspect?.viewerId ?? undefined;
    await recordSeen(tx, { creatorId, linkId, type: 'leak_traced', viewerId, details: { traceId }, now });
  }
}

/** What an answer may name; nothing below *probable*. */
async function nameThem(
  tx: Tx,
  row: TracedRow,
  { outcome, issued, hypotheses, links, ownLooks }: Judgement,
  suspects: readonly SuspectRow[],
): Promise<TraceResult['named']> {
  if (outcome === 'inconclusive') return undefined;
  const ids = [
    ...links.flatMap(({ linkId, grants }) => [linkId, ...grants.map(({ grantId }) => grantId)]),
    ...ownLooks.map(({ grantId }) => grantId),
  ];
  const known = await wasDisclosed(tx, { creatorId: row.creator_id, traceId: row.id, ids, before: row.known_at });
  const support = new Set(suspects.flatMap(({ grantId, isSupport }) => (isSupport ? [grantId] : [])));
  const looks = ownLooks.map((look) => ({ ...look, isSupport: support.has(look.grantId) }));
  return { issued, hypotheses, links, ownLooks: looks, wasDisclosed: known };
}

async function openSuspects(
  tx: Tx,
  { keys }: Engines,
  creatorId: string,
  rows: readonly SuspectRow[],
): Promise<Suspect[]> {
  const traceKey = await ensureTraceKey(tx, keys, creatorId);
  const linkSeeds = new Map<string, Buffer>();
  const seedOf = (linkId: string) => {
    const seed = linkSeeds.get(linkId) ?? linkSeed(traceKey, linkId);
    linkSeeds.set(linkId, seed);
    return { linkId, linkSeed: seed };
  };
  return rows.map(({ grantId, linkId }) => ({
    grantId,
    grantSeed: grantSeed(traceKey, grantId),
    link: linkId === null ? undefined : seedOf(linkId),
  }));
}
