import type { Frame } from '../watermark/mask.ts';
import type { CodedColours } from './heif-colours.ts';

/** Numbers of ITU-T H.273. */
const [bt2020, displayP3] = [9, 12];
const [perceptual, hybridLog] = [16, 18];

/** Pixels as they are coded: red, green and blue one after another. */
export interface CodedPixels {
  width: number;
  height: number;
  levels: Uint8Array | Uint16Array;
  /** The level of full light. */
  most: number;
}

/** Returns whether its light is coded for more than a page of paper can show. */
export const isHdr = ({ transfer }: CodedColours): boolean => transfer === perceptual || transfer === hybridLog;

/** Whether a browser that took such pixels for sRGB would show them in other colours. */
export const needsConverting = (colours: CodedColours): boolean => isHdr(colours) || matrices.has(colours.primaries);

type Row = readonly [number, number, number];
/** From light of these primaries to light of sRGB's (BT.709); all three are of the same white. */
const matrices: ReadonlyMap<number, readonly [Row, Row, Row]> = new Map([
  [bt2020, [[1.660491, -0.587641, -0.07285] as Row, [-0.12455, 1.1329, -0.008349], [-0.018151, -0.100579, 1.11873]]],
  [displayP3, [[1.22494, -0.22494, 0] as Row, [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274]]],
]);
const same: readonly [Row, Row, Row] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** SMPTE ST 2084: light, of which 1 is 100 candela a square metre. */
function perceptualLight(code: number): number {
  const [m1, m2, c1, c2, c3] = [0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875];
  const power = code ** (1 / m2);
  return 100 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
}

/** Hybrid log-gamma of ITU-R BT.2100-2: the light of the scene, 0 to 1. */
function sceneLight(code: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return code <= 0.5 ? code ** 2 / 3 : (Math.exp((code - c) / a) + b) / 12;
}

/** IEC 61966-2-1. */
const plainLight = (code: number): number => (code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4);
const plainCode = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** A screen for HLG has a peak of 1,000 candela a square metre, and with it a system gamma of 1.2. */
const [screenPeak, screenGamma] = [10, 1.2];
const luminance = (r: number, g: number, b: number) => 0.2627 * r + 0.678 * g + 0.0593 * b;

/** John Hable's curve, with the numbers that FFmpeg has for videos. */
function hable(light: number): number {
  const [a, b, c, d, e, f] = [0.15, 0.5, 0.1, 0.2, 0.02, 0.3];
  return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f;
}
const hablePeak = hable(screenPeak);

/**
 * A picture in sRGB, whatever colours and light it was coded in. HDR is toned as it is in videos (`engines/video/plan.ts`), so that a
 * photo and a video of one evening look alike: by its loudest colour, and hues stay.
 */
export function toSrgb({ width, height, levels, most }: CodedPixels, colours: CodedColours): Frame {
  const hasHdr = isHdr(colours);
  const lightOf = colours.transfer === perceptual ? perceptualLight : hasHdr ? sceneLight : plainLight;
  const codeOf = colours.isNarrow ? widened : (code: number) => code;
  const lights = Float32Array.from({ length: most + 1 }, (_, level) => lightOf(codeOf(level / most)));
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = matrices.get(colours.primaries) ?? (hasHdr ? bt2020Rows : same);
  const encode = openEncoder(hasHdr ? (light) => light ** (1 / 2.4) : plainCode);
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < rgb.length; i += 3) {
    let r = lights[Math.min(most, levels[i] as number)] as number;
    let g = lights[Math.min(most, levels[i + 1] as number)] as number;
    let b = lights[Math.min(most, levels[i + 2] as number)] as number;
    if (colours.transfer === hybridLog) {
      const system = screenPeak * luminance(r, g, b) ** (screenGamma - 1);
      [r, g, b] = [r * system, g * system, b * system];
    }
    const [red, green, blue] = [rr * r + rg * g + rb * b, gr * r + gg * g + gb * b, br * r + bg * g + bb * b];
    const loudest = Math.max(red, green, blue);
    const tone = hasHdr && loudest > 1e-6 ? hable(loudest) / hablePeak / loudest : 1;
    rgb[i] = encode(red * tone);
    rgb[i + 1] = encode(green * tone);
    rgb[i + 2] = encode(blue * tone);
  }
  return { width, height, rgb };
}

/** Narrow levels in full range. */
const widened = (code: number): number => Math.min(1, Math.max(0, (255 * code - 16) / 219));

const bt2020Rows = matrices.get(bt2020) ?? same;
const steps = 4096;

/** A table over the root of light, in which the dark has as many steps as the eye. */
function openEncoder(codeOf: (light: number) => number): (light: number) => number {
  const codes = Uint8Array.from({ length: steps + 1 }, (_, n) => Math.round(255 * codeOf((n / steps) ** 2)));
  return (light) => (light <= 0 ? 0 : light >= 1 ? 255 : (codes[Math.round(steps * Math.sqrt(light))] as number));
}
