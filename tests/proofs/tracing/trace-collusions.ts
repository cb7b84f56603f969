import { randomInt } from 'node:crypto';
import type { Frame } from '#features/media/watermark/mask.ts';
import { open } from './leak-pixels.ts';
import type { Person, SeenPhoto } from './suspects.ts';

/** The mean of what several people see. */
async function averaged(photo: SeenPhoto, people: readonly Person[]): Promise<Buffer> {
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

/** Of each tile the variant that one of them got, in turn as chance has it. */
async function mixed(photo: SeenPhoto, people: readonly Person[]): Promise<Buffer> {
  const bits = people.map((person) => photo.bits(person));
  const own = (bits[0] as Uint8Array).map((_, t) => bits[randomInt(bits.length)]?.[t] ?? 0);
  return open(await photo.viewBits(own))
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** What two viewers of two links do together; whether somebody must be named, or at least nobody else. */
export const pairs = [
  { name: 'two links: average, JPEG 80', mix: averaged, mustName: true },
  { name: 'two links: each tile from either, JPEG 80', mix: mixed, mustName: false },
];

/** What three viewers of one link do together. */
export const collusions = [
  { name: 'three grants of a link: minority vote, 1080 px, JPEG 70', mix: outvoted },
  { name: 'three grants of a link: average, JPEG 80', mix: averaged },
];
