import type { DrawReport } from '#features/media/browser/drawer.ts';
import { openDrawer } from '#features/media/browser/open-drawer.ts';
import type { Opened, Refusal } from '../contract.ts';
import { createGate, find, opening } from './door/gate.ts';
import { showFace } from './door/host-avatar.ts';
import { askToOpen, offline } from './door/open-stream.ts';
import { readSlug } from './door/read-slug.ts';
import { firstScreenOf, makeCell, sharpCanvas, softCanvas, thumbOf } from './gallery/cells.ts';
import type { Answers, Outcome, ViewerApp, Visit } from './viewer-app.ts';

/**
 * From the door to the first sharp picture, without any library: this script is part of the page itself, so that the door can
 * be tapped after one round trip. It may share no module with the parts that it loads later.
 */
const ids = ['door', 'open', 'word', 'gallery', 'grid'];
const [door, button, word, gallery, grid] = ids.map((id) => find(id)) as [
  HTMLElement,
  HTMLButtonElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
];

const early: DrawReport[] = [];
const keep = (report: DrawReport): void => void early.push(report);
let listen = keep;
let onFirst: (() => void) | undefined;
const sharp = new Map<string, { canvas: HTMLCanvasElement; n: number }>();
const cells: HTMLButtonElement[] = [];
let opened: Opened | undefined;
let streams = 0;
/** What `open` still sends is read until something else comes first. */
let line = new AbortController();
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
  if (!place) return;
  requestAnimationFrame(() => {
    place.canvas.dataset.painted = '';
    const mark = `sharp-${place.n}`;
    if (!performance.getEntriesByName(mark).length) performance.mark(mark);
  });
}

