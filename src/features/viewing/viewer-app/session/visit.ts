import type { DrawReport } from '#features/media/browser/drawer.ts';
import type { Opened, Refusal } from '../../contract.ts';
import { createPictures } from '../gallery/pictures.ts';
import { removeItems } from '../gallery/remove-items.ts';
import { fullOf, smallOf } from '../gallery/renditions.ts';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import { watchAttention } from './attention.ts';
import { endsAtOf } from './ends-at.ts';
import { holdToView } from './holding.ts';
import { createLeaseRenewer, type LeaseRenewer } from './lease-renewer.ts';
import { createLiveLine } from './live-line.ts';
import { watched } from './observable.ts';
import { type Renewed, refusalFrom, renew } from './renewal.ts';
import { createViewTime } from './view-time.ts';
import type { VisitState } from './visit-state.ts';

const tickMs = 1000;
/** News after which nothing more may be seen, even before it is asked why. */
const closing = /^(link\.revoked|visit\.closed|viewer\.blocked|album\.closed)$/;
/** News about the visit itself, which change no right. */
const harmless = /^(visit\.(opened|moved|ended)|viewer\.renamed|link\.passwordGuessed)$/;
const stillThere: Refusal = {
  code: 'LINK',
  reason: 'CLOSED',
  title: 'Still there?',
  text: 'The pictures are hidden and your time is paused.',
};
const copyingIsReported = 'Attempts to copy are reported to the creator, who may end your access.';
const cannotDraw = { message: "The pictures couldn't be shown. Please reload this page." };

/** Starts to look after a visit whose gallery stands. */
export function startVisit(app: ViewerApp, opened: Opened): Visit {
  const over = new AbortController();
  const until = over.signal;
  const warning = opened.warnsOnCopying ? copyingIsReported : undefined;
  const first = { isOffline: false, isBlank: false, gone: new Set<number>(), warning };
  const state = watched<VisitState>({ ...first, ...endsIn(opened.endsInMs, undefined) });
  const listeners = new Set<(report: DrawReport) => void>();
  const pictures = createPictures(app, opened, until, {
    onRefused: (refusal) => end(refusal),
    onMissed: () => keeping.retry(),
    onBlank: (isBlank) => state.set({ isBlank }),
  });
  const keeping = keepVisit(app, opened, { state, pictures, until, onEnd: (refusal) => end(refusal) });
  const end = (refusal: Refusal) => {
    if (until.aborted) return;
    pictures.blank();
    over.abort();
    state.set({ refusal, item: undefined });
  };
  app.listen((report) => {
    pictures.receive(report);
    if (report.did === 'expired') pictures.blank();
    if (report.did === 'stopped') end(refusalFrom(cannotDraw));
    for (const listener of listeners) listener(report);
  });
  app.onPick = pictures.expect; // until there is something that opens them
  if (app.picked !== undefined) pictures.expect(app.picked);
  document.documentElement.toggleAttribute('data-guard', opened.blurWhenUnfocused);
  return {
    opened,
    state: state.get,
    subscribe: state.subscribe,
    lendFull: pictures.lendFull,
    freeFull: pictures.freeFull,
    lendSheet: pictures.lendSheet,
    freeSheet: pictures.freeSheet,
    setPlaying: keeping.setPlaying,
    notePlayed: keeping.notePlayed,
    end,
    retry: keeping.retry,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    until,
    warn: (warning) => state.set({ warning }),
    turnTo(item) {
      keeping.see();
      pictures.turnTo(item);
      state.set({ item });
    },
  };
}

interface Keeping {
  /** Credits what was to be seen until now. */
  see(): void;
  retry(): void;
  setPlaying(isPlaying: boolean): void;
  notePlayed(n: number, second: number): void;
}

interface KeepingParts {
  state: ReturnType<typeof watched<VisitState>>;
  pictures: ReturnType<typeof createPictures>;
  until: AbortSignal;
  onEnd(refusal: Refusal): void;
}

