import { askVideoKeys, createVideoKeys, type VideoKeys } from '#features/media/browser/video-keys.ts';
import { newVideoElement, newVideoStream } from '#features/media/browser/video-stream.ts';
import { mixMark, type Pen } from '#features/media/browser/visible-mark.ts';
import type { Opened, Refusal, ViewItem } from '../../contract.ts';
import { type Watched, watched } from '../session/observable.ts';
import type { Visit } from '../viewer-app.ts';
import { type Jumps, paceJumps } from './video-jumps.ts';

/** What the controls show of a video. Times are seconds. */
export interface VideoState {
  phase: 'poster' | 'playing' | 'paused' | 'ended' | 'failed';
  /** It should play and has nothing to show: bytes are awaited. */
  isWaiting: boolean;
  at: number;
  length: number;
  isMuted: boolean;
  volume: number;
  speed: number;
}

/** A video that is open: its own element over the poster, fed piece by piece. */
export interface Video {
  state: Watched<VideoState>;
  play(): void;
  pause(): void;
  toggle(): void;
  seek(second: number): void;
  setMuted(isMuted: boolean): void;
  setVolume(volume: number): void;
  setSpeed(speed: number): void;
  /** Takes picture, sound and keys away. */
  close(): void;
}

export interface VideoParts {
  visit: Visit;
  item: ViewItem;
  /** Where the poster is. */
  host: HTMLElement;
  /** Goes on from here. */
  from: number;
}

const mostUnsaidSeconds = 3;
/** As loud as sound is that is put on after its line went to nothing. */
const soundAgain = 0.5;

/** Prepares a video without asking for a byte or a key of it: the lists of its rungs and of its seconds are fetched, no more. */
export function openVideo({ visit, item, host, from }: VideoParts): Video {
  const over = new AbortController();
  const state = watched(posterOf(item, from));
  const video = newVideo();
  const cover = newCover(item, visit.opened.mark);
  const keys = keysOf(visit, item, over.signal, () => fail());
  const playhead = () => Math.floor(state.get().at);
  const hls = newVideoStream({ keys, playhead, until: over.signal, onFailed: () => fail() });
  const fail = () => {
    stop();
    state.set({ phase: 'failed', isWaiting: false });
  };
  const stop = () => {
    if (over.signal.aborted) return;
    over.abort();
    visit.setPlaying(false);
    jumps.stop();
    keys.close();
    hls.destroy();
    video.remove();
    cover.remove();
  };
  const jumps = paceJumps((second) => {
    video.currentTime = second;
  });
  listen(video, state, { visit, item, jumps, until: over.signal });
  hls.loadSource(placesOf(visit, item).list);
  hls.attachMedia(video);
  host.append(video, cover);
  let hasBegun = false;
  const play = () => {
    if (over.signal.aborted) return;
    if (!hasBegun) hls.startLoad(state.get().at);
    hasBegun = true;
    if (state.get().phase === 'ended') video.currentTime = 0;
    state.set({ phase: 'playing', isWaiting: video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA });
    // Refused when the tap is too long ago: it stays paused, and can be tapped again.
    video.play().catch(() => {
      if (!over.signal.aborted && video.paused) state.set({ phase: 'paused', isWaiting: false });
    });
  };
  return {
    state,
    play,
    pause: () => video.pause(),
    toggle: () => (state.get().phase === 'playing' ? video.pause() : play()),
    seek(second) {
      const at = Math.min(Math.max(0, second), Math.max(0, state.get().length - 0.05));
      state.set({ at });
      if (hasBegun) jumps.to(at);
    },
    ...soundOf(video, () => state.set(soundStateOf(video))),
    setSpeed(speed) {
      video.playbackRate = speed;
      video.defaultPlaybackRate = speed;
    },
    close: stop,
  };
}

/** Before it is played for the first time. */
const posterOf = ({ durationMs }: ViewItem, from: number): VideoState => ({
  phase: 'poster',
  isWaiting: false,
  at: from,
  length: (durationMs ?? 0) / 1000,
  isMuted: false,
  volume: 1,
  speed: 1,
});

const soundStateOf = ({ muted, volume }: HTMLVideoElement): Pick<VideoState, 'isMuted' | 'volume'> => ({
  isMuted: muted,
  volume,
});

/** @param onChange at once: a key that comes before the element's own news goes on from what was set */
const soundOf = (video: HTMLVideoElement, onChange: () => void): Pick<Video, 'setMuted' | 'setVolume'> => ({
  setMuted(isMuted) {
    // Sound that is put on is heard, also after its line went to nothing.
    if (!isMuted && video.volume === 0) video.volume = soundAgain;
    video.muted = isMuted;
    onChange();
  },
  setVolume(volume) {
    video.volume = Math.min(1, Math.max(0, volume));
    video.muted = video.volume === 0;
    onChange();
  },
});

