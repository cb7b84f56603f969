import { createDrawer, type DrawRequest } from './drawer.ts';

/** The drawer in a worker: nothing of its work holds up the page, and keys never reach it. */
const take = createDrawer((report) => self.postMessage(report));
self.onmessage = ({ data }: MessageEvent<DrawRequest>) => take(data);
