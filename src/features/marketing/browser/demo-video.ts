/** How long the landing page stands before it begins to load its video. */
const waitMs = 1000;
/** After this long a frame that says nothing is taken for one that does not come. */
const frameMs = 15_000;

/** What a facade says of its video, as `demo-video.tsx` writes it. */
interface Facade {
  kind: string | undefined;
  src: string | undefined;
  /** Of our own video, whether it is the one or stands in for it. */
  poster: string | undefined;
  /** Our own video, for when somebody else's does not come. */
  fallback: string | undefined;
}

const within = (facade: HTMLElement, part: string) => facade.querySelector<HTMLElement>(`[data-${part}]`);

function say(facade: HTMLElement, text: string): void {
  const words = within(facade, 'words');
  if (words) words.textContent = text;
}

/**
 * Brings the video of a facade: a file of our own after a second, somebody else's page at the click, or after a second where the
 * visitor has agreed to such things.
 * @returns takes back what has not happened yet
 */
export function wakeVideo(facade: HTMLElement, mayFrame: boolean): () => void {
  const { kind, src, poster, fallback } = facade.dataset as unknown as Facade;
  const play = within(facade, 'play');
  let isBegun = false;
  const begin = (isAsked: boolean) => {
    if (isBegun || src === undefined) return;
    isBegun = true;
    facade.dataset.state = 'loading';
    say(facade, 'Loading Video...');
    if (kind === 'embed') loadFrame(facade, src, { fallback, poster });
    else loadFile(facade, src, { poster, isAsked });
  };
  const click = () => begin(true);
  play?.addEventListener('click', click);
  const timer = kind === 'file' || mayFrame ? setTimeout(() => begin(false), waitMs) : undefined;
  return () => {
    clearTimeout(timer);
    play?.removeEventListener('click', click);
  };
}

/** Says so where neither the video nor what stands in for it has come. */
function fail(facade: HTMLElement): void {
  facade.dataset.state = 'failed';
  say(facade, "The video couldn't be loaded.");
}

function loadFile(
  facade: HTMLElement,
  src: string,
  { poster, isAsked }: { poster: string | undefined; isAsked: boolean },
): void {
  const video = document.createElement('video');
  // A browser that may only learn how long it is fetches nearly all of it: nothing comes before it is played.
  Object.assign(video, { controls: true, playsInline: true, preload: 'none', src, width: 854, height: 480 });
  if (poster !== undefined) video.poster = poster;
  video.className = 'absolute inset-0 size-full bg-ink object-cover';
  video.setAttribute('aria-label', 'Demo video');
  const gone = () => {
    video.remove();
    fail(facade);
  };
  video.addEventListener('error', gone);
  facade.prepend(video);
  void fetch(src, { method: 'HEAD' }).then(({ ok }) => {
    if (!ok) return gone();
    facade.dataset.state = 'ready';
    if (isAsked) void video.play().catch(() => undefined);
  }, gone);
}

function loadFrame(
  facade: HTMLElement,
  src: string,
  { fallback, poster }: { fallback: string | undefined; poster: string | undefined },
): void {
  const frame = document.createElement('iframe');
  Object.assign(frame, { src, title: 'Demo video', width: '854', height: '480', allowFullscreen: true });
  frame.allow = 'fullscreen; picture-in-picture; encrypted-media';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.className = 'absolute inset-0 size-full border-0 bg-ink';
  const gone = () => {
    if (!frame.isConnected) return;
    frame.remove();
    facade.dataset.state = 'loading';
    if (fallback === undefined) fail(facade);
    else loadFile(facade, fallback, { poster, isAsked: false });
  };
  const late = setTimeout(gone, frameMs);
  frame.addEventListener('load', () => {
    clearTimeout(late);
    if (frame.isConnected) facade.dataset.state = 'ready';
  });
  facade.prepend(frame);
  // A frame says "load" of the browser's own error page, too: whether anybody answers there is asked beside it.
  void fetch(src, { mode: 'no-cors', credentials: 'omit' }).catch(gone);
}
