import type { Frame } from '#features/media/mask.ts';
import { open } from './leak-pixels.ts';
import type { Person, SeenPhoto } from './trace-world.ts';

/** The mean of what several people see. */
export async function averaged(photo: SeenPhoto, people: readonly Person[]): Promise<Buffer> {
  const views = await Promise.all(people.map((person) => photo.view(person)));
  const [first] = views as [Frame];
  const rgb = first.rgb.map((_, i) =>
    Math.round(views.reduce((sum, view) => sum + (view.rgb[i] ?? 0), 0) / views.length),
  );
  return open({ ...first, rgb })
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** Of each tile the variant that the fewest of them got. */
async function outvoted(photo: SeenPhoto, people: readonly Person[]): Promise<Buffer> {
  const bits = people.map((person) => photo.bits(person));
  const minority = bits[0]?.map((_, t) => {
    const ones = bits.reduce((sum, each) => sum + (each[t] ?? 0), 0);
    return ones === 0 || ones === people.length ? ones / people.length : ones === 1 ? 1 : 0;
  });
  const view = await photo.viewBits(minority ?? new Uint8Array());
  return open(view).resize(1080, 1080, { fit: 'inside' }).jpeg({ quality: 70 }).toBuffer();
}

/** What three viewers of one link do together. */
export const collusions = [
  { name: 'three grants of a link: minority vote, 1080 px, JPEG 70', mix: outvoted },
  { name: 'three grants of a link: average, JPEG 80', mix: averaged },
];
