import type { Luma } from './luma.ts';

/** How a leak's levels follow those of the original: filters, gamma and brightness, all in one curve. */
export interface Tone {
  /** The original as the filter would show it. */
  picture: Luma;
  /** How much a small step of the original is worth in the leak, at this level. */
  slopeAt(level: number): number;
}

const bins = 64;
const levelsPerBin = 256 / bins;
const [fewestSamples, flattest] = [20, 0.05];

/** Learns E[leak | original] from every third visible pixel and applies it. */
export function fitTone(original: Luma, leak: Luma, mask: Uint8Array): Tone {
  const curve = learnCurve(original.values, leak.values, mask);
  const slopes = Float64Array.from({ length: bins }, (_, bin) => {
    const [low, high] = [Math.max(0, bin - 2), Math.min(bins - 1, bin + 2)];
    const rise = (curve[high] as number) - (curve[low] as number);
    return Math.max(flattest, rise / ((high - low) * levelsPerBin));
  });
  const values = original.values.map((level) => {
    const place = Math.min(bins - 1, Math.max(0, (level - levelsPerBin / 2) / levelsPerBin));
    const bin = Math.floor(place);
    const [here, next] = [curve[bin] as number, curve[Math.min(bins - 1, bin + 1)] as number];
    return here + (next - here) * (place - bin);
  });
  return { picture: { ...original, values }, slopeAt: (level) => slopes[binOf(level)] as number };
}

const binOf = (level: number) => Math.max(0, Math.min(bins - 1, Math.floor(level / levelsPerBin)));

function learnCurve(original: Float32Array, leak: Float32Array, mask: Uint8Array): Float64Array {
  const [sums, counts] = [new Float64Array(bins), new Float64Array(bins)];
  for (let i = 0; i < original.length; i += 3) {
    if (!mask[i]) continue;
    const bin = binOf(original[i] as number);
    sums[bin] = (sums[bin] as number) + (leak[i] as number);
    counts[bin] = (counts[bin] as number) + 1;
  }
  const curve = new Float64Array(bins);
  for (let bin = 0, last = 0; bin < bins; bin++) {
    const count = counts[bin] as number;
    // Levels that are hardly there go on as if nothing had been filtered.
    last = count > fewestSamples ? (sums[bin] as number) / count : last + (bin > 0 ? levelsPerBin : 0);
    curve[bin] = last;
  }
  return curve;
}