/** Renewals, the live line, and the clock: what ends a visit and what it is told about. */
function keepVisit(app: ViewerApp, opened: Opened, { state, pictures, until, onEnd }: KeepingParts): Keeping {
  const { visitId, items, renewAfterMs, idleAfterMs } = opened;
  const viewTime = createViewTime();
  const attention = watchAttention(idleAfterMs, (isVisible) => (isVisible ? comeBack() : goAway()), until);
  const see = () => viewTime.see(performance.now(), isLooking() ? pictures.visible() : []);
  const holding = holdToView(opened.holdToView, see, until);
  const isLooking = () => attention.isLooking() && holding.isShown();
  const renewer = createLeaseRenewer({
    visitId,
    renewAfterMs,
    send: renew,
    gather() {
      see();
      const idleMs = Math.round(attention.idleMs());
      return { samples: viewTime.take(), idleMs, ...lookingAtOf(items, state.get()) };
    },
    onLost: viewTime.putBack,
    onRefused: onEnd,
    onOffline: () => state.set({ isOffline: true }),
    onRenewed: (renewed) => takeRenewed(app, opened, { state, pictures }, renewed),
  });
  const line = createLiveLine(visitId, ({ kind }) => takeNews(kind, pictures, renewer));
  const goAway = () => [line.close(), renewer.rest()];
  const comeBack = () => [line.open(), renewer.renewNow()];
  const tick = () => {
    see();
    const { endsAt } = state.get();
    if (endsAt !== undefined && performance.now() >= endsAt && !pictures.isBlank()) {
      pictures.blank();
      renewer.renewAfterEnd();
    }
    if (attention.isVisible() && attention.isIdle()) {
      renewer.rest();
      onEnd(stillThere);
    }
  };
  const clock = setInterval(tick, tickMs);
  addEventListener('pagehide', () => renewer.leave(), { signal: until });
  addEventListener('online', () => renewer.renewNow(), { signal: until });
  until.addEventListener('abort', () => {
    clearInterval(clock);
    line.close();
    renewer.stop();
  });
  if (attention.isVisible()) line.open();
  return {
    see,
    retry: renewer.renewNow,
    setPlaying(isPlaying) {
      see();
      attention.hold(isPlaying);
    },
    notePlayed(n, second) {
      if (holding.isShown()) viewTime.play(items[n]?.mediaId ?? '', second);
    },
  };
}

/** The picture that is open now, where one is. */
const lookingAtOf = (items: Opened['items'], { item = -1 }: VisitState): { lookingAt?: string } => {
  const lookingAt = items[item]?.mediaId;
  return lookingAt === undefined ? {} : { lookingAt };
};

/** What may not be seen any more is closed before the server is asked why. */
function takeNews(kind: string, pictures: KeepingParts['pictures'], renewer: LeaseRenewer): void {
  if (closing.test(kind)) {
    pictures.blank();
    renewer.renewAfterEnd();
  } else if (!harmless.test(kind)) renewer.renewNow();
}

/** The right to look goes on, perhaps for less than before. */
function takeRenewed(
  app: ViewerApp,
  opened: Opened,
  { state, pictures }: Pick<KeepingParts, 'state' | 'pictures'>,
  { expiresInMs, endsInMs, gone = [] }: Renewed,
): void {
  app.drawer.post({ do: 'extend', forMs: expiresInMs });
  dropGone(app, opened, state, gone);
  state.set({ isOffline: false, ...endsIn(endsInMs, state.get().endsAt) });
  pictures.show();
}

/** What was deleted or taken out of its album is on no screen any more. */
function dropGone(app: ViewerApp, opened: Opened, state: KeepingParts['state'], mediaIds: readonly string[]): void {
  const { gone: before } = state.get();
  const numbers = mediaIds.map((id) => opened.items.findIndex(({ mediaId }) => mediaId === id));
  const gone = new Set([...before, ...numbers.filter((n) => n >= 0)]);
  if (gone.size === before.size) return;
  for (const n of gone) {
    const item = opened.items[n];
    for (const rendition of item === undefined ? [] : [fullOf(item), smallOf(item)])
      app.drawer.post({ do: 'free', picture: `${item?.mediaId}/${rendition}` });
  }
  removeItems(app, opened, gone);
  state.set({ gone });
}

function endsIn(ms: number | undefined, known: number | undefined): { endsAt?: number } {
  const endsAt = endsAtOf(ms, performance.now(), known);
  return endsAt === undefined ? {} : { endsAt };
}
