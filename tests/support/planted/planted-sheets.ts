import { fileURLToPath } from 'node:url';
import type { PoolOptions } from '#engines/children/task.ts';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { type ClipReader, openClipReader } from '#features/tracing/clips/clip-reader.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const entry = fileOf('./planted-sheet-child.ts');

/** Walls behind which a clip child does what `plantedDeeds` tells. */
export async function openPlantedDesks(): Promise<{
  walls: Walls;
  open(changes?: Pick<PoolOptions, 'taskSeconds'>): ClipReader;
}> {
  const walls = await openWalls({ hidden: [], readable: [entry, fileOf('./planted-sheet-deeds.ts')] });
  return { walls, open: (changes) => openClipReader(walls, undefined, { entry, ...changes }) };
}
