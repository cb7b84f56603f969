import type { DrawReport } from '#features/media/salon/drawer.ts';
import { openDrawer } from '#features/media/salon/open-drawer.ts';
import type { Opened } from '../contract.ts';
import { firstScreenOf, makeCell, sharpCanvas, softCanvas, thumbOf } from './cells.ts';
import { askToOpen } from './open-stream.ts';
import type { Answers, Outcome, Salon } from './salon.ts';

/**
 * From the door to the first sharp picture, without any library: this script is part of the page itself, so that the door can
 * be tapped after one round trip. It may share no module with the parts that it loads later.
 */
const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [door, knob, word, gallery, grid] = [
  find('door'),
  find<HTMLButtonElement>('open'),
  find('word'),
  find('gallery'),
  find('grid'),
];

const early: DrawReport[] = [];
let listen = (report: DrawReport): void => void early.push(report);
let onFirst: (() => void) | undefined;
const sharp = new Map<string, { canvas: HTMLCanvasElement; n: number }>();
const cells: HTMLButtonElement[] = [];
let opened: Opened | undefined;
let streams = 0;
/** Dear to ask for on a slow phone, so not in the way of a tap that comes at once. */
let zone: { timeZone?: string } = {};
const zoneAfterMs = 100;
/** Where the gallery was when it was taken away: who opens it again goes on there. */
let leftAtPx = 0;

const drawer = openDrawer((report) => {
  if (report.did === 'all') sharpen(report.picture);
  if (report.did !== 'head' && report.did !== 'first') onFirst?.();
  listen(report);
});

/** A picture is whole: it is shown with the next frame the browser draws. */
function sharpen(picture: string): void {
  const place = sharp.get(picture);
  if (place === undefined) return;
  requestAnimationFrame(() => {
    place.canvas.dataset.painted = '';
    if (performance.getEntriesByName(`sharp-${place.n}`).length === 0) performance.mark(`sharp-${place.n}`);
  });
}

function lendCell(n: number): void {
  const [item, cell] = [opened?.items[n], cells[n]];
  if (item === undefined || cell === undefined || cell.querySelector('.sharp') !== null) return;
  const canvas = sharpCanvas();
  cell.append(canvas);
  sharp.set(thumbOf(item), { canvas, n });
  drawer.lend(thumbOf(item), canvas);
}

const count = (many: number, one: string) => (many === 0 ? [] : [`${many} ${one}${many === 1 ? '' : 's'}`]);

/** Everything the first frame tells: who, how many, and each picture's soft colours. */
function show(list: Opened): void {
  opened = list;
  const { host, counts, items, leases } = list;
  find('letter').textContent = host.name.slice(0, 1).toUpperCase();
  find('host').textContent = host.name;
  find('counts').textContent = [...count(counts.photos, 'photo'), ...count(counts.videos, 'video')].join(' · ');
  find('welcome').textContent = host.welcomeText;
  drawer.tell({ do: 'mark', mark: list.mark });
  cells.splice(0, cells.length, ...items.map((item, n) => makeCell(item, n, items.length)));
  grid.replaceChildren(
    ...cells.map((cell) => {
      const place = document.createElement('li');
      place.append(cell);
      return place;
    }),
  );
  soften(0, leases.length);
  door.hidden = true;
  gallery.hidden = false;
  requestAnimationFrame(() => {
    performance.mark('preview');
    setTimeout(() => settle(leases)); // the colours are on the screen before the canvases are made
  });
}

/** What can wait until the colours are to be seen. */
function settle(leases: Opened['leases']): void {
  for (const { mediaId } of leases) lendCell(opened?.items.findIndex((item) => item.mediaId === mediaId) ?? -1);
  find('host').focus({ preventScroll: true });
  if (leftAtPx > 0) scrollTo(0, leftAtPx);
}

/** The first screen's colours at once, the others a few at a time. */
function soften(from: number, many: number): void {
  const items = opened?.items ?? [];
  for (const [i, item] of items.slice(from, from + many).entries()) cells[from + i]?.prepend(softCanvas(item));
  if (from + many < items.length) setTimeout(() => soften(from + many, 12), 50);
}

async function open(answers: Answers): Promise<Outcome> {
  const stream = streams++;
  salon.openStream = stream;
  const request = {
    ...answers,
    firstScreen: firstScreenOf(innerWidth, innerHeight),
    ...zone,
    screen: `${screen.width}x${screen.height}@${devicePixelRatio}`.slice(0, 20),
  };
  return askToOpen(salon.slug, request, {
    onOpened: show,
    onBytes: (bytes) => drawer.tell({ do: 'bytes', stream, bytes }),
    onEnd: (isBroken) => drawer.tell({ do: 'ended', stream, isBroken }),
  });
}

const salon: Salon = {
  slug: location.pathname.split('/')[2] ?? '',
  drawer,
  tools: find('tools'),
  root: find('frame'),
  cells,
  open,
  lendCell,
  async startVisit(list) {
    const { startVisit } = await again(() => import('./visit.ts'));
    return startVisit(salon, list);
  },
  dropCell(n) {
    cells[n]?.querySelector('.sharp')?.remove();
    sharp.delete(thumbOf(opened?.items[n] ?? { mediaId: '' }));
  },
  leave() {
    leftAtPx = scrollY;
    drawer.tell({ do: 'blank' });
    grid.replaceChildren();
    gallery.hidden = true;
    door.hidden = true;
  },
  hear(listener) {
    listen = listener;
    for (const report of early.splice(0)) listener(report);
  },
  nextStream: () => streams++,
  openStream: 0,
};

/** A part that does not come at once may come a little later. */
async function again<T>(load: () => Promise<T>, tries = 4): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (tries === 0) throw error;
    await new Promise((go) => setTimeout(go, 3000));
    return again(load, tries - 1);
  }
}

const loadFrame = () => again(() => import('./frame.tsx'));

/** The frame is large: it waits until a picture is there, or until it is clear that none comes. */
const firstPicture = () =>
  new Promise<void>((go) => {
    onFirst = go;
  });

async function enter(outcome: Exclude<Outcome, { failure: string }>): Promise<void> {
  if ('opened' in outcome) {
    await firstPicture();
    const [visit, { showFrame }] = await Promise.all([salon.startVisit(outcome.opened), loadFrame()]);
    await showFrame(salon, visit);
    return;
  }
  const { showFrame } = await loadFrame();
  await showFrame(salon, outcome);
  door.hidden = true;
}

async function tap(): Promise<void> {
  performance.mark('tap');
  knob.disabled = true;
  word.textContent = 'Opening…';
  const outcome = await open({});
  if ('failure' in outcome) return say(outcome.failure);
  await enter(outcome).catch(() => {
    salon.leave();
    say('The connection was lost. Please open it again.');
  });
}

function say(text: string): void {
  word.textContent = text;
  knob.disabled = false;
  door.hidden = false;
}

if (isSecureContext) {
  knob.addEventListener('click', () => void tap());
  grid.addEventListener('click', ({ target }) => {
    const n = target instanceof Element ? cells.findIndex((cell) => cell.contains(target)) : -1;
    if (n < 0) return;
    if (salon.onPick === undefined) salon.picked = n;
    else salon.onPick(n);
  });
  // Who lingers need not wait for it later; if it does not come now, the tap asks again.
  setTimeout(() => void loadFrame().catch(() => undefined), 2000);
  setTimeout(() => {
    zone = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  }, zoneAfterMs);
  performance.mark('ready');
} else {
  knob.disabled = true;
  word.textContent = 'This page needs https (or localhost).';
}
