import type { Sharp } from 'sharp';
import type { Frame } from '#features/media/watermark/mask.ts';
import { numbersFrom } from '../hostile/hostile-files.ts';
import { canvasOf, coverWithStickers, noiseOf, open, paste, pixelsOf, recolour, seenFrom } from './leak-pixels.ts';

/** One way in which a copy comes to us. */
export interface Attack {
  name: string;
  /** Every such copy must be identified (`sure`), or its figures are told only. */
  bar: 'sure' | 'told';
  /** It shows the other photo as well. */
  isOfTwo?: boolean;
  /** Returns what is uploaded, made from what a viewer saw; `other` is another photo, for collages. */
  make(view: Frame, other: Frame): Promise<Buffer>;
}

const jpeg = (picture: Sharp, quality: number) => picture.jpeg({ quality }).toBuffer();
const sized = (view: Frame, scale: number) => open(view).resize(Math.max(1, Math.round(view.width * scale)));
const within = (view: Frame, side: number) => open(view).resize(side, side, { fit: 'inside' });
const sure = (name: string, make: Attack['make']): Attack => ({ name, bar: 'sure', make });

/** A cut of this share of the area, somewhere off the middle. */
function cropped(view: Frame, share: number): Sharp {
  const side = Math.sqrt(share);
  const [width, height] = [Math.round(view.width * side), Math.round(view.height * side)];
  const [left, top] = [0.4 * (view.width - width), 0.6 * (view.height - height)].map(Math.floor);
  return open(view).extract({ left: left ?? 0, top: top ?? 0, width, height });
}

/** The photo as an app shows it full screen, with the system's bars and buttons around it. */
async function screenshot(
  view: Frame,
  [width, height]: readonly [number, number],
  level: number,
  bars: number,
): Promise<Frame> {
  const screen = canvasOf(width, height, level);
  const shown = await pixelsOf(open(view).resize(width, height - 2 * bars, { fit: 'inside' }));
  paste(screen, shown, Math.floor((width - shown.width) / 2), Math.floor((height - shown.height) / 2));
  for (let x = 40; x + 60 < width; x += 140) {
    paste(screen, canvasOf(60, 24, 255 - level), x, Math.floor(bars / 3));
    paste(screen, canvasOf(44, 44, 160), x, height - bars + 10);
  }
  return screen;
}

/** The photo as an app shows it: on a dark page, with round corners and buttons over it. */
async function inAnApp(view: Frame): Promise<Frame> {
  const [width, height, bars, radius] = [1170, 2532, 150, 60];
  const screen = canvasOf(width, height, 17);
  const shown = await pixelsOf(open(view).resize(width, height - 2 * bars, { fit: 'inside' }));
  const [left, top] = [width - shown.width, height - shown.height].map((space) => Math.floor(space / 2)) as [
    number,
    number,
  ];
  paste(screen, shown, left, top);
  for (const y of [top, top + shown.height - 1])
    for (let away = 0; away < radius; away++) {
      const cut = radius - Math.round(Math.sqrt(radius ** 2 - (radius - away) ** 2));
      const row = y === top ? y + away : y - away;
      for (const x of [left, left + shown.width - cut]) paste(screen, canvasOf(cut, 1, 17), x, row);
    }
  paste(screen, canvasOf(shown.width - 80, 84, 235), left + 40, top + shown.height - 120);
  for (const x of [left + 30, left + shown.width - 110]) paste(screen, canvasOf(80, 80, 240), x, top + 30);
  for (let x = 40; x + 20 < width; x += 28)
    for (const y of [20, top + shown.height - 96, height - 60]) paste(screen, canvasOf(4 + (x % 9), 20, 120), x, y);
  return screen;
}

/** A camera before a screen: perspective, the screen's own grid, its glow, blur, noise, a wrong white. */
async function screenPhoto(view: Frame, strength: number): Promise<Buffer> {
  const random = numbersFrom(77);
  const canvas = { width: 1800, height: Math.round((1800 * view.height) / view.width) };
  const s = 0.05 * strength;
  const corners = [
    [0.06 + s, 0.07],
    [0.95, 0.05 + 0.6 * s],
    [0.93 - 0.5 * s, 0.96 - 0.4 * s],
    [0.04, 0.93],
  ] as const;
  const seen = seenFrom(view, canvas, corners, 24);
  const noise = noiseOf(random, 2.5 * strength);
  const tint = [1 + 0.03 * strength, 1, 1 - 0.05 * strength];
  const lit = recolour(seen, (level, x, y, channel) => {
    const moire = 2 * strength * Math.sin(x * 1.07 + y * 0.21) * Math.sin(y * 0.93 - x * 0.17);
    const glow = 1 + 0.08 * strength * (x / canvas.width - y / canvas.height);
    return 255 * (Math.max(0, level) / 255) ** (1 - 0.08 * strength) * glow * (tint[channel] ?? 1) + moire + noise();
  });
  return jpeg(open(lit).blur(0.4 + 0.4 * strength), 84 - 7 * strength);
}

