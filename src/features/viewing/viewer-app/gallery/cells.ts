import type { ViewItem } from '../../contract.ts';
import { softColours } from './soft-colours.ts';

/** The name under which an item's picture and its canvas meet. */
export const thumbOf = ({ mediaId, kind }: ViewItem): string =>
  `${mediaId}/${kind === 'video' ? 'posterthumb' : 'thumb512'}`;

/** "Photo 3 of 24, the harbour" */
export const labelOf = ({ kind, caption }: ViewItem, n: number, of: number): string =>
  `${kind === 'video' ? 'Video' : 'Photo'} ${n + 1} of ${of}${caption === '' ? '' : `, ${caption}`}`;

/** An empty place in the grid. */
export function makeCell(item: ViewItem, n: number, of: number): HTMLButtonElement {
  const cell = document.createElement('button');
  cell.type = 'button';
  cell.className = 'cell';
  cell.setAttribute('aria-label', labelOf(item, n, of));
  return cell;
}

/** No thumbhash holds more than this shows; the style sheet stretches it. */
const softPx = 16;

/** The soft colours of a picture. */
export function softCanvas({ thumbhash, width, height }: ViewItem): HTMLCanvasElement {
  const longer = Math.max(width, height);
  const [across, down] = [width, height].map((side) => Math.max(1, Math.round((softPx * side) / longer))) as [
    number,
    number,
  ];
  const hash = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0));
  const canvas = document.createElement('canvas');
  canvas.width = across;
  canvas.height = down;
  canvas.getContext('2d')?.putImageData(new ImageData(softColours(hash, across, down).rgba, across, down), 0, 0);
  return canvas;
}

/** A canvas for the sharp picture; `data-painted` is put on it when the picture is there. */
export function sharpCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'sharp';
  return canvas;
}

/** Returns how many items fill the screen: three columns of squares on a phone, more on a computer. */
export function firstScreenOf(width: number, height: number): number {
  const columns = columnsOf(width);
  return Math.max(1, Math.min(24, columns * Math.ceil((height - 72) / (width / columns))));
}

/** As in the style sheet. */
const columnsOf = (width: number) => (width < 768 ? 3 : width < 1440 ? 4 : 6);
