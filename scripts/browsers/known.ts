/** What one of the oldest browsers lacks and the app uses all the same: why it works there without. By MDN's names. */
export const known: Readonly<Record<string, string>> = {
  // Asked for first, by `typeof`, `in` or as a field that may be missing.
  'api.ClipboardItem': 'without it the text itself is copied, or shown to be copied by hand',
  'api.CloseWatcher': 'without it the back button leaves the page',
  'api.ImageDecoder': 'without it the browser makes bitmaps of tiles',
  'api.trustedTypes': 'without it nothing has to be trusted',
  'api.Navigator.share': 'without it links are copied',
  'api.Navigator.wakeLock': 'without it the screen may go dark during an upload, which goes on',
  'api.Navigator.userActivation': 'without it the file picker is opened anyway',
  // Told to a video; a browser without it has nothing to be told.
  'api.HTMLVideoElement.playsInline': 'only phones play videos elsewhere',
  'api.HTMLVideoElement.disablePictureInPicture': 'a page cannot forbid what the browser itself offers',
  'api.HTMLMediaElement.disableRemotePlayback': 'what is played from pieces is sent to no other screen',
  // Names of ours that are members of something else as well.
  'api.HTMLMediaElement.audioTracks': 'those of hls.js',
  'api.MediaSource.handle': 'the name of a creator',
  'api.Blob.bytes': 'bytes of ours',
  // Styles that make something nicer; without them the page is as usable.
  'css.selectors.has': 'the page behind an open picture can be scrolled, and its buttons do not fade',
  'css.properties.text-wrap': 'lines break where they are full',
  'css.properties.text-wrap.balance': 'lines break where they are full',
  'css.properties.scrollbar-width': 'a bar is seen where something scrolls',
  'css.properties.scrollbar-width.none': 'a bar is seen where something scrolls',
  'css.properties.text-size-adjust': 'text has the size that the browser chooses',
  'css.properties.forced-color-adjust': 'a system without forced colours does not ask for them',
  'css.properties.forced-color-adjust.none': 'a system without forced colours does not ask for them',
  'css.selectors.selection': 'what is selected has the colours of the system',
  'css.at-rules.property': 'edges that fade do so at once',
  // The build writes an older form beside it.
  'css.properties.user-select': 'with the prefix of Safari',
  'css.types.color.oklch': 'as a hex colour',
  'css.types.color.color-mix': 'as a hex colour',
};
