import type { DrawReport } from '#features/media/salon/drawer.ts';
import type { Opened, Refusal } from '../contract.ts';
import { galleryId } from '../rules.ts';
import { watchGrid } from './grid-watch.ts';
import { lookAhead } from './look-ahead.ts';
import { refusalFrom } from './renewal.ts';
import type { Salon } from './salon.ts';
import { createShelf } from './shelf.ts';

export interface PicturesEvents {
  onRefused(refusal: Refusal): void;
  /** Something did not come: the line may be broken. */
  onMissed(): void;
}

/** All pictures of a visit: the thumbnails near the screen, the open one and its neighbours. */
export interface Pictures {
  /** Opens an item or goes on to it; undefined goes back to the gallery. */
  turnTo(item: number | undefined): void;
  /** What is to be seen now: the open item or the gallery. */
  visible(): string[];
  /** Closes every picture; `show` brings them back when there is a right to look again. */
  blank(): void;
  show(): void;
  isBlank(): boolean;
  lendFull(n: number, canvas: HTMLCanvasElement): void;
  freeFull(n: number): void;
  hear(report: DrawReport): void;
}

export function createPictures(salon: Salon, opened: Opened, until: AbortSignal, events: PicturesEvents): Pictures {
  const { drawer } = salon;
  const { items, visitId, leases } = opened;
  const shelf = createShelf({
    visitId,
    drawer,
    nextStream: salon.nextStream,
    leases,
    openStream: salon.openStream,
    onRefused: (refusal) => events.onRefused(refusalFrom(refusal)),
    onMissed(waitMs) {
      events.onMissed();
      clearTimeout(again);
      again = setTimeout(look, waitMs);
    },
  });
  const grid = watchGrid(salon, items, shelf, until);
  const idOf = (n: number) => items[n]?.mediaId ?? '';
  const fullOf = (n: number) => `${idOf(n)}/p2048`;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isBlank = false;
  let at: number | undefined;
  let way: { direction: 1 | -1; streak: number } = { direction: 1, streak: 0 };

  const askFull = () => {
    if (at === undefined || isBlank) return;
    const list = lookAhead({ at, ...way, count: items.length }, (n) => shelf.isHere(idOf(n), 'p2048'));
    void shelf.ask(list.map(idOf), 'p2048');
  };
  const look = () => {
    askFull();
    if (!isBlank) grid.look();
  };
  until.addEventListener('abort', () => clearTimeout(again));
  return {
    turnTo(item) {
      if (item === undefined || at === undefined) way = { direction: 1, streak: 0 };
      else if (item !== at) {
        const direction = item > at ? 1 : -1;
        way = { direction, streak: direction === way.direction ? way.streak + 1 : 1 };
      }
      at = item;
      if (at !== undefined) salon.cells[at]?.scrollIntoView({ block: 'nearest' });
      askFull();
    },
    visible() {
      if (isBlank) return [];
      if (at !== undefined) return [idOf(at)];
      return grid.isSeen() ? [galleryId] : [];
    },
    blank() {
      isBlank = true;
      drawer.tell({ do: 'blank' });
      shelf.forget();
      for (const canvas of document.querySelectorAll('[data-painted]')) canvas.removeAttribute('data-painted');
      // Copies of thumbnails under full pictures are the page's own.
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.under')) canvas.width = 0;
    },
    show() {
      if (!isBlank) return;
      isBlank = false;
      look();
    },
    isBlank: () => isBlank,
    lendFull: (n, canvas) => drawer.lend(fullOf(n), canvas),
    freeFull: (n) => drawer.tell({ do: 'free', picture: fullOf(n) }),
    hear: shelf.hear,
  };
}
