import { createDrawer, type DrawRequest } from './drawer.ts';
import { writeAhead } from './visible-mark.ts';

/** The drawer in a worker: nothing of its work holds up the page, and keys never reach it. */
const take = createDrawer((report) => self.postMessage(report));
self.onmessage = ({ data }: MessageEvent<DrawRequest>) => take(data);

// The first letters that a worker writes take a font to be found: that is over before anybody has tapped.
writeAhead({ look: 'tiled', text: '0' });
