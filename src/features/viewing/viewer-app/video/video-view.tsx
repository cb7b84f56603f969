import { LoaderCircle, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { canPlayVideos } from '#features/media/browser/video-support.ts';
import type { ViewItem } from '../../contract.ts';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import type { Video, VideoState } from './video-player.ts';

/** What a key does to the video; undefined leaves it to the picture. */
export type VideoKeyboard = (event: { key: string; target: EventTarget | null }) => (() => void) | undefined;

interface VideoStandProps {
  app: ViewerApp;
  visit: Visit;
  item: ViewItem;
  n: number;
  /** The dialog, where the slide and what goes to the full screen are. */
  dialog: RefObject<HTMLDialogElement | null>;
  keyboard: RefObject<VideoKeyboard | undefined>;
  /** What stands around the picture has to stay. */
  onHeld(isHeld: boolean): void;
}

type Parts = Awaited<ReturnType<ViewerApp['loadVideo']>>;

/** An open video: its poster first; what plays it is fetched now at the latest, its bytes with the first tap. */
export function VideoStand(props: VideoStandProps) {
  const [canPlay] = useState(() => canPlayVideos(globalThis as never));
  if (!canPlay)
    return (
      <p className="video-word" role="status">
        Please update your browser to play videos.
      </p>
    );
  return <PlayableVideo {...props} />;
}

function PlayableVideo({ app, visit, item, n, dialog, keyboard, onHeld }: VideoStandProps) {
  const parts = useParts(app);
  const [video, state, request] = useVideo(parts, { visit, item, dialog });
  const fullscreen = useFullscreen(dialog);
  const { phase, isWaiting } = state;
  // The button goes with its tap, and what has the focus then would hear no key any more.
  const start = () => {
    request();
    dialog.current?.querySelector<HTMLElement>('.stage')?.focus();
  };
  useEffect(() => {
    onHeld(phase !== 'playing' || isWaiting);
    return () => onHeld(false);
  }, [phase, isWaiting, onHeld]);
  keyboard.current = (event) => video && actionOf(event, { video, request, toggleFull: fullscreen?.toggle });
  useEffect(
    () => () => {
      keyboard.current = undefined;
    },
    [keyboard],
  );
  return (
    <>
      {isWaiting && (
        <span className="video-wait" role="status">
          <LoaderCircle aria-hidden="true" />
          <span className="unseen">Loading…</span>
        </span>
      )}
      {(phase === 'poster' || phase === 'failed') && !isWaiting && (
        <button type="button" className="video-start" aria-label="Play video" onClick={start}>
          <Play aria-hidden="true" />
        </button>
      )}
      {phase === 'failed' && (
        <p className="video-word" role="alert">
          This video couldn't be played. Please try again.
        </p>
      )}
      {video !== undefined && parts !== undefined && (
        <parts.VideoControls video={video} visit={visit} item={item} n={n} fullscreen={fullscreen} />
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
      void app.loadVideo().then(
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

const closedVideo: VideoState = {
  phase: 'poster',
  isWaiting: false,
  at: 0,
  length: 0,
  isMuted: false,
  volume: 1,
  speed: 1,
};

/**
 * The video of a slide: open while there are keys for it. When they run out it is taken away and set up again with the next
 * ones, at the same second.
 * @returns the video, what it shows, and what a tap on "play" does: a tap before everything is there is remembered
 */
function useVideo(
  parts: Parts | undefined,
  { visit, item, dialog }: Pick<VideoStandProps, 'visit' | 'item' | 'dialog'>,
): [Video | undefined, VideoState, () => void] {
  const { isBlank } = useSyncExternalStore(visit.subscribe, visit.state);
  const [video, setVideo] = useState<Video>();
  const [round, setRound] = useState(0);
  const [isRequested, setRequested] = useState(false);
  const at = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round sets up a video that failed
  useEffect(() => {
    const host = dialog.current?.querySelector<HTMLElement>('[data-current] .zoom');
    if (parts === undefined || isBlank || host === null || host === undefined) return undefined;
    const opened = parts.openVideo({ visit, item, host, from: at.current });
    setVideo(opened);
    return () => {
      at.current = opened.state.get().at;
      opened.close();
      setVideo(undefined);
    };
  }, [parts, isBlank, visit, item, dialog, round]);
  useEffect(() => {
    // One that failed is on its way out; the next round's is meant.
    if (video === undefined || !isRequested || video.state.get().phase === 'failed') return;
    setRequested(false);
    video.play();
  }, [video, isRequested]);
  const state = useSyncExternalStore(video?.state.subscribe ?? noSubscription, video?.state.get ?? (() => closedVideo));
  const request = () => {
    if (video !== undefined && state.phase !== 'failed') return video.play();
    if (state.phase === 'failed') setRound(round + 1);
    setRequested(true);
  };
  return [video, isRequested ? { ...state, isWaiting: true } : state, request];
}

const noSubscription = () => () => undefined;

const stepSeconds = 5;
const volumeStep = 0.1;

/** What a key means while a video is open. A field of its own keeps its arrows, a button its space bar. */
function actionOf(
  { key, target }: { key: string; target: EventTarget | null },
  { video, request, toggleFull }: { video: Video; request: () => void; toggleFull: (() => void) | undefined },
): (() => void) | undefined {
  const { phase, at, volume, isMuted } = video.state.get();
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  const isButton = target instanceof HTMLButtonElement || target instanceof HTMLSelectElement;
  if (key === 'k' || (key === ' ' && !isButton)) return phase === 'failed' ? request : video.toggle;
  if (key === 'm') return () => video.setMuted(!isMuted);
  if (key === 'f') return toggleFull;
  if (isField || phase === 'poster' || phase === 'failed') return undefined;
  if (key === 'ArrowRight') return () => video.seek(at + stepSeconds);
  if (key === 'ArrowLeft') return () => video.seek(at - stepSeconds);
  if (key === 'ArrowUp') return () => video.setVolume(volume + volumeStep);
  if (key === 'ArrowDown') return () => video.setVolume(volume - volumeStep);
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
