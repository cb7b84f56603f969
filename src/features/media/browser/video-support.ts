/** H.264 High and AAC: what every video is made as. */
const wanted = 'video/mp4; codecs="avc1.64001f,mp4a.40.2"';

interface Sources {
  ManagedMediaSource?: { isTypeSupported(type: string): boolean };
  MediaSource?: { isTypeSupported(type: string): boolean };
}

/** Returns whether this browser can be given a video piece by piece; there is no other way to see one. */
export function canPlayVideos(browser: Sources): boolean {
  return [browser.ManagedMediaSource, browser.MediaSource].some((source) => source?.isTypeSupported(wanted) === true);
}
