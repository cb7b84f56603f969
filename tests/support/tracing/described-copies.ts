import { fileURLToPath } from 'node:url';
import type { Engines } from '#engines/engines.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { openTraceWork, type TraceWork } from '#features/tracing/work/trace-work.ts';
import type { SeededPhoto } from '../media/pictures.ts';
import type { ToldCopy } from '../planted/planted-told-child.ts';
import type { Guest, LeakWorld } from './leaks.ts';

/**
 * Copies that say themselves what is read in them, for tests of what becomes of a reading: who was shown the photo, what was asked
 * before, what is written down. Which variants a guest got is read off what the product gave them. How pixels are read is tested
 * where they are.
 */
const entry = fileURLToPath(new URL('../planted/planted-told-child.ts', import.meta.url));

/** The work of traces with a child that believes such copies. @param options as of the work itself */
export const openToldWork = (engines: Engines, options: Parameters<typeof openTraceWork>[1] = {}): TraceWork =>
  openTraceWork(engines, { arePhotosFirst: false, ...options, entry });

/** As clear as a good copy is, and as unclear as no mark. */
const [clear, noise] = [6, 0.4];

interface CopyParams {
  /** Which photo. */
  n?: number;
  /** So much of it holds the mark, from the first tile on. */
  share?: number;
  /** Copies of two numbers are two files. */
  quality?: number;
  /** So long it is looked at for each question. */
  holdMs?: number;
}

const write = (reported: ToldCopy & { quality: number }): Buffer => Buffer.from(JSON.stringify(reported));

/** A photo as a guest saved it from their screen. */
export function describeCopy(
  { photos }: LeakWorld,
  guest: Pick<Guest, 'slots'> | undefined,
  { n = 0, share = 1, quality = 70, holdMs }: CopyParams = {},
): Buffer {
  const photo = photos[n];
  if (photo?.blockhash === undefined) throw new Error('There are not so many photos.');
  const { packId, bytes } = photo.packs.p2048;
  const slots = guest?.slots[n] ?? Array.from({ length: readPackHeader(bytes).tiles }, () => 0);
  const marked = guest === undefined ? 0 : share * slots.length;
  const z = slots.map((slot, tile) => {
    if (tile >= marked) return tile % 2 === 0 ? noise : -noise;
    return slot === 1 ? clear : -clear;
  });
  return write({ blockhash: photo.blockhash, z: { [packId]: z }, quality, holdMs });
}

/** A picture of something else. @param resembles a photo that it is like by chance */
export const describeStranger = ({ resembles, ...params }: { resembles?: SeededPhoto; holdMs?: number } = {}): Buffer =>
  write({
    blockhash: '0f'.repeat(32),
    z: {},
    resembles: resembles && [resembles.packs.thumb512.packId],
    quality: 70,
    ...params,
  });
