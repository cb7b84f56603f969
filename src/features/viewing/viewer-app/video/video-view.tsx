import { LoaderCircle, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { canPlayFilms } from '#features/media/browser/video-support.ts';
import type { ViewItem } from '../../contract.ts';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import type { Film, FilmState } from './video-player.ts';

/** What a key does to the film; undefined leaves it to the picture. */
export type FilmKeyboard = (event: { key: string; target: EventTarget | null }) => (() => void) | undefined;

interface FilmStandProps {
  app: ViewerApp;
  visit: Visit;
  item: ViewItem;
  n: number;
  /** The dialog, where the slide and what goes to the full screen are. */
  dialog: RefObject<HTMLDialogElement | null>;
  keyboard: RefObject<FilmKeyboard | undefined>;
  /** What stands around the picture has to stay. */
  onHeld(isHeld: boolean): void;
}

type Parts = Awaited<ReturnType<ViewerApp['loadFilm']>>;

/** An open film: its poster first; what plays it is fetched now at the latest, its bytes with the first tap. */
export function FilmStand(props: FilmStandProps) {
  const [canPlay] = useState(() => canPlayFilms(globalThis as never));
  if (!canPlay)
    return (
      <p className="film-word" role="status">
        Please update your browser to play videos.
      </p>
    );
  return <PlayableFilm {...props} />;
}

function PlayableFilm({ app, visit, item, n, dialog, keyboard, onHeld }: FilmStandProps) {
  const parts = useParts(app);
  const [film, state, wish] = useFilm(parts, { visit, item, dialog });
  const fullscreen = useFullscreen(dialog);
  const { phase, isWaiting } = state;
  // The button goes with its tap, and what has the focus then would hear no key any more.
  const start = () => {
    wish();
    dialog.current?.querySelector<HTMLElement>('.stage')?.focus();
  };
  useEffect(() => {
    onHeld(phase !== 'playing' || isWaiting);
    return () => onHeld(false);
  }, [phase, isWaiting, onHeld]);
  keyboard.current = (event) => film && actionOf(event, { film, wish, toggleFull: fullscreen?.toggle });
  useEffect(
    () => () => {
      keyboard.current = undefined;
    },
    [keyboard],
  );
  return (
    <>
      {isWaiting && (
        <span className="film-wait" role="status">
          <LoaderCircle aria-hidden="true" />
          <span className="unseen">Loading…</span>
        </span>
      )}
      {(phase === 'poster' || phase === 'failed') && !isWaiting && (
        <button type="button" className="film-start" aria-label="Play video" onClick={start}>
          <Play aria-hidden="true" />
        </button>
      )}
      {phase === 'failed' && (
        <p className="film-word" role="alert">
          The video could not be played. Please try again.
        </p>
      )}
      {film !== undefined && parts !== undefined && (
        <parts.FilmControls film={film} visit={visit} item={item} n={n} fullscreen={fullscreen} />
      )}
    </>
  );
}

function useParts(app: ViewerApp): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () =>
      void app.loadFilm().then(
        (loaded) => isOver || setParts(loaded),
        () => {
          if (!isOver) timer = setTimeout(load, retryMs); // the line: it may come a little later
        },
      );
    load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [app]);
  return parts;
}

const retryMs = 3000;

const closedFilm: FilmState = {
  phase: 'poster',
  isWaiting: false,
  at: 0,
  length: 0,
  isMuted: false,
  volume: 1,
  speed: 1,
};

/**
 * The film of a slide: open while there are keys for it. When they run out it is taken away and set up anew with the next
 * ones, at the same second.
 * @returns the film, what it shows, and what a tap on "play" does: a tap before everything is there is remembered
 */
function useFilm(
  parts: Parts | undefined,
  { visit, item, dialog }: Pick<FilmStandProps, 'visit' | 'item' | 'dialog'>,
): [Film | undefined, FilmState, () => void] {
  const { isBlank } = useSyncExternalStore(visit.subscribe, visit.state);
  const [film, setFilm] = useState<Film>();
  const [round, setRound] = useState(0);
  const [isWished, setWished] = useState(false);
  const at = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round sets up a film that failed
  useEffect(() => {
    const host = dialog.current?.querySelector<HTMLElement>('[data-current] .zoom');
    if (parts === undefined || isBlank || host === null || host === undefined) return undefined;
    const opened = parts.openFilm({ visit, item, host, from: at.current });
    setFilm(opened);
    return () => {
      at.current = opened.state.get().at;
      opened.close();
      setFilm(undefined);
    };
  }, [parts, isBlank, visit, item, dialog, round]);
  useEffect(() => {
    // One that failed is on its way out; the next round's is meant.
    if (film === undefined || !isWished || film.state.get().phase === 'failed') return;
    setWished(false);
    film.play();
  }, [film, isWished]);
  const state = useSyncExternalStore(film?.state.subscribe ?? noSubscription, film?.state.get ?? (() => closedFilm));
  const wish = () => {
    if (film !== undefined && state.phase !== 'failed') return film.play();
    if (state.phase === 'failed') setRound(round + 1);
    setWished(true);
  };
  return [film, isWished ? { ...state, isWaiting: true } : state, wish];
}

const noSubscription = () => () => undefined;

const stepSeconds = 5;
const volumeStep = 0.1;

/** What a key means while a film is open. A field of its own keeps its arrows, a button its space bar. */
function actionOf(
  { key, target }: { key: string; target: EventTarget | null },
  { film, wish, toggleFull }: { film: Film; wish: () => void; toggleFull: (() => void) | undefined },
): (() => void) | undefined {
  const { phase, at, volume, isMuted } = film.state.get();
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  const isButton = target instanceof HTMLButtonElement || target instanceof HTMLSelectElement;
  if (key === 'k' || (key === ' ' && !isButton)) return phase === 'failed' ? wish : film.toggle;
  if (key === 'm') return () => film.setMuted(!isMuted);
  if (key === 'f') return toggleFull;
  if (isField || phase === 'poster' || phase === 'failed') return undefined;
  if (key === 'ArrowRight') return () => film.seek(at + stepSeconds);
  if (key === 'ArrowLeft') return () => film.seek(at - stepSeconds);
  if (key === 'ArrowUp') return () => film.setVolume(volume + volumeStep);
  if (key === 'ArrowDown') return () => film.setVolume(volume - volumeStep);
  return undefined;
}

/** The picture and what stands around it fill the screen; a dialog itself may not, so it is what the dialog holds. */
function useFullscreen(dialog: RefObject<HTMLDialogElement | null>): { isOn: boolean; toggle(): void } | undefined {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const look = () => setOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', look);
    return () => {
      document.removeEventListener('fullscreenchange', look);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  if (!document.fullscreenEnabled) return undefined;
  const toggle = () => {
    // Asked of the page itself: what is drawn may be a moment behind it, and a key pressed twice would ask for the same twice.
    const isFull = document.fullscreenElement !== null;
    const change = isFull ? document.exitFullscreen() : dialog.current?.querySelector('.screen')?.requestFullscreen();
    change?.catch(() => undefined); // the browser says no: the picture stays as it is
  };
  return { isOn, toggle };
}
