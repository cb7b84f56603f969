import { formatLength } from '#kit/text.ts';
import type { Opened } from '../../contract.ts';
import type { ViewerApp } from '../viewer-app.ts';

/** Says on each video's tile that it is one, and how long it is; the door does not wait for this. */
export function showLengths({ cells }: Pick<ViewerApp, 'cells'>, { items }: Pick<Opened, 'items'>): void {
  for (const { n, durationMs } of items) {
    const cell = cells[n];
    if (durationMs === undefined || cell === undefined) continue;
    const length = document.createElement('span');
    length.textContent = formatLength(durationMs);
    cell.append(length);
    const label = cell.getAttribute('aria-label') ?? '';
    cell.setAttribute('aria-label', label.replace(/^\w+ \d+ of \d+/, `$&, ${length.textContent}`));
  }
}
