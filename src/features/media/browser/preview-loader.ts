import type { DrawReport } from './drawer.ts';
import { type Drawer, openDrawer } from './open-drawer.ts';
import { nameOf, type Wanted } from './picture-stream.ts';

/** Where pictures that are looked at without a link come from. */
export interface PictureSource {
  /** Lends leases for a list of items. */
  url: string;
  /** What is drawn over every picture. */
  mark?: string;
}

/** What a place for a picture is told. */
export type Shown = 'first' | 'all' | 'failed';

/** Where the studio's own pictures are drawn: one drawer, and one call at a time for everything that is on the screen. */
export interface PreviewLoader {
  /** Draws an item on a new canvas. @returns gives the canvas up */
  show(item: Wanted, canvas: HTMLCanvasElement, onShown: (shown: Shown) => void): () => void;
  /** Forgets every key; nothing is drawn any more. */
  close(): void;
}

interface Place {
  canvas: HTMLCanvasElement;
  onShown(shown: Shown): void;
}

/** Of one picture: the drawer draws it on one canvas at a time, a second place gets it when the first has it whole. */
interface Stand {
  current: Place | undefined;
  isDone: boolean;
  waiting: Place[];
}

const mostAtOnce = 24;
const mostTries = 3;
const retryMs = 2000;

/** Asks for what is wanted, as much as there is in one call. */
function createAsking(url: string, post: Drawer['post'], onFailed: (item: Wanted) => void) {
  const queue = new Map<string, Wanted>();
  let asked: { stream: number; items: Wanted[]; tries: number } | undefined;
  let stream = 0;
  let isDue = false;

  const ask = (items: Wanted[], tries: number) => {
    asked = { stream: ++stream, items, tries };
    post({ do: 'look', stream, url, body: {}, items });
  };
  const next = () => {
    isDue = false;
    if (asked !== undefined || queue.size === 0) return;
    const items = [...queue.values()].slice(0, mostAtOnce);
    for (const item of items) queue.delete(nameOf(item));
    ask(items, 1);
  };
  const soon = () => {
    if (!isDue) setTimeout(next, 0);
    isDue = true;
  };
  const end = (failed: readonly Wanted[]) => {
    asked = undefined;
    for (const item of failed) onFailed(item);
    soon();
  };
  const receive = (report: DrawReport, { items, tries }: NonNullable<typeof asked>) => {
    if (report.did === 'head') {
      const coming = new Set(report.head.leases.map(nameOf));
      for (const item of items) if (!coming.has(nameOf(item))) onFailed(item);
    } else if (report.did === 'ended') end([]);
    else if (report.did === 'refused' || tries === mostTries) end(items);
    else setTimeout(() => ask(items, tries + 1), retryMs);
  };
  return {
    want(item: Wanted): void {
      queue.set(nameOf(item), item);
      soon();
    },
    forget: (name: string): void => void queue.delete(name),
    take(report: DrawReport): void {
      if (report.did === 'stopped') end([...(asked?.items ?? []), ...queue.values()]);
      else if (asked !== undefined && 'stream' in report && report.stream === asked.stream) receive(report, asked);
    },
  };
}

/** Starts a loader of its own. */
export function createLoader({ url, mark }: PictureSource): PreviewLoader {
  const stands = new Map<string, Stand>();
  /** Pictures whose ciphertext and keys the drawer still has, so that another canvas needs no call. */
  const here = new Set<string>();
  const take = (report: DrawReport) => {
    if (report.did === 'dropped') here.delete(report.picture);
    else if ('picture' in report) become(report.picture, report.did);
    else asking.take(report);
  };
  const drawer = openDrawer(take);
  if (mark !== undefined) drawer.post({ do: 'mark', mark: { look: 'tiled', text: mark } });
  const asking = createAsking(url, drawer.post, (item) => become(nameOf(item), 'failed'));

  const advance = (name: string, stand: Stand) => {
    if (stand.current !== undefined && !stand.isDone) return;
    const place = stand.waiting.shift();
    if (place === undefined) return;
    stand.current = place;
    stand.isDone = false;
    drawer.lend(name, place.canvas);
  };
  const become = (name: string, did: Shown) => {
    if (did === 'all') here.add(name);
    const stand = stands.get(name);
    if (stand === undefined) return;
    stand.current?.onShown(did);
    if (did === 'first') return;
    stand.isDone = true;
    advance(name, stand);
  };
  const leave = (name: string, place: Place) => {
    const stand = stands.get(name);
    if (stand === undefined) return;
    stand.waiting = stand.waiting.filter((other) => other !== place);
    if (stand.current === place) {
      drawer.post({ do: 'free', picture: name });
      stand.current = undefined;
      advance(name, stand);
    }
    if (stand.current !== undefined) return;
    stands.delete(name);
    asking.forget(name);
  };
  return {
    show(item, canvas, onShown) {
      const name = nameOf(item);
      const place = { canvas, onShown };
      const stand = stands.get(name) ?? { current: undefined, isDone: false, waiting: [] };
      stands.set(name, stand);
      stand.waiting.push(place);
      advance(name, stand);
      if (!here.has(name)) asking.want(item);
      return () => leave(name, place);
    },
    close: drawer.close,
  };
}

let loader: PreviewLoader | undefined;

/** The one loader of this page. */
export function previewLoader(): PreviewLoader {
  loader ??= createLoader({ url: '/api/media/leases' });
  return loader;
}
