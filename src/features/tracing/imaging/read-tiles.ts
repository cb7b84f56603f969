import { type Tile, tilesOf } from '#features/media/formats/grid.ts';
import { type Block, openBlockFit } from './block-fit.ts';
import { blur } from './luma.ts';
import type { Reference } from './reference.ts';
import type { Overlay } from './register.ts';
import { fitTone } from './tone.ts';

/** What every tile says: its z is above 0 for variant A, below 0 for B, and of variance 1 when there is no mark. */
export interface ReadTiles {
  z: Float64Array;
  /** Share of the tile that could be read. */
  visible: Float64Array;
}

const blockPx = 32;
const fewestPixels = 100;
const leastVisible = 0.9;
/** A leak smaller than this share of the reference has lost detail: both are blurred alike before they are compared. */
const blurBelow = 0.8;

/** Reads a leak that was laid over its reference. Nothing here knows a codeword. */
export function readTiles(reference: Reference, { luma, mask, scale }: Overlay): ReadTiles {
  const radius = scale < blurBelow ? Math.max(1, Math.round(0.35 / scale)) : 0;
  const [picture, mark] = [reference.picture, reference.mark].map((layer) =>
    radius > 0 ? blur(layer, radius) : layer,
  ) as [typeof luma, typeof luma];
  const tone = fitTone(picture, luma, mask);
  const fitBlock = openBlockFit({ picture: tone.picture, leak: luma, mark });
  const tiles = tilesOf(reference.grid);
  const [agreements, energies, visible] = [0, 0, 0].map(() => new Float64Array(tiles.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let [decoys, expected] = [0, 0];
  for (const tile of tiles) {
    const { index } = tile;
    for (const block of blocksOf(tile, picture)) {
      if (!isVisible(block, mask, picture.width)) continue;
      const { agreement, energy, decoy, decoyEnergy, variance, isShown } = fitBlock(block);
      if (!isShown) continue;
      const middle = ((block.top + block.bottom) >> 1) * picture.width + ((block.left + block.right) >> 1);
      const gain = tone.slopeAt(picture.values[middle] as number);
      const weight = (gain * gain * energy) / variance;
      agreements[index] = (agreements[index] as number) + (gain * agreement) / variance;
      energies[index] = (energies[index] as number) + weight;
      visible[index] = (visible[index] as number) + pixelsOf(block) / (tile.width * tile.height);
      decoys += ((gain * decoy) / variance) ** 2;
      expected += (gain * gain * decoyEnergy) / variance;
    }
  }
  const noise = Math.sqrt(Math.max(1e-9, decoys / Math.max(1e-9, expected)));
  const z = agreements.map((agreement, t) => {
    const energy = energies[t] as number;
    return energy > 0 ? agreement / Math.sqrt(energy) / noise : 0;
  });
  return { z, visible: visible.map((share) => Math.min(1, share)) };
}

/** Cuts a tile into blocks that lie wholly inside the picture's outermost pixels, which have no neighbours. */
function blocksOf(tile: Tile, { width, height }: { width: number; height: number }): Block[] {
  const across = Math.max(1, Math.round(tile.width / blockPx));
  const down = Math.max(1, Math.round(tile.height / blockPx));
  return Array.from({ length: across * down }, (_, n) => {
    const [x, y] = [n % across, Math.floor(n / across)];
    return {
      left: Math.max(1, tile.left + Math.floor((x * tile.width) / across)),
      right: Math.min(width - 1, tile.left + Math.floor(((x + 1) * tile.width) / across)),
      top: Math.max(1, tile.top + Math.floor((y * tile.height) / down)),
      bottom: Math.min(height - 1, tile.top + Math.floor(((y + 1) * tile.height) / down)),
    };
  }).filter((block) => block.right > block.left && block.bottom > block.top && pixelsOf(block) >= fewestPixels);
}

const pixelsOf = ({ left, top, right, bottom }: Block) => (right - left) * (bottom - top);

function isVisible({ left, top, right, bottom }: Block, mask: Uint8Array, width: number): boolean {
  let [inside, all] = [0, 0];
  for (let y = top; y < bottom; y += 2) for (let x = left; x < right; x += 2, all++) if (mask[y * width + x]) inside++;
  return inside >= leastVisible * all;
}
