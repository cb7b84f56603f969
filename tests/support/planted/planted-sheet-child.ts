import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { serveTasks } from '#engines/children/child-host.ts';
import type { ClipJob } from '#features/tracing/clips/clip-job.ts';
import { plantedDeeds } from './planted-sheet-deeds.ts';

const drawn = { outcome: 'drawn' };
const later = () => new Promise<never>(() => setTimeout(() => undefined, 60_000));

/** The width of a frame says which of them; no frame of a clip is so narrow. */
serveTasks<Extract<ClipJob, { kind: 'sheet' }>>(async ({ job, output }) => {
  const deed = plantedDeeds[job.clip.width];
  const file = `${output}.sheet`;
  const create = { ...job.clip, channels: 3, background: 'black' } as const;
  if (deed === 'answers what it likes') return { outcome: 'guilty', link: 'of my enemy' };
  if (deed === 'leaves no file') return drawn;
  if (deed === 'hangs') return later();
  if (deed === 'dies') process.exit(3);
  if (deed === 'reports an error') throw new Error('a slip');
  if (deed === 'leaves garbage') await writeFile(file, 'garbage');
  if (deed === 'leaves a giant') await writeFile(file, Buffer.alloc(31e6));
  if (deed === 'leaves another size') await sharp({ create }).png().toFile(file);
  if (deed !== 'answers another question') return drawn;
  await sharp({ create: { ...create, width: 2 * create.width } })
    .png()
    .toFile(file);
  return { outcome: 'not there' };
});
