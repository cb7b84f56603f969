import Hls, {
  type FragmentLoaderContext,
  type HlsConfig,
  type Loader,
  type LoaderCallbacks,
  type LoaderConfiguration,
  type LoaderContext,
  type LoaderStats,
} from 'hls.js';
import type { VideoTrack } from '../contract.ts';
import { placeOf, type VideoKeys } from './video-keys.ts';

const BaseLoader = Hls.DefaultConfig.loader;

/** The segment that a context is about; the clear beginning has no number, and is wanted for what is watched now. */
const numberOf = (context: LoaderContext, track: VideoTrack, playhead: () => number): number => {
  const sn = (context as Partial<FragmentLoaderContext>).frag?.sn;
  return typeof sn === 'number' ? sn : placeOf(track, playhead());
};

/** Of which rendition a playlist, and so a fragment of it, is. */
const trackOf = (context: LoaderContext): VideoTrack | undefined =>
  /\/(v720|v480|audio)\.m3u8/.exec((context as Partial<FragmentLoaderContext>).frag?.baseurl ?? '')?.[1] as
    | VideoTrack
    | undefined;

/** A playlist that was asked for ahead, and when; times as `performance.now()` tells them. */
interface ListAhead {
  text: string;
  loading: { start: number; first: number; end: number };
}

/** Playlists that were asked for ahead, by their address; each is given out once. */
export type ListsAhead = Map<string, Promise<ListAhead>>;

/** Asks for playlists, so that a tap has not to wait for them. One that does not come is asked for again by whoever needs it. */
export function askForLists(urls: readonly string[], lists: ListsAhead, signal: AbortSignal): void {
  const ask = async (url: string): Promise<ListAhead> => {
    const start = performance.now();
    const answer = await fetch(url, { signal });
    const first = performance.now();
    if (!answer.ok) throw new Error(`${answer.status}`);
    return { text: await answer.text(), loading: { start, first, end: performance.now() } };
  };
  for (const url of urls) {
    const list = ask(url);
    list.catch(() => undefined);
    lists.set(url, list);
  }
}

const after = (ms: number) => new Promise<undefined>((go) => setTimeout(go, ms));

/** Hands over what lay in memory; its times stand in `stats`. */
function give(
  answer: { url: string; data: string | ArrayBuffer },
  stats: LoaderStats,
  context: LoaderContext,
  { onSuccess }: LoaderCallbacks<LoaderContext>,
): void {
  const { data } = answer;
  stats.loaded = stats.total = typeof data === 'string' ? data.length : data.byteLength;
  onSuccess({ ...answer, code: 200 }, stats, context, null);
}

/** What hls.js wants loaded, and whom to tell. */
interface SegmentRequest {
  context: LoaderContext;
  config: LoaderConfiguration;
  callbacks: LoaderCallbacks<LoaderContext>;
}

/**
 * How hls.js loads: keys come out of the leases in memory, bytes bring the token of theirs along, and playlists are asked for
 * as they are, unless they were ahead.
 * @param playhead second from which the video is watched
 */
export function videoLoader(keys: VideoKeys, playhead: () => number, lists: ListsAhead): HlsConfig['loader'] {
  return class VideoLoader extends BaseLoader implements Loader<LoaderContext> {
    private over = new AbortController();

    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      // Who aborts while a key or a token is awaited has to hear of it: else that key is waited for ever after.
      const params: SegmentRequest = { context, config, callbacks };
      Object.assign(this, params);
      const [, track, n] = /^pfkey:(\w+)\/(\d+)$/.exec(context.url) ?? [];
      const fail = () => {
        if (!this.over.signal.aborted)
          callbacks.onError({ code: 0, text: 'nothing to give' }, context, null, this.stats);
      };
      if (track !== undefined) void this.giveKey(track as VideoTrack, Number(n), params).catch(fail);
      else if (context.url.includes('/m/s/')) void this.loadBytes(params).catch(fail);
      else void this.loadList(params).catch(fail);
    }

    private async loadList({ context, config, callbacks }: SegmentRequest): Promise<void> {
      const ahead = lists.get(context.url)?.catch(() => undefined);
      lists.delete(context.url);
      // On a line that has died it would be waited for without an end.
      const list = await Promise.race([ahead, ahead && after(config.loadPolicy.maxTimeToFirstByteMs)]);
      if (this.over.signal.aborted) return;
      if (list === undefined) return super.load(context, config, callbacks);
      Object.assign(this.stats.loading, list.loading);
      give({ url: context.url, data: list.text }, this.stats, context, callbacks);
    }

    private async giveKey(track: VideoTrack, n: number, { context, callbacks }: SegmentRequest): Promise<void> {
      this.stats.loading.start = this.stats.loading.first = performance.now();
      const key = await keys.keyOf(track, n, this.over.signal);
      if (!this.over.signal.aborted)
        give({ url: context.url, data: key.slice().buffer }, this.stats, context, callbacks);
    }

    private async loadBytes({ context, config, callbacks }: SegmentRequest): Promise<void> {
      const track = trackOf(context) ?? 'audio';
      const token = await keys.tokenOf(track, numberOf(context, track, playhead), this.over.signal);
      if (!this.over.signal.aborted) super.load({ ...context, headers: { 'PF-Lease': token } }, config, callbacks);
    }

    override abort(): void {
      this.over.abort();
      if (this.context !== null) this.stats.aborted = true; // not taken down yet
      super.abort();
    }

    override destroy(): void {
      this.over.abort();
      super.destroy();
    }
  };
}
