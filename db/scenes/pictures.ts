import { numbers } from './numbers.ts';

/** Pictures made of light and noise for demo albums and tests: nobody is in them and nobody holds a licence. */
const size = { width: 1080, height: 1350 } as const;

const frame = (defs: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 900 1125"><defs>${defs}</defs>${body}</svg>`;

type Stop = readonly [at: number, colour: string];
const fall = (id: string, stops: readonly Stop[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')}</linearGradient>`;
const glow = (id: string, x: number, y: number, radius: number, stops: readonly Stop[]) =>
  `<radialGradient id="${id}" cx="${x}" cy="${y}" r="${radius}">${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')}</radialGradient>`;
const soft = (id: string, deviation: number) =>
  `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
/** Folds of cloth or water: noise that is lit from one side. */
const lit = (id: string, seed: number, x: number, y: number, azimuth: number, colour: string, depth = 80) =>
  `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${x} ${y}" numOctaves="4" seed="${seed}"/>
<feDiffuseLighting surfaceScale="${depth}" diffuseConstant="1.1" lighting-color="${colour}"><feDistantLight azimuth="${azimuth}" elevation="55"/></feDiffuseLighting></filter>`;
const whole = (fill: string, more = '') => `<rect width="900" height="1125" fill="${fill}" ${more}/>`;

function discs(
  seed: number,
  count: number,
  colours: readonly string[],
  [low, high]: readonly [number, number],
): string {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const [x, y, r] = [next() * 900, next() * 1125, low + next() * (high - low)];
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${r.toFixed(0)}" fill="${colours[Math.floor(next() * colours.length)]}" opacity="${(0.25 + next() * 0.5).toFixed(2)}"/>`;
  }).join('');
}

const evening = () =>
  frame(
    fall('sky', [
      [0, '#241b3a'],
      [0.34, '#7d3a63'],
      [0.55, '#ea8a58'],
      [0.595, '#ffd49a'],
      [0.6, '#352544'],
      [1, '#0f0b1a'],
    ]) + soft('haze', 12),
    `${whole('url(#sky)')}<circle cx="330" cy="636" r="44" fill="#fff0c9" filter="url(#haze)"/><g filter="url(#haze)" fill="#ffc98a">${[0, 1, 2, 3, 4, 5].map((n) => `<rect x="${330 - 40 - n * 14}" y="${700 + n * 52}" width="${80 + n * 28}" height="${8 + n}" opacity="${0.8 - n * 0.1}"/>`).join('')}</g>`,
  );
const folds = () =>
  frame(
    lit('cloth', 9, 0.0019, 0.0066, 125, '#e7a690'),
    `<rect width="900" height="1125" filter="url(#cloth)"/>${whole('#5a2039', 'opacity="0.22"')}`,
  );
const linen = () =>
  frame(lit('cloth', 5, 0.0042, 0.0024, 35, '#f2e6d6'), '<rect width="900" height="1125" filter="url(#cloth)"/>');
const shutters = () =>
  frame(
    fall('wall', [
      [0, '#d7a271'],
      [1, '#623529'],
    ]) + soft('edge', 6),
    `${whole('url(#wall)')}<g filter="url(#edge)" fill="#26121c" opacity="0.7" transform="rotate(-16 450 560)">${Array.from({ length: 17 }, (_, n) => `<rect x="-320" y="${n * 88 - 170}" width="1600" height="44"/>`).join('')}</g>`,
  );
const fronds = () => {
  const leaves = Array.from({ length: 17 }, (_, n) => {
    const angle = (n / 16) * Math.PI * 0.95 - 0.35;
    const at = (reach: number, lift: number) =>
      `${(120 + reach * Math.cos(angle)).toFixed(0)} ${(1010 - reach * Math.sin(angle) - lift).toFixed(0)}`;
    return `<path d="M120 1010 Q ${at(350, 150)} ${at(790, 0)}"/>`;
  });
  return frame(
    fall('wall', [
      [0, '#f3cba9'],
      [1, '#c47b68'],
    ]) + soft('edge', 5),
    `${whole('url(#wall)')}<g filter="url(#edge)" stroke="#46202f" stroke-width="24" stroke-linecap="round" fill="none" opacity="0.6">${leaves.join('')}</g>`,
  );
};
const sea = () =>
  frame(
    lit('waves', 17, 0.0045, 0.032, 250, '#93d2da', 60) +
      fall('air', [
        [0, '#e6f2f1'],
        [0.37, '#cde3e1'],
        [0.372, '#5aa0aa'],
        [1, '#113747'],
      ]),
    `${whole('url(#air)')}<rect y="416" width="900" height="709" filter="url(#waves)" opacity="0.5"/>`,
  );
const petals = () =>
  frame(
    soft('blur', 22) +
      fall('night', [
        [0, '#2a1220'],
        [1, '#11070f'],
      ]),
    `${whole('url(#night)')}<g filter="url(#blur)">${discs(41, 26, ['#b4264e', '#df546d', '#8c1c43', '#e57d84', '#6b1636'], [70, 190])}</g>`,
  );
const lamp = () =>
  frame(
    glow('light', 0.6, 0.36, 0.8, [
      [0, '#ffe3ac'],
      [0.22, '#e5984f'],
      [0.6, '#59292b'],
      [1, '#180c15'],
    ]),
    `${whole('url(#light)')}<path d="M0 870 Q 300 805 560 885 T 900 850 V1125 H0Z" fill="#110810" opacity="0.75"/>`,
  );
const city = () =>
  frame(
    soft('blur', 7) +
      fall('night', [
        [0, '#0d1526'],
        [0.7, '#1d2440'],
        [1, '#0a0d18'],
      ]),
    `${whole('url(#night)')}<g filter="url(#blur)">${discs(77, 90, ['#ffcf7d', '#ff9a5c', '#f3f0ff', '#7fc3ff', '#ff6d7f'], [12, 46])}</g>`,
  );
const dunes = () =>
  frame(
    fall('sky', [
      [0, '#f6d9b4'],
      [0.45, '#eeb07a'],
      [1, '#a9603f'],
    ]) + lit('sand', 23, 0.012, 0.05, 200, '#e8b183', 26),
    `${whole('url(#sky)')}<rect y="480" width="900" height="645" filter="url(#sand)" opacity="0.55"/><path d="M0 640 C 220 520 420 760 900 560 V1125 H0Z" fill="#8e4a35" opacity="0.55"/><path d="M0 860 C 300 720 560 980 900 800 V1125 H0Z" fill="#5a2a26" opacity="0.6"/>`,
  );

/** Each picture as an SVG of 1080 × 1350, by the name of what it shows. */
export const pictures: Readonly<Record<string, () => string>> = {
  evening,
  folds,
  linen,
  shutters,
  fronds,
  sea,
  petals,
  lamp,
  city,
  dunes,
};
