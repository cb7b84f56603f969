/**
 * Draws the pictures that stand beside links to the public pages, named by their content, and a list of them:
 * `node scripts/draw-cards.ts`, at the end of a build. Words become outlines here, because a bare machine has no fonts.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import sharp, { type OverlayOptions } from 'sharp';
import { pictures } from '#db/scenes/pictures.ts';
import { cardName, sitePages } from '#features/marketing/site-pages.ts';

const root = path.join(import.meta.dirname, '..');
const [assets, list] = [path.join(root, 'build/client/assets'), path.join(root, 'build/public/cards.json')];
const size = { width: 1200, height: 630 };
const [paper, ink, plum] = ['#fdf9f4', '#24141f', '#6e1a50'];

const face = fontkit.create(readFileSync(path.join(root, 'src/ui/fonts/fraunces-480.woff2')));

/** A line of text as one path, and how wide it is. */
function outline(text: string, sizePx: number): { path: string; width: number } {
  const scale = sizePx / face.unitsPerEm;
  const run = face.layout(text);
  let x = 0;
  const parts = run.glyphs.map((glyph, at) => {
    const place = `<path transform="translate(${(x * scale).toFixed(2)} 0) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`;
    x += run.positions[at]?.xAdvance ?? glyph.advanceWidth;
    return place;
  });
  return { path: parts.join(''), width: x * scale };
}

/** Breaks a headline into lines that fit. */
function breakLines(text: string, sizePx: number, widthPx: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && outline(longer, sizePx).width <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const shown = ['evening', 'shutters', 'petals', 'fronds', 'lamp', 'sea'];
const tile = { side: 210, gap: 3 };

/** The pictures at the right edge, the last ones still unsharp, as in a gallery that is being revealed. */
async function drawTiles(): Promise<OverlayOptions[]> {
  return Promise.all(
    shown.map(async (name, at) => {
      const drawn = sharp(Buffer.from(pictures[name]?.() ?? '')).resize(tile.side, tile.side, { fit: 'cover' });
      const input = await (at < 4 ? drawn : drawn.blur(at === 4 ? 5 : 14)).png().toBuffer();
      return {
        input,
        left: size.width - (2 - (at % 2)) * (tile.side + tile.gap) + tile.gap,
        top: Math.floor(at / 2) * (tile.side + tile.gap) - 3,
      };
    }),
  );
}

function drawWords(headline: string): Buffer {
  const [sizePx, leadPx] = [72, 84];
  const lines = breakLines(headline, sizePx, 640);
  const top = 340 - ((lines.length - 1) * leadPx) / 2;
  const [first, second] = [outline('Private', 38), outline('Fans', 38)];
  const words = lines.map(
    (line, at) => `<g transform="translate(72 ${top + at * leadPx})">${outline(line, sizePx).path}</g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${paper}"/><g fill="${ink}"><g transform="translate(72 104)">${first.path}</g>${words.join('')}</g><g fill="${plum}" transform="translate(${72 + first.width} 104)">${second.path}</g></svg>`,
  );
}

for (const name of readdirSync(assets).filter((name) => /^card-[\w-]+\.jpg$/.test(name)))
  rmSync(path.join(assets, name));
mkdirSync(path.dirname(list), { recursive: true });
const tiles = await drawTiles();
const cards = await Promise.all(
  sitePages.map(async ({ address, card }) => {
    const picture = await sharp(drawWords(card)).composite(tiles).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
    const mark = createHash('sha256').update(picture).digest('base64url').replace(/[-_]/g, '').slice(0, 8);
    const file = `card-${cardName(address)}-${mark}.jpg`;
    writeFileSync(path.join(assets, file), picture);
    return [cardName(address), `/assets/${file}`] as const;
  }),
);
writeFileSync(list, JSON.stringify(Object.fromEntries(cards)));
console.log(`drew ${cards.length} cards`);
