import type { DrawReport } from '#features/media/browser/drawer.ts';
import type { Opened, Refusal } from '../../contract.ts';
import { galleryId } from '../../rules.ts';
import { refusalFrom } from '../session/renewal.ts';
import type { ViewerApp } from '../viewer-app.ts';
import { watchGrid } from './grid-watch.ts';
import { lookAhead, type Step } from './look-ahead.ts';
import { createPictureRequests, type PictureRequests } from './picture-requests.ts';
import { fullOf } from './renditions.ts';

export interface PicturesEvents {
  onRefused(refusal: Refusal): void;
  /** Something did not come: the line may be broken. */
  onMissed(): void;
  /** Everything is closed, or may be shown again. */
  onBlank(isBlank: boolean): void;
}

/** All pictures of a visit: the thumbnails near the screen, the open one and its neighbours. */
export interface Pictures {
  /** Opens an item or goes on to it; undefined goes back to the gallery. */
  turnTo(item: number | undefined): void;
  /** An item will be opened as soon as there is something to open it in: it is asked for now. */
  expect(item: number): void;
  /** What is to be seen now: the open item or the gallery. */
  visible(): string[];
  /** Closes every picture; `show` brings them back when there is a right to look again. */
  blank(): void;
  show(): void;
  isBlank(): boolean;
  lendFull(n: number, canvas: HTMLCanvasElement): void;
  freeFull(n: number): void;
  lendSheet(n: number, canvas: HTMLCanvasElement): void;
  freeSheet(n: number): void;
  receive(report: DrawReport): void;
}

/** Which way somebody goes, and for how many steps already. */
type Way = Pick<Step, 'direction' | 'streak'>;
const straight: Way = { direction: 1, streak: 0 };

function wayTo(item: number | undefined, before: number | undefined, way: Way): Way {
  if (item === undefined || before === undefined) return straight;
  if (item === before) return way;
  const direction = item > before ? 1 : -1;
  return { direction, streak: direction === way.direction ? way.streak + 1 : 1 };
}

/** Also what is the page's own: copies of thumbnails under full pictures. */
function hideAll(drawer: ViewerApp['drawer'], requests: PictureRequests): void {
  drawer.post({ do: 'blank' });
  requests.forget();
  for (const canvas of document.querySelectorAll('[data-painted]')) canvas.removeAttribute('data-painted');
  for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.under')) canvas.width = 0;
}

type Names = ReturnType<typeof namesOf>;

/** Returns how each item's full picture is asked for and called. */
function namesOf(items: Opened['items']) {
  const wantedAt = (n: number) =>
    items.slice(n, n + 1).map((item) => ({ mediaId: item.mediaId, rendition: fullOf(item) }));
  return {
    idOf: (n: number) => items[n]?.mediaId ?? '',
    wantedAt,
    nameOf: (n: number) => wantedAt(n).map(({ mediaId, rendition }) => `${mediaId}/${rendition}`)[0] ?? '',
  };
}

/** Puts something off. @returns what sets the time; a later call takes the place of the one before */
function createLater(act: () => void, until: AbortSignal): (waitMs: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  until.addEventListener('abort', () => clearTimeout(timer));
  return (waitMs) => {
    clearTimeout(timer);
    timer = setTimeout(act, waitMs);
  };
}

interface PictureRequestsWatch {
  /** Something is to be asked for again after this time. */
  again(waitMs: number): void;
  isLookedAt(): boolean;
}

function openPictureRequests(
  app: ViewerApp,
  opened: Opened,
  events: PicturesEvents,
  { again, isLookedAt }: PictureRequestsWatch,
): PictureRequests {
  return createPictureRequests({
    visitId: opened.visitId,
    isPreview: opened.isPreview,
    drawer: app.drawer,
    nextStream: app.nextStream,
    halt: app.halt,
    isLookedAt,
    leases: opened.leases,
    openStream: app.openStream,
    onRefused: (refusal) => events.onRefused(refusalFrom(refusal)),
    onMissed(waitMs) {
      events.onMissed();
      again(waitMs);
    },
  });
}

