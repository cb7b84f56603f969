import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Every pair of text and background meets WCAG 2.2 AA. Colours are read from tokens.css itself. */
const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
type Colour = [lightness: number, chroma: number, hue: number];
type Theme = 'light' | 'dark';

const colourPattern = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`;
const tokens = new Map(
  Array.from(
    css.matchAll(new RegExp(`--([a-z-]+): (?:light-dark\\()?${colourPattern}(?:, ${colourPattern}\\))?;`, 'g')),
    (match) => {
      const numbers = match.slice(2).map(Number);
      const light = numbers.slice(0, 3) as Colour;
      const dark = match[5] === undefined ? light : (numbers.slice(3, 6) as Colour);
      return [match[1] ?? '', { light, dark }];
    },
  ),
);

const surfaces = ['paper', 'raised'];
const everywhere = (text: string) => surfaces.map((surface) => [text, surface]);
const textPairs = [
  ...['ink', 'quiet', 'plum', 'ember-ink', 'moss', 'rust'].flatMap(everywhere),
  ...['ink', 'quiet', 'plum'].map((text) => [text, 'plum-wash']),
  ...['ink', 'quiet', 'rust'].map((text) => [text, 'rust-wash']),
  ['moss', 'moss-wash'],
  ['ember-ink', 'ember-wash'],
  ['on-plum', 'plum'],
  ['on-plum', 'plum-deep'],
  ['on-rust', 'rust'],
  ['on-rust', 'rust-deep'],
  ['paper', 'ink'],
] as [string, string][];
/** Large figures, the edges of controls and what only a shape says need 3:1. */
const shapePairs = [...['edge', 'ember', 'moss'].flatMap(everywhere), ['plum', 'line'], ['raised', 'edge']] as [
  string,
  string,
][];

/** OKLCH to linear sRGB by Ottosson's matrices, then relative luminance of WCAG 2.2. */
function luminanceOf([lightness, chroma, hue]: Colour): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (part: number) => Math.min(1, Math.max(0, part));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [first, second] = [one, other].map((name) => {
    const token = tokens.get(name);
    if (!token) throw new Error(`tokens.css has no colour --${name}`);
    return luminanceOf(token[theme]);
  }) as [number, number];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

describe.each(['light', 'dark'] as const)('%s theme', (theme) => {
  it.each(textPairs)('text in %s can be read on %s', (text, surface) => {
    expect(contrast(text, surface, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapePairs)('shapes in %s can be seen on %s', (shape, surface) => {
    expect(contrast(shape, surface, theme)).toBeGreaterThanOrEqual(3);
  });
});

describe('the arithmetic', () => {
  it('gives black on white 21', () => {
    const white = luminanceOf([100, 0, 0]);
    expect((white + 0.05) / (luminanceOf([0, 0, 0]) + 0.05)).toBeCloseTo(21, 1);
  });

  it('reads every colour of the file in both themes', () => {
    expect(tokens.size).toBeGreaterThanOrEqual(20);
    const declared = css.match(/^\s*--[a-z-]+: (light-dark\()?oklch\([^/)]*\)/gm) ?? [];
    expect(tokens.size).toBe(declared.length);
  });
});
