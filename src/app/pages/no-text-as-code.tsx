import type { TrustedTypes } from '#features/media/browser/open-drawer.ts';

/** How React makes a script element: of this text, which it fills by attributes. */
const emptyScript = '<script></script>';
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

// React and its router hand over the text of their own inline scripts whenever a frame is drawn anew. They have run by then, from the
// page as it came; so any other text becomes nothing, which no page breaks by, instead of being refused, which would leave it white.
trustedTypes?.createPolicy('default', {
  // A blob that a page makes has our origin, but does not begin with it.
  createScriptURL: (address) =>
    new URL(address, location.href).href.startsWith(`${location.origin}/`) ? address : null,
  createHTML: (text) => (text === emptyScript ? text : ''),
  createScript: () => '',
});