function lendCell(n: number): void {
  const [item, cell] = [opened?.items[n], cells[n]];
  if (item === undefined || cell === undefined || cell.querySelector('.sharp')) return;
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
  showFace(find('letter'), host);
  find('host').textContent = host.name;
  find('counts').textContent = [...count(counts.photos, 'photo'), ...count(counts.videos, 'video')].join(' · ');
  find('welcome').textContent = host.welcomeText;
  drawer.post({ do: 'mark', mark: list.mark });
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
  gate.hide();
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

function open(answers: Answers): Promise<Outcome> {
  const stream = streams++;
  line = new AbortController();
  listen = keep; // until what looks after this visit is there
  app.openStream = stream;
  const request = {
    ...answers,
    firstScreen: firstScreenOf(innerWidth, innerHeight),
    ...zone,
    screen: `${screen.width}x${screen.height}@${devicePixelRatio}`,
    isDriven: navigator.webdriver,
  };
  return askToOpen(app.slug, request, {
    onOpened: show,
    onBytes: (bytes) => drawer.post({ do: 'bytes', stream, bytes }),
    onEnd: (isBroken) => drawer.post({ do: 'ended', stream, isBroken }),
    until: line.signal,
  });
}

const loadVideo = () => again(() => import('./video/video.tsx'));

const app: ViewerApp = {
  slug: readSlug(location.pathname),
  drawer,
  tools: find('tools'),
  root: find('frame'),
  cells,
  lendCell,
  dropCell(n) {
    cells[n]?.querySelector('.sharp')?.remove();
    const item = opened?.items[n];
    if (item) sharp.delete(thumbOf(item));
  },
  listen(listener) {
    listen = listener;
    for (const report of early.splice(0)) listener(report);
  },
  nextStream: () => streams++,
  loadVideo,
  openStream: 0,
  halt(stream) {
    drawer.post({ do: 'halt', stream });
    if (stream === app.openStream) line.abort();
  },
};

/** A tap on a cell shows at once, also before there is anything that could open the picture: that is asked for now. */
function pick(n: number): void {
  app.picked = n;
  for (const cell of cells) cell.removeAttribute('aria-busy');
  cells[n]?.setAttribute('aria-busy', 'true');
  onFirst?.();
  app.onPick?.(n);
}

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
const loadVisit = () => again(() => import('./session/visit.ts'));

/** Who lingers need not wait for the frame later; if it does not come now, it is asked for again with the first picture. */
const lingerMs = 2000;
let lingering: ReturnType<typeof setTimeout> | undefined;
function linger(): void {
  lingering = setTimeout(() => void loadFrame().catch(() => undefined), lingerMs);
}

/** The frame is large: it waits until a picture is there, or until it is clear that none comes. */
const firstPicture = () =>
  new Promise<void>((go) => {
    onFirst = go;
  });

let removeFrame = (): void => undefined;

/** What looks after the visit, and what stands around it. */
async function enter(list: Opened): Promise<void> {
  await firstPicture();
  const visiting = loadVisit().then(({ startVisit }) => untilOver(startVisit(app, list)));
  const [visit, { showFrame }] = await Promise.all([visiting, loadFrame()]);
  if (visit.state().refusal === undefined) removeFrame = showFrame(app, visit);
}

/** When a visit ends, the gate says why; the first word of the drawer may have ended it. */
function untilOver(visit: Visit): Visit {
  const look = () => {
    const { refusal } = visit.state();
    if (refusal === undefined) return;
    removeFrame();
    leave();
    void gate.show(refusal);
  };
  visit.subscribe(look);
  look();
  return visit;
}

/** Takes the gallery away. */
function leave(): void {
  leftAtPx = scrollY;
  delete app.picked;
  delete app.onPick;
  drawer.post({ do: 'blank' });
  grid.replaceChildren();
  gallery.hidden = true;
}

/** What was said at the gates stays said: a browser that takes no cookies has to say it all at once. */
const said: Answers = {};

/** Asks to be let in. A code is good for once, and so is taking over. */
async function ask({ isAdult, password, ...once }: Answers): Promise<void> {
  clearTimeout(lingering);
  if (isAdult !== undefined) said.isAdult = isAdult;
  if (password !== undefined) said.password = password;
  setBusy(true);
  const outcome = await open({ ...said, ...once });
  if ('refusal' in outcome) await refuse(outcome.refusal);
  setBusy(false);
  if ('failure' in outcome) say(outcome.failure);
  if ('opened' in outcome)
    await enter(outcome.opened).catch(() => {
      leave();
      say(offline);
    });
}

async function refuse(refusal: Refusal): Promise<void> {
  if (refusal.reason === 'NEED_PASSWORD') delete said.password; // it was wrong, or is another one by now
  await gate.show(refusal);
  door.hidden = true;
  if (refusal.reason.startsWith('NEED_')) linger();
  notifyShown(refusal);
}

/** Says that this screen shows why the link did not open, now that the cookie of its first answer is there: a person is counted once. */
function notifyShown({ reason }: Refusal): void {
  // Nobody waits for it, and whoever leaves at once is counted all the same.
  if (!navigator.webdriver)
    fetch(`/api/view/${app.slug}/gate?reason=${reason}`, { method: 'POST', keepalive: true }).catch(() => undefined);
}

const gate = createGate(
  (answers) => void ask(answers),
  () => again(() => import('./door/typing.ts')),
  app.slug,
);

function setBusy(isBusy: boolean): void {
  gate.setBusy(isBusy);
  button.disabled = isBusy;
  if (isBusy) word.textContent = opening;
}

/** Where the visitor is: at the gate, or else at the door. */
function say(text: string): void {
  if (gate.isShown()) {
    gate.fail(text);
    return;
  }
  word.textContent = text;
  door.hidden = false;
}

if (isSecureContext) {
  button.addEventListener('click', () => {
    performance.mark('tap');
    void ask({});
  });
  grid.addEventListener('click', ({ target }) => {
    const n = target instanceof Element ? cells.findIndex((cell) => cell.contains(target)) : -1;
    if (n >= 0) pick(n);
  });
  linger();
  setTimeout(() => {
    zone = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  }, zoneAfterMs);
  performance.mark('ready');
} else {
  button.disabled = true;
  word.textContent = 'This page needs https.';
}
