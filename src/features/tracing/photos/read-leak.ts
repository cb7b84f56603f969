import type { PictureTrack } from '#features/media/formats/keys.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import type { Candidate, FoundItem, Reading, ReadLeak, ReadOptions, TraceProgress } from '../findings.ts';
import type { CheckpointOptions, MatchCheckpoint } from '../progress/match-checkpoint.ts';
import { bitsApart, nearBits } from '../rules.ts';
import { isUnder, type Place, placeOf, shareCovered } from './places.ts';
import type { ReadNumbers } from './trace-job.ts';
import { askChild, MalformedAnswer, type OpenPack, type Work } from './trace-task.ts';

/** How many items are compared in one task, how many of those that look alike are read anyway, and how many at most. */
const [batchSize, alwaysRead, mostRead] = [8, 6, 18];
/** Photos of one scene are laid over each other too, but with far fewer features than the one that leaked. */
const sparseShare = 1 / 4;
/** Of a copy so much has to be found before nothing more is looked for in it: a collage shows several. */
const explainedShare = 2 / 3;

/** One leak on its way through the candidates. */
type Reader = Work & Pick<ReadOptions, 'onProgress'> & CheckpointOptions;

/**
 * Looks for the candidates in a leak and reads those that are in it: first those that look most alike as a whole, else every one by
 * its features. Which are read is chosen by looks alone, never by what their tiles say.
 */
export async function readLeak(work: Reader, blockhash: string, candidates: readonly Candidate[]): Promise<ReadLeak> {
  const known = candidates.map((candidate) => ({ candidate, bits: bitsFrom(blockhash, candidate) }));
  const near = known.filter(({ bits }) => bits <= nearBits).toSorted((a, b) => a.bits - b.bits);
  const nearest = near.slice(0, alwaysRead).map(({ candidate }) => candidate);
  const found = work.place === undefined ? await readItems(work, nearest, { isFirstLook: true }) : [];
  if (isExplained(found)) return { items: found.map(({ item }) => item), compared: near.length };
  const hits = found.map(({ item, inliers }) => ({ mediaId: item.mediaId, inliers }));
  const { place = { tried: nearest.map(({ mediaId }) => mediaId), after: '', hits } } = work;
  const alike = await matchItems(work, candidates, place);
  const items = await readItems(work, alike);
  return { items: items.map(({ item }) => item), compared: candidates.length };
}

/** An item that was read, how surely it was found, and where. */
interface ReadItem {
  item: FoundItem;
  inliers: number;
  place: Place;
}

const isExplained = (items: readonly ReadItem[]) => shareCovered(items.map(({ place }) => place)) >= explainedShare;

/** The bits in which a leak differs from an item or its mirror image. */
function bitsFrom(leak: string, { blockhash, mirroredBlockhash }: Candidate): number {
  const hashes = [blockhash, mirroredBlockhash].filter((hash) => hash !== null);
  return Math.min(...hashes.map((hash) => bitsApart(leak, hash)), Number.POSITIVE_INFINITY);
}

/**
 * Those whose thumbnail, or whose storyboard, is found in the leak, the surest first; from a place on, which is told after each task.
 * Those that were tried before are there only when they were found.
 */
async function matchItems(
  work: Reader,
  candidates: readonly Candidate[],
  place: MatchCheckpoint,
): Promise<Candidate[]> {
  const rest = candidates.filter(({ mediaId }) => !place.tried.includes(mediaId));
  const ordered = rest.toSorted((a, b) => (a.mediaId < b.mediaId ? -1 : 1));
  const first = ordered.findIndex(({ mediaId }) => mediaId > place.after);
  let { hits } = place;
  for (let done = first; done >= 0 && done < ordered.length; done += batchSize) {
    work.onProgress?.({ step: 'matching', done, of: ordered.length });
    const batch = ordered.slice(done, done + batchSize);
    const forms = batch.flatMap((candidate) => candidate.forms.map((form) => ({ candidate, track: smallestOf(form) })));
    const packs = await Promise.all(forms.map(({ candidate, track }) => openPack(candidate, track)));
    const { answer } = await askChild(work, 'match', packs);
    if (answer.outcome !== 'matched' || answer.inliers.length !== packs.length)
      throw new MalformedAnswer(answer.outcome);
    const { inliers } = answer;
    const seen = batch.map(({ mediaId }) => {
      const own = inliers.filter((_, n) => forms[n]?.candidate.mediaId === mediaId);
      return { mediaId, inliers: Math.max(0, ...own) };
    });
    const found = [...hits, ...seen.filter((hit) => hit.inliers > 0)];
    hits = found.toSorted((a, b) => b.inliers - a.inliers).slice(0, mostRead);
    await work.onPlace?.({ ...place, after: batch.at(-1)?.mediaId ?? '', hits });
  }
  return hits.flatMap((hit) => candidates.find(({ mediaId }) => mediaId === hit.mediaId) ?? []);
}

/** Reads the first few, and on while most of the leak is not explained by what was found. */
async function readItems(
  work: Reader,
  candidates: readonly Candidate[],
  look: Pick<TraceProgress, 'isFirstLook'> = {},
): Promise<ReadItem[]> {
  const items: ReadItem[] = [];
  for (const [done, candidate] of candidates.entries()) {
    if (done >= alwaysRead && isExplained(withoutSparse(items))) break;
    work.onProgress?.({ step: 'reading', done, of: candidates.length, ...look });
    for (const form of candidate.forms) {
      const found = await readForm(work, candidate, form);
      if (found) items.push({ ...found, place: placeOf(found.item) });
      if (found) break;
    }
  }
  return withoutSparse(items);
}

/** Without what lies where another item was found far more surely. What stands elsewhere in the leak may be as plain as it is. */
function withoutSparse(items: readonly ReadItem[]): ReadItem[] {
  return items.filter(
    ({ inliers, place }) =>
      !items.some((other) => inliers < sparseShare * other.inliers && isUnder(place, other.place)),
  );
}

/** Reads a candidate in one of its forms; undefined when it is not in the leak so. */
async function readForm(
  work: Reader,
  candidate: Candidate,
  form: readonly PictureTrack[],
): Promise<Omit<ReadItem, 'place'> | undefined> {
  const packs = await Promise.all(form.map((track) => openPack(candidate, track)));
  const { answer } = await askChild(work, 'read', packs);
  if (answer.outcome === 'not there') return;
  if (answer.outcome !== 'read') throw new MalformedAnswer(answer.outcome);
  const { inliers, isMirrored, corners, readings: numbers } = answer;
  const { mediaId } = candidate;
  const readings = packs.map((pack, n) => readingOf(mediaId, pack, numbers[n]));
  return { inliers, item: { mediaId, isMirrored, corners, readings } };
}

const smallestOf = (form: readonly PictureTrack[]): PictureTrack => form.at(-1) ?? 'thumb512';

/** Numbers of a child, laid on the grid that our own pack has. */
function readingOf(mediaId: string, { track, bytes }: OpenPack, numbers: ReadNumbers | undefined): Reading {
  const { columns, rows, tiles } = readPackHeader(bytes);
  if (numbers?.z.length !== tiles || numbers.visible.length !== tiles) throw new MalformedAnswer('other tiles');
  return {
    mediaId,
    track,
    columns,
    rows,
    z: Float64Array.from(numbers.z),
    visible: Float64Array.from(numbers.visible),
  };
}

async function openPack(candidate: Candidate, track: PictureTrack): Promise<OpenPack> {
  const [bytes, mediaKey] = await Promise.all([candidate.pack(track), candidate.mediaKey()]);
  return { track, bytes, mediaKey };
}
