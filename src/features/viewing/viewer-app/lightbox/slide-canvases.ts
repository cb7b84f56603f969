import { fullOf, smallOf } from '../gallery/renditions.ts';
import type { ViewerApp, Visit } from '../viewer-app.ts';

/** A picture already drawn in the grid, drawn once more; nothing when it is not there. */
function copyOf(source: HTMLCanvasElement | null | undefined, onto: HTMLCanvasElement): void {
  if (source === null || source === undefined || source.width === 0) return;
  onto.width = source.width;
  onto.height = source.height;
  onto.getContext('2d')?.drawImage(source, 0, 0);
}

function newCanvas(className: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = className;
  return canvas;
}

/**
 * Puts the canvases of one full picture into its slide: soft colours and thumbnail are copied from the grid at once, the
 * sharp rows are drawn over them. The answer takes everything away and gives the memory back.
 */
export function showPicture(host: HTMLElement, app: ViewerApp, visit: Visit, n: number): () => void {
  const item = visit.opened.items[n];
  const small = item && `${item.mediaId}/${smallOf(item)}`;
  const big = item && `${item.mediaId}/${fullOf(item)}`;
  const [soft, under, full] = [newCanvas('soft'), newCanvas('under'), newCanvas('full')];
  const cell = app.cells[n];
  copyOf(cell?.querySelector<HTMLCanvasElement>('canvas:not(.sharp)'), soft);
  const copyThumb = () => copyOf(cell?.querySelector<HTMLCanvasElement>('.sharp[data-painted]'), under);
  copyThumb();
  host.replaceChildren(soft, under, full);
  const unsubscribe = visit.listen((report) => {
    if (!('picture' in report)) return;
    // The grid shows a new thumbnail with the next frame; the one after it can be copied.
    if (report.picture === small && report.did === 'all') requestAnimationFrame(() => requestAnimationFrame(copyThumb));
    if (report.picture !== big) return;
    if (report.did === 'first') performance.mark(`rows-${n}`);
    if (report.did === 'all')
      requestAnimationFrame(() => {
        full.dataset.painted = '';
        performance.mark(`full-${n}`);
      });
  });
  visit.lendFull(n, full);
  return () => {
    unsubscribe();
    visit.freeFull(n);
    under.width = 0;
    host.replaceChildren();
  };
}
