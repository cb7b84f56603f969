import type { Opened } from '../../contract.ts';
import type { ViewerApp } from '../viewer-app.ts';

/** Numbers of the items that are still to be seen, in their order. */
export const stillThere = (count: number, gone: ReadonlySet<number>): number[] =>
  Array.from({ length: count }, (_, n) => n).filter((n) => !gone.has(n));

/** Takes pictures out of the gallery for good, and counts the others again. */
export function removeItems(app: ViewerApp, { items }: Opened, gone: ReadonlySet<number>): void {
  for (const n of gone) {
    const cell = app.cells[n];
    if (cell === undefined) continue;
    app.dropCell(n);
    cell.replaceChildren();
    cell.parentElement?.setAttribute('hidden', '');
  }
  const there = stillThere(items.length, gone);
  // Only the number: the door's own script has made the label, and shares no module with this one.
  for (const [place, n] of there.entries()) {
    const label = app.cells[n]?.getAttribute('aria-label') ?? '';
    app.cells[n]?.setAttribute('aria-label', label.replace(/(?<!\d)\d+ of \d+/, `${place + 1} of ${there.length}`));
  }
  const countOf = (kind: string) => there.filter((n) => items[n]?.kind === kind).length;
  const words = [
    [countOf('photo'), 'photo'],
    [countOf('video'), 'video'],
  ] as const;
  const parts = words.filter(([many]) => many > 0).map(([many, one]) => `${many} ${one}${many === 1 ? '' : 's'}`);
  const counts = document.getElementById('counts');
  if (counts !== null) counts.textContent = parts.join(' · ') || "There's nothing left to see here.";
}
