/** Where a picture has this deviation, another that follows it so little shows something else. Plain places cannot tell. */
const [tellingDeviation, leastCorrelation] = [8, 0.3];

/** Adds up two pictures over one place, to see whether they show the same. */
export interface Likeness {
  add(one: number, other: number): void;
  /** Undefined where the first picture is too plain to tell. */
  isAlike(): boolean | undefined;
}

/** @see Pearson's correlation */
export function openLikeness(): Likeness {
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  return {
    add(one, other) {
      count++;
      sumA += one;
      sumB += other;
      sumAA += one * one;
      sumBB += other * other;
      sumAB += one * other;
    },
    isAlike() {
      const [own, others] = [sumAA - sumA ** 2 / count, sumBB - sumB ** 2 / count];
      if (!(own >= count * tellingDeviation ** 2)) return;
      return sumAB - (sumA * sumB) / count > leastCorrelation * Math.sqrt(own * Math.max(0, others));
    },
  };
}

const blockPx = 32;
/** A block that lies half outside says nothing. */
const fewestPixels = 0.9 * blockPx ** 2;

/** Two pictures of one size, 8 bits a pixel, and where the second one reaches. */
export interface Overlaid {
  one: Uint8Array;
  other: Uint8Array;
  mask: Uint8Array;
  width: number;
  height: number;
}

/** Of the telling blocks inside the mask the share in which both show the same; undefined where none tells. */
export function shareAlike(overlaid: Overlaid): number | undefined {
  const { width, height } = overlaid;
  let [alike, telltale] = [0, 0];
  for (let top = 0; top + blockPx <= height; top += blockPx)
    for (let left = 0; left + blockPx <= width; left += blockPx) {
      const isAlike = isBlockAlike(overlaid, left, top);
      if (isAlike !== undefined) telltale++;
      if (isAlike) alike++;
    }
  return telltale > 0 ? alike / telltale : undefined;
}

function isBlockAlike({ one, other, mask, width }: Overlaid, left: number, top: number): boolean | undefined {
  const likeness = openLikeness();
  let inside = 0;
  for (let y = top; y < top + blockPx; y++)
    for (let i = y * width + left; i < y * width + left + blockPx; i++) {
      if (!mask[i]) continue;
      inside++;
      likeness.add(one[i] as number, other[i] as number);
    }
  return inside >= fewestPixels ? likeness.isAlike() : undefined;
}
