import { trustOwnScripts } from '#features/media/salon/own-scripts.ts';

/** How React makes a script element: of this text, which it fills by attributes. */
const emptyScript = '<script></script>';

// React and its router hand over the text of their own inline scripts whenever a frame is drawn anew. They have run by then, from the
// page as it came; so any other text becomes nothing, which no page breaks by, instead of being refused, which would leave it white.
trustOwnScripts({
  createHTML: (text) => (text === emptyScript ? text : ''),
  createScript: () => '',
});