/** Is told by our own buttons. */
function newVideo(): HTMLVideoElement {
  const video = newVideoElement();
  video.className = 'video';
  video.setAttribute('aria-hidden', 'true'); // the slide has the name, the buttons tell the rest
  video.tabIndex = -1;
  return video;
}

const longestCoverPx = 1280;

/** The visible mark over the moving picture, as large as on the poster under it. */
function newCover({ width, height }: ViewItem, mark: Opened['mark']): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'cover';
  const shrink = Math.min(1, longestCoverPx / Math.max(width, height));
  canvas.width = Math.round(width * shrink);
  canvas.height = Math.round(height * shrink);
  const pen = canvas.getContext('2d') as Pen | null;
  const paint = pen === null ? undefined : mixMark(pen, canvas, mark);
  if (pen !== null && paint !== undefined) {
    pen.fillStyle = paint;
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** Why no keys come any more: access has ended, or the link does not show this video any more. */
type No = Refusal | 'gone';

/** Where a video is lent: to a viewer by their visit, to a creator who previews as in the studio. */
function placesOf({ opened: { visitId, isPreview } }: Visit, { mediaId }: ViewItem) {
  return isPreview
    ? { list: `/api/media/${mediaId}/video/main.m3u8`, keys: `/api/v1/media/${mediaId}/video-keys` }
    : { list: `/api/view/videos/${visitId}/${mediaId}/main.m3u8`, keys: '/api/v1/view/video-keys' };
}

const readNo = (status: number, data: Partial<Refusal> | undefined): No =>
  status === 410 && data?.title !== undefined ? (data as Refusal) : 'gone';

function keysOf(visit: Visit, item: ViewItem, until: AbortSignal, onGone: () => void): VideoKeys {
  const { visitId } = visit.opened;
  const { mediaId } = item;
  const { keys } = placesOf(visit, item);
  return createVideoKeys<No>({
    ask: (tracks) => askVideoKeys(keys, { visitId, mediaId, tracks }, { until, readNo }),
    now: () => performance.now(),
    wait: (ms) => new Promise((go) => setTimeout(go, ms)),
    onOver: (no) => (no === 'gone' ? onGone() : visit.end(no)),
  });
}

function listen(
  video: HTMLVideoElement,
  state: Watched<VideoState>,
  { visit, item, jumps, until }: Pick<VideoParts, 'visit' | 'item'> & { jumps: Jumps; until: AbortSignal },
): void {
  const on = (kind: keyof HTMLMediaElementEventMap, take: () => void) =>
    video.addEventListener(kind, take, { signal: until });
  let last = -1;
  /** A busy browser says it seldom; what lies between two words was played as well, unless somebody jumped. */
  const noteUntil = (now: number) => {
    const from = now > last && now - last <= mostUnsaidSeconds ? last + 1 : now;
    for (let second = from; second <= now; second++) visit.notePlayed(item.n, second);
  };
  on('playing', () => {
    video.dataset.painted = '';
    performance.mark('video-playing');
    visit.setPlaying(true);
    state.set({ phase: 'playing', isWaiting: false });
  });
  on('pause', () => {
    visit.setPlaying(false);
    if (!video.ended) state.set({ phase: 'paused', isWaiting: false });
  });
  on('ended', () => {
    // Paused by now, so no word of time told its last moments: of a video of a tenth of a second that is all.
    if (state.get().phase === 'playing') noteUntil(Math.floor(video.currentTime));
    visit.setPlaying(false);
    state.set({ phase: 'ended', isWaiting: false, at: state.get().length });
  });
  on('waiting', () => {
    performance.mark('video-waiting');
    visit.setPlaying(false);
    state.set({ isWaiting: true });
  });
  on('seeked', () => {
    last = Math.floor(video.currentTime) - 1;
  });
  on('timeupdate', () => {
    if (video.seeking || jumps.isDue()) return;
    const now = Math.floor(video.currentTime);
    state.set({ at: video.currentTime });
    if (!video.paused) noteUntil(now);
    if (!video.ended) last = now;
  });
  on('durationchange', () => {
    // A browser counts the last moments of sound behind the picture: the gallery would say another length.
    if (item.durationMs === undefined && Number.isFinite(video.duration)) state.set({ length: video.duration });
  });
  on('volumechange', () => state.set(soundStateOf(video)));
  on('ratechange', () => state.set({ speed: video.playbackRate }));
  // Nobody looks at a page that is behind another; the creator may want that nobody looks over a shoulder either.
  const pauseBehind = () => {
    const isBehind = document.visibilityState !== 'visible';
    if (isBehind || (visit.opened.blurWhenUnfocused && !document.hasFocus())) video.pause();
  };
  document.addEventListener('visibilitychange', pauseBehind, { signal: until });
  addEventListener('blur', pauseBehind, { signal: until });
}
