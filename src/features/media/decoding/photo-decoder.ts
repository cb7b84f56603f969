import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openChildPool } from '#engines/children/child-pool.ts';
import type { PoolOptions, PoolTask } from '#engines/children/task.ts';
import type { Walls } from '#engines/children/walls.ts';
import type { PictureTrack } from '../formats/keys.ts';
import { type PackHeader, packIdText, readPackHeader } from '../formats/pack.ts';
import type { PhotoFailure, PhotoLimit, PhotoLimits } from '../formats/photo-shapes.ts';
import { isWithin } from '../formats/rendition-size.ts';
import { photoLimits } from '../photo-limits.ts';
import { type Decoded, runDecoder } from '../run-decoder.ts';
import type { RemovedMetadata } from './personal-metadata.ts';
import { type PhotoJob, photoAnswerShape, photoRenditions, type Rendition } from './photo-job.ts';

/** A photo that is to be made ready. */
export interface PhotoOrder {
  mediaKey: Buffer;
  /** Size of the original. */
  sizeBytes: number;
  /** Opens the original, decrypted; its beginning is looked at, then it is read once, and again when a child died over it. */
  openOriginal(): Readable | Promise<Readable>;
  limits?: PhotoLimits | undefined;
  /** What it becomes; those of a photo when left out. */
  renditions?: readonly Rendition[] | undefined;
  /** Processor time that it may take; a minute when left out. */
  jobSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One finished rendition: marked, encrypted, ready to be stored as it is. */
export interface MadePack {
  track: PictureTrack;
  /** The pack's id in the form of a UUID. */
  packId: string;
  bytes: Buffer;
  header: PackHeader;
}

/** Everything that a photo becomes. */
export interface MadePhoto {
  mime: string;
  /** Size of the original as one looks at it. */
  width: number;
  height: number;
  packs: MadePack[];
  teaser: Buffer;
  thumbhash: Buffer;
  blockhash: string;
  mirroredBlockhash: string;
  removed: RemovedMetadata[];
  /** In how many tiles of its largest rendition the mark outlived the codec. */
  markedTiles: number;
  /** Where its milliseconds went. */
  laps: Record<string, number>;
}

/** What became of an order; `words` are the decoder's own, for the log, and `limit` is the one that it is over. */
export type PhotoOutcome =
  | { outcome: 'made'; photo: MadePhoto }
  | { outcome: 'failed'; code: PhotoFailure | 'TIMEOUT'; words: string; limit?: PhotoLimit | undefined };

/** Makes photos out of strangers' files, in walled children. */
export interface PhotoDecoder {
  /** @throws Error when the original cannot be read, the signal fires or the decoder closes: nothing is decided then */
  ingest(order: PhotoOrder): Promise<PhotoOutcome>;
  close(): Promise<void>;
}

const megabyte = 1e6;

/** How many photos at once, and what each child may take of the machine. */
export const childOptions: PoolOptions = {
  children: 2,
  entry: fileURLToPath(new URL('./photo-child.ts', import.meta.url)),
  // The kernel's limit counts what Node and WebAssembly reserve without touching it; the pool weighs what is really held.
  limits: { dataBytes: 1500 * megabyte, fileBytes: 64 * megabyte, cpuSeconds: 3600 },
  niceness: 5,
  environment: {
    // A picture too large to stream must fail by its weight instead of filling the disk.
    VIPS_DISC_THRESHOLD: '4g',
    // Pictures go back to the machine when they are done; otherwise glibc keeps 90 MB a child for the next one.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1000000',
    MALLOC_TRIM_THRESHOLD_: '1000000',
  },
  tasksPerChild: 200,
  restBytes: 400 * megabyte,
  peakBytes: 600 * megabyte,
  taskSeconds: 60,
  idleSeconds: 15,
};

/**
 * What one may hold that decodes HEIF, of which only one is decoded at a time: libheif and its decoder hold the whole picture several
 * times over. AVIF of 25 megapixels takes 485 MB, of ten bits in full colour 717 MB.
 */
const heifPeakBytes = 900 * megabyte;

/** Opens the decoder; its children start with the first photo and go when there are no more. */
export function openPhotoDecoder(walls: Walls, changes: Partial<PoolOptions> = {}): PhotoDecoder {
  const pool = openChildPool(walls, { ...childOptions, ...changes });
  const heifPeak = changes.peakBytes ?? heifPeakBytes;
  let turn: Promise<unknown> = Promise.resolve();
  /** Two at once would be the whole of a small machine. */
  const afterOther = <T>(run: () => Promise<T>): Promise<T> => {
    const mine = turn.then(run);
    turn = mine.catch(() => undefined); // its failure is its own
    return mine;
  };
  return {
    async ingest(order) {
      const { limits = photoLimits, renditions = photoRenditions } = order;
      if (order.sizeBytes > limits.fileBytes) {
        return { outcome: 'failed', code: 'TOO_BIG', words: 'the file', limit: 'fileBytes' };
      }
      const task: PoolTask = {
        job: { mediaKey: order.mediaKey.toString('base64'), limits, renditions } satisfies PhotoJob,
        openInput: order.openOriginal,
        outputs: renditions.map(({ track }) => track),
        outputBytes: childOptions.limits.fileBytes,
        taskSeconds: order.jobSeconds,
        signal: order.signal,
      };
      const make = async (peakBytes?: number) => outcomeOf(await runDecoder(pool, { ...task, peakBytes }), renditions);
      return (await isHeif(order)) ? afterOther(() => make(heifPeak)) : make();
    },
    close: () => pool.close(),
  };
}

/** Brands of ISO/IEC 23008-12 and of AVIF whose pictures are HEVC or AV1, or may be. */
const heifBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis']);

/** Looks at the first bytes only; what the file really is its child decides. */
async function isHeif({ openOriginal }: PhotoOrder): Promise<boolean> {
  const original = await openOriginal();
  try {
    if (original.readableLength === 0 && !original.readableEnded) await once(original, 'readable');
    const head = original.read() as Buffer | null;
    return head !== null && head.toString('latin1', 4, 8) === 'ftyp' && heifBrands.has(head.toString('latin1', 8, 12));
  } finally {
    original.on('error', () => undefined); // nobody waits for the rest of it
    original.destroy();
  }
}

/** @throws Error when a child answers what ours never does */
function outcomeOf(task: Decoded, renditions: readonly Rendition[]): PhotoOutcome {
  if (task.ended === 'failed') return { outcome: 'failed', code: task.code, words: task.words };
  const answer = photoAnswerShape.parse(task.answer);
  if (answer.outcome === 'refused') return { ...answer, outcome: 'failed' };
  const { outcome, teaser, thumbhash, ...photo } = answer;
  const packs = renditions.map((rendition) => readPack(rendition, task.files.get(rendition.track)));
  const [teaserBytes, thumbhashBytes] = [Buffer.from(teaser, 'base64'), Buffer.from(thumbhash, 'base64')];
  return { outcome, photo: { ...photo, packs, teaser: teaserBytes, thumbhash: thumbhashBytes } };
}

function readPack({ track, sidePx }: Rendition, bytes: Buffer | undefined): MadePack {
  if (!bytes) throw new Error(`a photo child made no ${track}`);
  const header = readPackHeader(bytes);
  if (header.variants !== 2 || header.codec !== 'webp' || !isWithin(header, sidePx))
    throw new Error(`a photo child made a strange ${track}`);
  return { track, packId: packIdText(header.packId), bytes, header };
}
