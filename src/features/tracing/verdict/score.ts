/** Bounds every tile's say, so that no single tile decides. */
export const steadyCap = 3;

/** Returns what tiles may say, each held within ± the cap. */
export function cap(z: Float64Array, most: number): Float64Array {
  return z.map((value) => Math.max(-most, Math.min(most, value)));
}

/**
 * A lower cap for copies that were averaged: where colluders agree z is high, and where they differ near nothing, so their
 * agreement would drown everything else. Out of the reading alone, like everything here.
 */
export function lowCap(z: Float64Array): number {
  const sorted = z
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort();
  return Math.min(steadyCap, sorted[Math.floor(0.8 * sorted.length)] ?? steadyCap);
}

/**
 * Prepares scoring: the score of a codeword is the sum of its tiles' evidence, + for a bit 1 and − for a bit 0. One table look-up
 * for eight tiles, so a million codewords take a tenth of a second.
 * @returns the score of the codeword whose packed bits begin at `at`, bit k of a byte first
 */
export function openScore(evidence: Float64Array): (packed: Uint8Array, at?: number) => number {
  const bytes = Math.ceil(evidence.length / 8);
  const table = new Float64Array(256 * bytes);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) {
        const says = evidence[8 * byte + k] ?? 0;
        sum += (value >> k) & 1 ? says : -says;
      }
      table[256 * byte + value] = sum;
    }
  return (packed, at = 0) => {
    let score = 0;
    for (let byte = 0; byte < bytes; byte++) score += table[256 * byte + (packed[at + byte] as number)] as number;
    return score;
  };
}

const steps = 60;
const steepest = 1000;

/**
 * ln of an upper bound of the chance that an innocent codeword scores so high. Chernoff: for every x ≥ 0,
 * P(score ≥ s) ≤ e^(−x s) · ∏ cosh(x·L_t), because an innocent's bits are fair, independent of each other and of the evidence. It
 * holds whatever was done to the leak, since the evidence was made without looking at any codeword.
 */
export function lnInnocent(evidence: readonly number[], score: number): number {
  if (score <= 0) return 0;
  let [low, high] = [0, steepest];
  for (let step = 0; step < steps; step++) {
    const x = (low + high) / 2;
    let slope = -score;
    for (const says of evidence) slope += says * Math.tanh(x * says);
    if (slope < 0) low = x;
    else high = x;
  }
  return Math.min(0, lnBound(evidence, score, low));
}

function lnBound(evidence: readonly number[], score: number, x: number): number {
  let sum = -x * score;
  for (const says of evidence) {
    const size = Math.abs(x * says);
    if (size > 0) sum += size + Math.log1p(Math.exp(-2 * size)) - Math.LN2; // ln cosh
  }
  return sum;
}
