import { drawClip } from './clips.ts';

/** How light is coded: BT.2100 knows two ways. */
export type HdrCoding = 'smpte2084' | 'arib-std-b67';

/** A patch: the light of its red, green and blue in candela a square metre, of BT.709's primaries. */
export type Patch = readonly [red: number, green: number, blue: number];

type Triple = readonly [number, number, number];
const multiplied = (matrix: readonly Triple[], [r, g, b]: Triple) =>
  matrix.map(([x, y, z]) => x * r + y * g + z * b) as unknown as Triple;
const each = (triple: Triple, change: (value: number) => number) => triple.map(change) as unknown as Triple;

/** ITU-R BT.2087-0 §2. */
const toBt2020: readonly Triple[] = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
];
/** The luminance of BT.2020's primaries. */
const [red2020, green2020, blue2020] = [0.2627, 0.678, 0.0593];
const luminance = ([r, g, b]: Triple) => red2020 * r + green2020 * g + blue2020 * b;

/** SMPTE ST 2084, of light in candela a square metre. */
function perceptual(light: number): number {
  const [m1, m2, c1, c2, c3] = [0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875];
  const power = (light / 10_000) ** m1;
  return ((c1 + c2 * power) / (1 + c3 * power)) ** m2;
}

/** Hybrid log-gamma of ITU-R BT.2100-2, of a screen whose peak is 1,000: its system gamma is 1.2, so the scene is found first. */
function hybridLog(rgb: Triple): Triple {
  const screen = each(rgb, (light) => light / 1000);
  const scale = luminance(screen) ** (1 / 1.2 - 1);
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return each(screen, (light) => {
    const scene = light * scale;
    return scene <= 1 / 12 ? Math.sqrt(3 * scene) : a * Math.log(12 * scene - b) + c;
  });
}

/** Red, green and blue of BT.2020 as they are coded, 0 to 1. */
export function codedOf(patch: Patch, coding: HdrCoding): Triple {
  const light = multiplied(toBt2020, patch);
  return coding === 'smpte2084' ? each(light, perceptual) : hybridLog(light);
}

/** Ten bits in limited range, by BT.2020's matrix of constant coefficients. */
function codesOf(patch: Patch, coding: HdrCoding): Triple {
  const [r, g, b] = codedOf(patch, coding);
  const y = luminance([r, g, b]);
  return [64 + 876 * y, 512 + (896 * (b - y)) / 1.8814, 512 + (896 * (r - y)) / 1.4746].map(Math.round) as never;
}

/** Width of one patch, and height of all. */
export const patchPx = 64;

/** A video of a second: patches side by side, in HEVC of ten bits. */
export function drawHdrClip(patches: readonly Patch[], coding: HdrCoding): Buffer {
  const codes = patches.map((patch) => codesOf(patch, coding));
  /** One plane as steps from left to right. */
  const plane = (channel: 0 | 1 | 2, stepPx: number) =>
    codes
      .slice(1)
      .reduce((rest, code, n) => `if(lt(X,${(n + 1) * stepPx}),${rest},${code[channel]})`, String(codes[0]?.[channel]));
  const planes = `lum='${plane(0, patchPx)}':cb='${plane(1, patchPx / 2)}':cr='${plane(2, patchPx / 2)}'`;
  const tags = `colorprim=bt2020:transfer=${coding}:colormatrix=bt2020nc`;
  return drawClip({
    seconds: 1,
    width: patches.length * patchPx,
    height: patchPx,
    hasSound: false,
    ending: 'mov',
    also: [
      ...['-vf', `format=yuv420p10le,geq=${planes}`, '-color_primaries', 'bt2020', '-color_trc', coding],
      ...['-colorspace', 'bt2020nc', '-color_range', 'tv', '-c:v', 'libx265', '-crf', '4', '-tag:v', 'hvc1'],
      ...['-x265-params', `log-level=error:${tags}`],
    ],
  });
}

/** John Hable's curve for videos, as FFmpeg has it. */
const hable = (light: number) => {
  const [a, b, c, d, e, f] = [0.15, 0.5, 0.1, 0.2, 0.02, 0.3];
  return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f;
};

/** Returns what a patch is to look like in BT.709, 0 to 255: white at 100, peak at 1,000, and its hue kept. */
export function sdrOf(patch: Patch): Triple {
  const light = each(patch, (each709) => each709 / 100);
  const peak = Math.max(...light);
  const scale = hable(peak) / hable(10) / peak;
  return each(light, (value) => 255 * Math.min(1, Math.max(0, value * scale)) ** (1 / 2.4));
}
