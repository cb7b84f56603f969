import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type ChildTask, serveTasks } from '#engines/children/child-host.ts';
import { blockhashOf } from '#features/media/blockhash.ts';
import { type DecodedPhoto, openPhotoDecoder, PhotoRefused } from '#features/media/decode-photo.ts';
import { lumaOf } from '../imaging/luma.ts';
import { openOpenCv } from '../imaging/open-cv.ts';
import { openReferenceMaker, type Reference } from '../imaging/reference.ts';
import { countAgreeing, type LeakPicture, openLeakPicture, openWanted } from '../imaging/register.ts';
import { openItem, readItem } from './read-item.ts';
import { type PackPart, previewSide, type TraceAnswer, type TraceJob } from './trace-job.ts';

/** The process in which a stranger's copy becomes numbers. Nothing of it is loaded by the server. */

/** More pixels of a leak than this tell nothing more. */
const leakSide = 2600;
const decode = openPhotoDecoder(leakSide);
const makeReference = await openReferenceMaker();
const { cv } = await openOpenCv();

interface TakenLeak {
  hash: string;
  decoded: DecodedPhoto;
  picture: LeakPicture;
}
/** The leak of the last task: most tasks ask about the same one. */
let last: TakenLeak | undefined;

serveTasks<TraceJob>(async (task) => {
  try {
    return await answer(task);
  } catch (error) {
    if (!(error instanceof PhotoRefused)) throw error;
    const words = String((error.cause as Error | undefined)?.message ?? error.code).slice(0, 500);
    return { outcome: 'refused', code: error.code, words } satisfies TraceAnswer;
  }
});

async function answer({ job, input, output }: ChildTask<TraceJob>): Promise<TraceAnswer> {
  const bytes = await readFile(input);
  const leak = await takeLeak(bytes.subarray(0, job.leakBytes), job, `${output}.copy`);
  if (job.kind === 'fingerprint') return fingerprint(leak.decoded, output);
  const packs = partsOf(bytes.subarray(job.leakBytes), job.packs);
  return job.kind === 'match' ? matchAll(leak, packs) : readOne(leak, packs);
}

/** Decodes the leak, unless the last task brought it already. */
async function takeLeak(bytes: Buffer, { limits }: TraceJob, file: string): Promise<TakenLeak> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (last?.hash === hash) return last;
  last?.picture.delete();
  last = undefined;
  try {
    // Decoders want a file that ends where the picture does.
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
    const decoded = await decode(file, limits);
    last = { hash, decoded, picture: openLeakPicture(cv, lumaOf(decoded.frame)) };
    return last;
  } finally {
    await rm(file, { force: true });
  }
}

function partsOf(bytes: Buffer, parts: readonly PackPart[]) {
  let at = 0;
  return parts.map(({ track, sizeBytes, mediaKey }) => {
    const pack = bytes.subarray(at, at + sizeBytes);
    at += sizeBytes;
    return { track, pack, mediaKey: Buffer.from(mediaKey, 'base64') };
  });
}
type Part = ReturnType<typeof partsOf>[number];

async function fingerprint({ frame, mime, width, height }: DecodedPhoto, output: string): Promise<TraceAnswer> {
  const preview = sharp(frame.rgb, { raw: { width: frame.width, height: frame.height, channels: 3 } })
    .resize(previewSide, previewSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 });
  await writeFile(`${output}.preview`, await preview.toBuffer());
  return { outcome: 'fingerprint', mime, width, height, blockhash: await blockhashOf(frame) };
}

async function matchAll({ picture }: TakenLeak, parts: readonly Part[]): Promise<TraceAnswer> {
  const inliers: number[] = [];
  for (const { pack, mediaKey, track } of parts) {
    const wanted = openWanted(cv, (await makeReference(pack, mediaKey, track)).picture);
    inliers.push(countAgreeing(cv, wanted, picture));
    wanted.delete();
  }
  return { outcome: 'matched', inliers };
}

async function readOne({ picture }: TakenLeak, parts: readonly Part[]): Promise<TraceAnswer> {
  const references: Reference[] = [];
  for (const { pack, mediaKey, track } of parts) references.push(await makeReference(pack, mediaKey, track));
  const item = openItem(cv, references);
  const found = readItem(cv, picture, item);
  item.wanted.delete();
  if (!found) return { outcome: 'not there' };
  return {
    outcome: 'read',
    inliers: found.inliers,
    isMirrored: found.isMirrored,
    corners: found.corners.map(([x, y]) => [held(x), held(y)]),
    readings: found.readings.map(({ z, visible }) => ({ z: Array.from(z), visible: Array.from(visible) })),
  };
}

/** Far outside is far outside. */
const held = (share: number) => Math.max(-1000, Math.min(1000, share));