interface Asking {
  askAround(at: number, way: Way): void;
  askSheets(sheets: ReadonlySet<number>): void;
}

/** Asks for what is looked at. @param onCome the gallery may go on */
function createAsking(requests: PictureRequests, { idOf, wantedAt }: Names, count: number, onCome: () => void): Asking {
  const hurry = async (list: ReturnType<typeof wantedAt>) => {
    await requests.askFirst(list);
    onCome();
  };
  return {
    askAround(at, way) {
      const list = lookAhead({ at, ...way, count }, (each) => wantedAt(each).every(requests.isHere));
      void hurry(list.flatMap(wantedAt));
    },
    askSheets: (sheets) => void hurry([...sheets].map((n) => ({ mediaId: idOf(n), rendition: 'storyboard' }))),
  };
}

type Stands = Pick<Pictures, 'lendFull' | 'freeFull' | 'lendSheet' | 'freeSheet'>;

/** Returns where the pictures of open items are put up. @param sheets the storyboards that stand there */
function createStands(
  drawer: ViewerApp['drawer'],
  { idOf, nameOf }: Names,
  sheets: Set<number>,
  ask: () => void,
): Stands {
  const sheetOf = (n: number) => `${idOf(n)}/storyboard`;
  return {
    lendFull: (n, canvas) => drawer.lend(nameOf(n), canvas),
    freeFull: (n) => drawer.post({ do: 'free', picture: nameOf(n) }),
    lendSheet(n, canvas) {
      sheets.add(n);
      drawer.lend(sheetOf(n), canvas);
      ask();
    },
    freeSheet(n) {
      sheets.delete(n);
      drawer.post({ do: 'free', picture: sheetOf(n) });
    },
  };
}

export function createPictures(app: ViewerApp, opened: Opened, until: AbortSignal, events: PicturesEvents): Pictures {
  const isLookedAt = () => at !== undefined || expected !== undefined;
  const again = createLater(() => look(), until);
  const requests = openPictureRequests(app, opened, events, { again, isLookedAt });
  // The gallery waits for what is looked at, and goes on when that has come or was closed.
  const mayAsk = () => !requests.isHurrying() || !isLookedAt();
  const grid = watchGrid({ app, items: opened.items, requests, mayAsk, until });
  const names = namesOf(opened.items);
  const sheets = new Set<number>();
  let isBlank = false;
  let expected: number | undefined;
  let [at, way]: [number | undefined, Way] = [undefined, straight];

  const lookAtGrid = () => {
    if (!isBlank) grid.look();
  };
  const asking = createAsking(requests, names, opened.items.length, lookAtGrid);
  const askFull = () => {
    if (at === undefined || isBlank) return;
    asking.askAround(at, way);
    asking.askSheets(sheets);
  };
  const look = () => {
    askFull();
    lookAtGrid();
  };
  return {
    turnTo(item) {
      way = wayTo(item, at, way);
      [at, expected] = [item, undefined];
      if (at !== undefined) app.cells[at]?.scrollIntoView({ block: 'nearest' });
      if (at === undefined) lookAtGrid();
      askFull();
    },
    expect(item) {
      if (isBlank) return;
      expected = item;
      requests.giveWay();
      asking.askAround(item, way);
    },
    visible() {
      if (isBlank || (at === undefined && !grid.isSeen())) return [];
      return [at === undefined ? galleryId : names.idOf(at)];
    },
    blank() {
      isBlank = true;
      events.onBlank(true);
      hideAll(app.drawer, requests);
    },
    show() {
      if (!isBlank) return;
      isBlank = false;
      events.onBlank(false);
      look();
    },
    isBlank: () => isBlank,
    ...createStands(app.drawer, names, sheets, askFull),
    receive: requests.receive,
  };
}
