import { readPackHeader } from '#features/media/pack.ts';
import { type PhotoTrack, photoTracks } from '#features/media/photo-job.ts';
import type { Candidate, FoundItem, Reading, ReadLeak, ReadOptions } from './evidence.ts';
import { bitsApart, nearBits } from './rules.ts';
import type { ReadNumbers } from './trace-job.ts';
import { askChild, type OpenPack, StrangeAnswer, type Work } from './trace-task.ts';

/** How many items are compared in one task, and how many of those that look alike are read. */
const [batchSize, mostRead] = [8, 6];

/** One leak on its way through the candidates. */
type Reader = Work & Pick<ReadOptions, 'onProgress'>;

/** Looks for the candidates in a leak and reads those that are in it: first what looks alike as a whole, else every one by its features. */
export async function readLeak(work: Reader, blockhash: string, candidates: readonly Candidate[]): Promise<ReadLeak> {
  const known = candidates.map((candidate) => ({ candidate, bits: bitsFrom(blockhash, candidate) }));
  const near = known.filter(({ bits }) => bits <= nearBits).toSorted((a, b) => a.bits - b.bits);
  const found = await readItems(work, pickCandidates(near));
  if (found.length > 0) return { items: found, compared: near.length };
  const rest = pickCandidates(known.filter(({ bits }) => bits > nearBits));
  const alike = await matchItems(work, rest);
  return { items: await readItems(work, alike), compared: candidates.length };
}

const pickCandidates = (known: readonly { candidate: Candidate }[]) => known.map(({ candidate }) => candidate);

/** The bits in which a leak differs from an item or its mirror image. */
function bitsFrom(leak: string, { blockhash, mirroredBlockhash }: Candidate): number {
  const hashes = [blockhash, mirroredBlockhash].filter((hash) => hash !== null);
  return Math.min(...hashes.map((hash) => bitsApart(leak, hash)), Number.POSITIVE_INFINITY);
}

/** Those whose thumbnail is found in the leak, the surest first. */
async function matchItems(work: Reader, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const matches: { candidate: Candidate; inliers: number }[] = [];
  for (let done = 0; done < candidates.length; done += batchSize) {
    work.onProgress?.({ step: 'matching', done, of: candidates.length });
    const batch = candidates.slice(done, done + batchSize);
    const packs = await Promise.all(batch.map((candidate) => openPack(candidate, 'thumb512')));
    const { answer } = await askChild(work, 'match', packs);
    if (answer.outcome !== 'matched' || answer.inliers.length !== batch.length) throw new StrangeAnswer(answer.outcome);
    for (const [n, candidate] of batch.entries()) matches.push({ candidate, inliers: answer.inliers[n] ?? 0 });
  }
  const alike = matches.filter(({ inliers }) => inliers > 0).toSorted((a, b) => b.inliers - a.inliers);
  return pickCandidates(alike.slice(0, mostRead));
}

async function readItems(work: Reader, candidates: readonly Candidate[]): Promise<FoundItem[]> {
  const items: FoundItem[] = [];
  for (const [done, candidate] of candidates.entries()) {
    work.onProgress?.({ step: 'reading', done, of: candidates.length });
    const packs = await Promise.all(photoTracks.map((track) => openPack(candidate, track)));
    const { answer } = await askChild(work, 'read', packs);
    if (answer.outcome === 'not there') continue;
    if (answer.outcome !== 'read') throw new StrangeAnswer(answer.outcome);
    const { isMirrored, corners, readings } = answer;
    const { mediaId } = candidate;
    items.push({
      mediaId,
      isMirrored,
      corners,
      readings: packs.map((pack, n) => readingOf(mediaId, pack, readings[n])),
    });
  }
  return items;
}

/** Numbers of a child, laid on the grid that our own pack has. */
function readingOf(mediaId: string, { track, bytes }: OpenPack, numbers: ReadNumbers | undefined): Reading {
  const { columns, rows, tiles } = readPackHeader(bytes);
  if (numbers?.z.length !== tiles || numbers.visible.length !== tiles) throw new StrangeAnswer('other tiles');
  return {
    mediaId,
    track,
    columns,
    rows,
    z: Float64Array.from(numbers.z),
    visible: Float64Array.from(numbers.visible),
  };
}

async function openPack(candidate: Candidate, track: PhotoTrack): Promise<OpenPack> {
  const [bytes, mediaKey] = await Promise.all([candidate.pack(track), candidate.mediaKey()]);
  return { track, bytes, mediaKey };
}