async function collage(view: Frame, other: Frame): Promise<Buffer> {
  const [one, two] = await Promise.all(
    [view, other].map((each) => pixelsOf(open(each).resize(900, 900, { fit: 'inside' }))),
  );
  if (!one || !two) throw new Error('two pictures');
  const page = canvasOf(one.width + two.width + 60, Math.max(one.height, two.height) + 40, 255);
  paste(page, two, 20, 20);
  paste(page, one, two.width + 40, 20);
  return jpeg(open(page), 85);
}

const noisy = (view: Frame, deviation: number) => {
  const noise = noiseOf(numbersFrom(5), deviation);
  return recolour(view, (level) => level + noise());
};

/** The golden set: what messengers, screens and people do to copies. */
export const attacks: readonly Attack[] = [
  ...[90, 70, 50, 30, 20, 10].map((quality) => sure(`JPEG ${quality}`, (view) => jpeg(open(view), quality))),
  ...[80, 40, 20].map((quality) => sure(`WebP ${quality}`, (view) => open(view).webp({ quality }).toBuffer())),
  ...[0.15, 0.25, 0.5, 1.5, 2].map((scale) => sure(`${scale} × size, JPEG 85`, (view) => jpeg(sized(view, scale), 85))),
  sure('1080 px, JPEG 70', (view) => jpeg(within(view, 1080), 70)),
  ...[0.5, 0.25].map((share) => sure(`crop to ${100 * share} %`, (view) => jpeg(cropped(view, share), 85))),
  ...[0.15, 0.1, 0.04].map(
    (share): Attack => ({
      name: `crop to ${100 * share} %`,
      bar: 'told',
      make: (view) => jpeg(cropped(view, share), 85),
    }),
  ),
  sure('mirrored, JPEG 70', (view) => jpeg(open(view).flop(), 70)),
  ...[1, 3, 5].map((degrees) =>
    sure(`turned ${degrees}°, JPEG 80`, (view) => jpeg(open(view).rotate(degrees, { background: '#000' }), 80)),
  ),
  sure('phone screenshot, PNG', async (view) =>
    open(await screenshot(view, [1170, 2532], 0, 150))
      .png()
      .toBuffer(),
  ),
  sure('phone screenshot, JPEG 70', async (view) => jpeg(open(await screenshot(view, [1080, 2340], 255, 130)), 70)),
  sure('desktop screenshot, JPEG 85', async (view) => jpeg(open(await screenshot(view, [1920, 1080], 40, 70)), 85)),
  sure('screenshot of an app, round corners and buttons, JPEG 80', async (view) => jpeg(open(await inAnApp(view)), 80)),
  ...[0.6, 1.6].map((gamma) =>
    sure(`gamma ${gamma}, JPEG 80`, (view) => jpeg(open(recolour(view, (level) => 255 * (level / 255) ** gamma)), 80)),
  ),
  ...[0.7, 1.3].map((brightness) =>
    sure(`brightness ${brightness}, JPEG 80`, (view) => jpeg(open(view).modulate({ brightness }), 80)),
  ),
  ...[0, 1.6].map((saturation) =>
    sure(`saturation ${saturation}, JPEG 80`, (view) => jpeg(open(view).modulate({ saturation }), 80)),
  ),
  ...[1, 2].map((sigma) => sure(`blur ${sigma} px, JPEG 80`, (view) => jpeg(open(view).blur(sigma), 80))),
  ...[5, 12].map((deviation) => sure(`noise ${deviation}, JPEG 80`, (view) => jpeg(open(noisy(view, deviation)), 80))),
  sure('sharpened, JPEG 80', (view) => jpeg(open(view).sharpen({ sigma: 1.5, m1: 2, m2: 4 }), 80)),
  sure('stickers over 20 %, JPEG 80', (view) => jpeg(open(coverWithStickers(view, 0.2, numbersFrom(3))), 80)),
  sure('screen photo', (view) => screenPhoto(view, 1)),
  sure('screen photo, hard', (view) => screenPhoto(view, 2)),
  { ...sure('collage of two', collage), isOfTwo: true },
  sure('crop 50 %, 720 px, turned 2°, filter, blur, JPEG 45', async (view) => {
    const turned = await pixelsOf(cropped(view, 0.5).rotate(2, { background: '#fff' }));
    const filtered = recolour(turned, (level, _x, _y, channel) => 20 + 0.85 * level + (channel === 0 ? 8 : 0));
    return jpeg(open(filtered).resize(720, 720, { fit: 'inside' }).blur(0.6), 45);
  }),
];
