import type { ViewItem } from '../../contract.ts';
import type { ViewerApp } from '../viewer-app.ts';
import type { PictureRequests } from './picture-requests.ts';
import { smallOf } from './renditions.ts';

/** Thumbnails of this many screens above and below are kept drawn; canvases further away give their memory back. */
const nearby = '50% 0px';
/** Scrolling passes many cells: only where it slows down is anything asked for. */
const settleMs = 80;
const fewestAtOnce = 12;

export interface GridWatch {
  /** Asks for what is near and not there yet. */
  look(): void;
  /** Returns whether at least half of any thumbnail is to be seen. */
  isSeen(): boolean;
}

function free(drawer: ViewerApp['drawer'], small: { mediaId: string; rendition: string } | undefined): void {
  if (small !== undefined) drawer.post({ do: 'free', picture: `${small.mediaId}/${small.rendition}` });
}

function watchCells(
  cells: readonly Element[],
  until: AbortSignal,
  options: IntersectionObserverInit,
  listener: IntersectionObserverCallback,
): void {
  const watch = new IntersectionObserver(listener, options);
  for (const cell of cells) watch.observe(cell);
  until.addEventListener('abort', () => watch.disconnect());
}

/** Returns what is near and missing, from the middle of the screen outwards, and what comes next: fewer calls while one scrolls. */
function numbersWanted(
  near: ReadonlySet<number>,
  seen: ReadonlySet<number>,
  isMissing: (n: number) => boolean,
): number[] {
  const middle = [...seen].sort((one, other) => one - other)[seen.size >> 1] ?? 0;
  const missing = [...near].filter(isMissing).sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  if (missing.length === 0) return [];
  const next = Math.max(...near) + 1;
  const ahead = Array.from({ length: Math.max(0, fewestAtOnce - missing.length) }, (_, i) => next + i);
  return [...missing, ...ahead.filter(isMissing)];
}

interface GridWatchParts {
  app: ViewerApp;
  items: readonly ViewItem[];
  requests: PictureRequests;
  /** Returns whether nothing comes first now. */
  mayAsk(): boolean;
  until: AbortSignal;
}

/** Looks after the thumbnails while the gallery scrolls: few canvases, whatever the length of the album. */
export function watchGrid({ app, items, requests, mayAsk, until }: GridWatchParts): GridWatch {
  const { cells, drawer } = app;
  const near = new Set<number>();
  const lent = new Set(cells.flatMap((cell, n) => (cell.querySelector('.sharp') === null ? [] : [n])));
  const seen = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isToLook = false;

  const smalls = items.map((item) => ({ mediaId: item.mediaId, rendition: smallOf(item) }));
  const isMissing = (n: number) => {
    const small = smalls[n];
    return small !== undefined && !cells[n]?.parentElement?.hidden && !requests.isHere(small);
  };
  const wanted = () => numbersWanted(near, seen, isMissing).flatMap((n) => smalls[n] ?? []);
  const ask = async () => {
    isToLook = isAsking;
    if (isAsking || until.aborted) return;
    isAsking = true;
    await requests.opened; // the first screen comes before what is below it
    let hasCome = true;
    for (let list = wanted(); hasCome && mayAsk() && list.length > 0 && !until.aborted; list = wanted())
      hasCome = await requests.ask(list);
    isAsking = false;
    // What gave way says so a moment later than what it gave way to may be there.
    if (isToLook) look();
  };
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), settleMs);
  };
  const turn = (n: number, isNear: boolean) => {
    if (isNear) near.add(n);
    else near.delete(n);
    if (isNear && !lent.has(n)) {
      lent.add(n);
      app.lendCell(n);
    }
    if (isNear || !lent.delete(n)) return;
    free(drawer, smalls[n]);
    app.dropCell(n);
  };
  const numberOf = new Map<Element, number>(cells.map((cell, n) => [cell, n]));
  watchCells(cells, until, { rootMargin: nearby }, (entries) => {
    for (const { target, isIntersecting } of entries) turn(numberOf.get(target) ?? -1, isIntersecting);
    look();
  });
  watchCells(cells, until, { threshold: 0.5 }, (entries) => {
    for (const { target, intersectionRatio } of entries)
      if (intersectionRatio >= 0.5) seen.add(numberOf.get(target) ?? -1);
      else seen.delete(numberOf.get(target) ?? -1);
  });
  until.addEventListener('abort', () => clearTimeout(timer));
  return { look, isSeen: () => seen.size > 0 };
}
