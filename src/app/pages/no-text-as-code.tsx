import { guestOfPage } from '#features/accounts/browser/page-guest.ts';
import type { TrustedTypes } from '#features/media/browser/open-drawer.ts';

/** How React makes a script element: of this text, which it fills by attributes. */
const emptyScript = '<script></script>';
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

// React and its router hand over the text of their own inline scripts whenever a frame is drawn again. They have run by then, from the
// page as it came; so any other text becomes nothing, which no page breaks by, instead of being refused, which would leave it white.
// A page that shows the payment provider's frame has admitted its script by then, which may do a little more.
trustedTypes?.createPolicy('default', {
  createScriptURL(address) {
    const { href } = new URL(address, location.href);
    // A blob that a page makes has our origin, but does not begin with it.
    return href.startsWith(`${location.origin}/`) || guestOfPage()?.mayAddScript(href) ? address : null;
  },
  createHTML: (text) => (text === emptyScript || guestOfPage()?.mayWrite(text) ? text : ''),
  createScript: () => '',
});
