import Hls from 'hls.js';
import type { VideoKeys } from './video-keys.ts';
import { askForLists, type ListsAhead, videoLoader } from './video-loader.ts';

/** So much is fetched ahead: keys in this browser never reach further than half a minute. */
const aheadSeconds = 20;
const behindSeconds = 30;
const retryMs = 2000;

export interface VideoStreamParts {
  keys: VideoKeys;
  /** Second from which the video is watched. */
  playhead(): number;
  /** Ends everything that is on its way. */
  until: AbortSignal;
  /** It cannot be played. */
  onFailed(): void;
}

/** What feeds a video to its element piece by piece. Nothing but its lists is fetched before `startLoad`. */
export function newVideoStream({ keys, playhead, until, onFailed }: VideoStreamParts): Hls {
  const lists: ListsAhead = new Map();
  const hls = new Hls({
    loader: videoLoader(keys, playhead, lists),
    autoStartLoad: false,
    // Its worker would be a program from a blob, which the page's policy forbids; what it does is little for such files.
    enableWorker: false,
    maxBufferLength: aheadSeconds,
    maxMaxBufferLength: aheadSeconds,
    backBufferLength: behindSeconds,
    capLevelToPlayerSize: true,
    startLevel: 0, // the smallest rung: how quick the line is shows with its first second
  });
  hls.once(Hls.Events.MANIFEST_PARSED, (_event, { levels: [smallest], audioTracks: [sound] }) => {
    const urls = [smallest?.uri, sound?.url].filter((url) => url !== undefined);
    askForLists(urls, lists, until);
  });
  endWhole(hls);
  recover(hls, until, onFailed);
  return hls;
}

/**
 * A video of one segment is said to be whole as soon as picture and sound of it are there. hls.js ends a stream only after its
 * sound was heard, and browsers begin with less than half a second only when the stream has ended.
 */
function endWhole(hls: Hls): void {
  const there = new Set<string>();
  hls.on(Hls.Events.FRAG_BUFFERED, (_event, { frag: { sn, endList, type } }) => {
    if (sn !== 0 || !endList) return;
    there.add(type);
    const buffers = hls.audioTracks.length > 0 ? (['video', 'audio'] as const) : (['video'] as const);
    if (there.size === buffers.length) for (const name of buffers) hls.trigger(Hls.Events.BUFFER_EOS, { type: name });
  });
}

/** A broken line is waited out; a decoder that stumbles is set up again, once. */
function recover(hls: Hls, until: AbortSignal, fail: () => void): void {
  let hasStumbled = false;
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details }) => {
    if (!fatal || until.aborted) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !hasStumbled) {
      hasStumbled = true;
      hls.recoverMediaError();
    } else if (type === Hls.ErrorTypes.NETWORK_ERROR && !details.startsWith('manifest')) {
      setTimeout(() => {
        if (!until.aborted) hls.startLoad();
      }, retryMs);
    } else fail();
  });
}

/** Plays in its place, and leaves no way to take it elsewhere. */
export function newVideoElement(): HTMLVideoElement {
  const video = document.createElement('video');
  video.playsInline = true;
  video.disablePictureInPicture = true;
  video.disableRemotePlayback = true;
  video.preload = 'auto';
  return video;
}
