import type { DrawReport } from '#features/media/salon/drawer.ts';
import type { Opened, Refusal } from '../contract.ts';
import { idleAfterMs, watchAttention } from './attention.ts';
import { deter } from './deterrence.ts';
import { createKeeper } from './keeper.ts';
import { createLiveLine } from './live-line.ts';
import { createPictures } from './pictures.ts';
import { refusalFrom, renew } from './renewal.ts';
import type { Salon } from './salon.ts';
import { createTally } from './tally.ts';
import { type VisitState, watched } from './visit-state.ts';

/** A visit that is under way: it keeps itself alive, counts what is looked at, and closes when it must. */
export interface Visit {
  opened: Opened;
  state(): VisitState;
  subscribe(listener: () => void): () => void;
  /** Opens a picture, or goes on to it; undefined closes it. */
  turnTo(item: number | undefined): void;
  /** Puts up the canvas of a full picture, to be drawn on. */
  lendFull(n: number, canvas: HTMLCanvasElement): void;
  freeFull(n: number): void;
  /** Hears what becomes of the pictures. */
  hear(listener: (report: DrawReport) => void): () => void;
  /** "Still there?" – yes. Also tries the line again. */
  goOn(): void;
}

const tickMs = 1000;
const cannotDraw = { message: 'The pictures could not be drawn. Please reload this page.' };

/** Starts to look after a visit whose gallery stands. */
export function startVisit(salon: Salon, opened: Opened): Visit {
  const over = new AbortController();
  const until = over.signal;
  const state = watched<VisitState>({ phase: 'open', isOffline: false, ...endsIn(opened.endsInMs) });
  const hearers = new Set<(report: DrawReport) => void>();
  const pictures = createPictures(salon, opened, until, {
    onRefused: (refusal) => end(refusal),
    onBroken: () => keeping.renewNow(),
  });
  const keeping = keepVisit(salon, opened, { state, pictures, until, onRefused: (refusal) => end(refusal) });
  const end = (refusal: Refusal) => {
    if (until.aborted) return;
    pictures.blank();
    over.abort();
    state.set({ phase: 'ended', refusal, item: undefined });
  };
  salon.hear((report) => {
    pictures.hear(report);
    if (report.did === 'expired') pictures.blank();
    if (report.did === 'stopped') end(refusalFrom(cannotDraw));
    for (const hearer of hearers) hearer(report);
  });
  deter(until);
  document.documentElement.toggleAttribute('data-guard', opened.blurWhenUnfocused);
  return {
    opened,
    state: state.get,
    subscribe: state.subscribe,
    lendFull: pictures.lendFull,
    freeFull: pictures.freeFull,
    goOn: keeping.goOn,
    hear(listener) {
      hearers.add(listener);
      return () => void hearers.delete(listener);
    },
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
  renewNow(): void;
  goOn(): void;
}

interface KeepingParts {
  state: ReturnType<typeof watched<VisitState>>;
  pictures: ReturnType<typeof createPictures>;
  until: AbortSignal;
  onRefused(refusal: Refusal): void;
}

/** Renewals, the live line, and the clock: what ends a visit and what it is told about. */
function keepVisit(salon: Salon, opened: Opened, { state, pictures, until, onRefused }: KeepingParts): Keeping {
  const { visitId, items, renewAfterMs } = opened;
  const tally = createTally();
  const attention = watchAttention((isVisible) => (isVisible ? comeBack() : goAway()), until);
  const see = () => tally.see(performance.now(), attention.isLooking() ? pictures.visible() : []);
  const keeper = createKeeper({
    visitId,
    renewAfterMs,
    send: renew,
    gather() {
      see();
      const lookingAt = items[state.get().item ?? -1]?.mediaId;
      const idleMs = Math.round(attention.idleMs());
      return { samples: tally.take(), idleMs, ...(lookingAt === undefined ? {} : { lookingAt }) };
    },
    onLost: tally.putBack,
    onRefused,
    onOffline: () => state.set({ isOffline: true }),
    onRenewed({ expiresInMs, endsInMs }) {
      salon.drawer.tell({ do: 'extend', forMs: expiresInMs });
      state.set({ isOffline: false, ...endsIn(endsInMs) });
      if (state.get().phase === 'open') pictures.show();
    },
  });
  const line = createLiveLine(visitId, ({ kind }) => {
    if (kind !== 'refetch') pictures.blank();
    keeper.renewNow();
  });
  const goAway = () => {
    line.close();
    keeper.rest();
  };
  const comeBack = () => {
    if (state.get().phase !== 'open') return;
    line.open();
    keeper.renewNow();
  };
  const tick = () => {
    see();
    const { phase, endsAt } = state.get();
    if (phase !== 'open' || pictures.isBlank()) return;
    if (endsAt !== undefined && performance.now() >= endsAt) {
      pictures.blank();
      keeper.renewNow();
    } else if (attention.isVisible() && attention.idleMs() >= idleAfterMs) {
      goAway();
      pictures.blank();
      state.set({ phase: 'paused' });
    }
  };
  const clock = setInterval(tick, tickMs);
  addEventListener('pagehide', () => keeper.leave(), { signal: until });
  addEventListener('online', () => keeper.renewNow(), { signal: until });
  until.addEventListener('abort', () => {
    clearInterval(clock);
    line.close();
    keeper.stop();
  });
  if (attention.isVisible()) line.open();
  return {
    see,
    renewNow: keeper.renewNow,
    goOn() {
      attention.touch();
      state.set({ phase: 'open' });
      comeBack();
    },
  };
}

/** Durations become moments of the monotonic clock. */
function endsIn(ms: number | undefined): { endsAt?: number } {
  return ms === undefined ? {} : { endsAt: performance.now() + ms };
}
