/**
 * Draws the icons of the installed app into `public/icons`: `node scripts/draw-icons.ts`, when a drawing has changed. Each comes
 * usual and neutral; the maskable one keeps what is drawn inside the circle that a phone may cut out.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import sharp from 'sharp';

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'public/icons');
const face = fontkit.create(readFileSync(path.join(root, 'src/ui/fonts/fraunces-480.woff2')));

/** "PF" as a path: a bare machine has no fonts. */
function drawLetters(text: string, sizePx: number): string {
  const scale = sizePx / face.unitsPerEm;
  const { glyphs, positions, advanceWidth } = face.layout(text);
  let x = 32 - (advanceWidth * scale) / 2;
  return glyphs
    .map((glyph, at) => {
      const part = `<path transform="translate(${x.toFixed(2)} 42.5) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`;
      x += (positions[at]?.xAdvance ?? glyph.advanceWidth) * scale;
      return part;
    })
    .join('');
}

const own = /<rect[^>]*\/>(.*)<\/svg>/s.exec(readFileSync(path.join(root, 'src/app/icon.svg'), 'utf8'))?.[1] ?? '';
const drawings = {
  usual: { ground: '#651545', drawing: own },
  neutral: { ground: '#3f4650', drawing: `<g fill="#fbf8f3">${drawLetters('PF', 30)}</g>` },
};

/** @param room share of the square that the drawing takes */
const compose = (ground: string, drawing: string, { room, corner }: { room: number; corner: number }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${corner}" fill="${ground}"/><g transform="translate(${32 - 32 * room} ${32 - 32 * room}) scale(${room})">${drawing}</g></svg>`;

mkdirSync(folder, { recursive: true });
for (const [name, { ground, drawing }] of Object.entries(drawings))
  for (const [file, size, room, corner] of [
    [`${name}-180`, 180, 0.86, 0],
    [`${name}-192`, 192, 1, 15],
    [`${name}-512`, 512, 1, 15],
    [`${name}-maskable-512`, 512, 0.72, 0],
  ] as const)
    await sharp(Buffer.from(compose(ground, drawing, { room, corner })), { density: 600 })
      .resize(size, size)
      .png({ compressionLevel: 9, palette: true })
      .toFile(path.join(folder, `${file}.png`));
