import { askVideoKeys, createVideoKeys } from './video-keys.ts';
import { newVideoElement, newVideoStream } from './video-stream.ts';

export interface OwnVideoPlace {
  /** Its playlist, and where its keys are lent. */
  listUrl: string;
  keysUrl: string;
  /** Where the poster is. */
  host: HTMLElement;
  /** What a screen reader calls it. */
  label: string;
  /** Its first picture is there. */
  onPlaying(): void;
  /** It cannot be played; what was shown is gone. */
  onFailed(): void;
}

/** Plays a creator's own video over its poster, by the buttons of the browser. @returns takes picture, sound and keys away */
export function playOwnVideo({ listUrl, keysUrl, host, label, onPlaying, onFailed }: OwnVideoPlace): () => void {
  const over = new AbortController();
  const video = newVideoElement();
  video.controls = true;
  video.setAttribute('controlslist', 'nodownload noremoteplayback');
  video.setAttribute('aria-label', label);
  video.addEventListener('contextmenu', (event) => event.preventDefault());
  askToClose(host, over.signal);
  const keys = createVideoKeys<'gone'>({
    ask: (tracks) => askVideoKeys(keysUrl, { tracks }, { until: over.signal, readNo }),
    now: () => performance.now(),
    wait: (ms) => new Promise((go) => setTimeout(go, ms)),
    onOver: () => fail(),
  });
  const hls = newVideoStream({
    keys,
    playhead: () => Math.floor(video.currentTime),
    until: over.signal,
    onFailed: () => fail(),
  });
  const stop = () => {
    if (over.signal.aborted) return;
    over.abort();
    keys.close();
    hls.destroy();
    video.remove();
  };
  const fail = () => {
    stop();
    onFailed();
  };
  const begin = () => {
    // The button that was tapped goes; whoever uses keys goes on here.
    if (host.contains(document.activeElement)) video.focus({ preventScroll: true });
    onPlaying();
  };
  video.addEventListener('playing', begin, { signal: over.signal, once: true });
  hls.loadSource(listUrl);
  hls.attachMedia(video);
  hls.startLoad(0);
  host.append(video);
  // Refused when the tap is too long ago: it stays paused, and the browser's own button plays it.
  video.play().catch(() => {
    if (!over.signal.aborted) begin();
  });
  return stop;
}

/** What TypeScript's library of the browser does not know yet. */
type Watching = { CloseWatcher?: new (options: { signal: AbortSignal }) => EventTarget };

/** The browser's own buttons keep "Escape" to themselves. Where it tells that somebody wants to go back, what is around the video hears it. */
function askToClose(host: HTMLElement, signal: AbortSignal): void {
  const { CloseWatcher } = globalThis as Watching;
  if (CloseWatcher === undefined) return;
  new CloseWatcher({ signal }).addEventListener('close', () =>
    host.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true })),
  );
}

const readNo = () => 'gone' as const;
