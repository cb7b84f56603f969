import type { DrawReport } from './drawer.ts';
import { type Drawer, openDrawer } from './open-drawer.ts';
import { nameOf, type Wanted } from './picture-stream.ts';

/** What a place for a picture is told. */
export type Shown = 'first' | 'all' | 'failed';

interface Place {
  item: Wanted;
  canvas: HTMLCanvasElement;
  tell(shown: Shown): void;
}

const mostAtOnce = 24;
const mostTries = 3;
const retryMs = 2000;
/** Pictures whose ciphertext and keys the drawer still has, so that another canvas needs no call. */
const mostHere = 60;

/** Where the studio's own pictures are drawn: one drawer, one call at a time for everything that is on the screen. */
export interface PreviewDesk {
  /** Draws an item on a new canvas. @returns gives the canvas up */
  show(item: Wanted, canvas: HTMLCanvasElement, tell: (shown: Shown) => void): () => void;
}

function createDesk(): PreviewDesk {
  const queue = new Map<string, Wanted>();
  const places = new Map<string, Place[]>();
  const here = new Set<string>();
  let drawer: Drawer | undefined;
  let stream = 0;
  let asked: { stream: number; items: Wanted[]; tries: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tellAll = (name: string, shown: Shown) => {
    for (const place of places.get(name) ?? []) place.tell(shown);
  };
  const ask = (items: Wanted[], tries: number) => {
    asked = { stream: ++stream, items, tries };
    drawer?.tell({ do: 'look', stream, url: '/api/media/leases', body: {}, items });
  };
  const next = () => {
    timer = undefined;
    if (asked !== undefined || queue.size === 0) return;
    const items = [...queue.values()].slice(0, mostAtOnce);
    for (const item of items) queue.delete(nameOf(item));
    ask(items, 1);
  };
  const soon = () => {
    timer ??= setTimeout(next, 0);
  };
  const give = (items: readonly Wanted[]) => {
    for (const item of items) tellAll(nameOf(item), 'failed');
    asked = undefined;
    soon();
  };
  const remember = (name: string) => {
    here.delete(name);
    here.add(name);
    for (const oldest of here) if (here.size > mostHere) here.delete(oldest);
  };
  const take = (report: DrawReport) => {
    if ('picture' in report) {
      if (report.did === 'all') remember(report.picture);
      lendNext(report.picture, report.did);
      return;
    }
    if (report.did === 'stopped') return give(asked?.items ?? []);
    if (asked === undefined || !('stream' in report) || report.stream !== asked.stream) return;
    if (report.did === 'head') {
      const coming = new Set(report.head.leases.map(nameOf));
      for (const item of asked.items) if (!coming.has(nameOf(item))) tellAll(nameOf(item), 'failed');
    } else if (report.did === 'refused') give(asked.items);
    else if (report.did === 'ended') give([]);
    else retry(asked);
  };
  const retry = ({ items, tries }: NonNullable<typeof asked>) => {
    if (tries >= mostTries) give(items);
    else setTimeout(() => ask(items, tries + 1), retryMs);
  };
  /** The drawer draws a picture on one canvas at a time: a second place gets it when the first has it whole. */
  const lendNext = (name: string, did: Shown) => {
    const [first, ...others] = places.get(name) ?? [];
    first?.tell(did);
    if (did !== 'all' || first === undefined || others.length === 0) return;
    places.set(name, [...others, first]);
    const [second] = others;
    if (second?.canvas.dataset['lent'] === undefined) lend(name, second);
  };
  const lend = (name: string, place: Place | undefined) => {
    if (place === undefined) return;
    place.canvas.dataset['lent'] = '';
    drawer?.lend(name, place.canvas);
  };
  return {
    show(item, canvas, tell) {
      drawer ??= openDrawer(take);
      const name = nameOf(item);
      const place = { item, canvas, tell };
      const others = places.get(name) ?? [];
      places.set(name, [...others, place]);
      if (others.length === 0) lend(name, place);
      if (others.length > 0 && here.has(name)) lendNext(name, 'all');
      if (!here.has(name)) {
        queue.set(name, item);
        soon();
      }
      return () => {
        const left = (places.get(name) ?? []).filter((other) => other !== place);
        if (left.length === 0) {
          places.delete(name);
          queue.delete(name);
          drawer?.tell({ do: 'free', picture: name });
        } else places.set(name, left);
      };
    },
  };
}

let desk: PreviewDesk | undefined;

/** The one desk of this page. */
export function previewDesk(): PreviewDesk {
  desk ??= createDesk();
  return desk;
}
