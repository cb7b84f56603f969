/** In pixels. */
type Size = { width: number; height: number };

/** No side is longer than so many times what a rendition is named after: canvases and textures end somewhere. */
const mostStretch = 4;

/**
 * Returns how long the longer side of a rendition is, never enlarged. It is `side` – but a picture much longer than high would be a strip
 * of nothing then: its shorter side is half of `side`, as far as it covers no more than a square of `side`.
 */
export function longSideFor({ width, height }: Size, side: number): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const asHigh = side / 2 / short;
  const asLarge = side / Math.sqrt(width * height);
  const scale = Math.max(side / long, Math.min(asHigh, asLarge, (mostStretch * side) / long));
  return Math.max(1, Math.round(Math.min(1, scale) * long));
}

/** Returns whether a rendition has kept to that; sides are rounded. */
export function isWithin({ width, height }: Size, side: number): boolean {
  const long = Math.max(width, height);
  return long <= side || (long <= mostStretch * side && width * height <= side ** 2 + long);
}
