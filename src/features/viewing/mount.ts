import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { mountLeases } from './leases/leases.ts';
import { mountVideos } from './leases/video-leases.ts';
import { mountGateVisitors } from './opening/gate-visitors.ts';
import { openNetworkQueues } from './opening/network-queues.ts';
import { mountOpen } from './opening/open.ts';
import { mountCheckout } from './paying/checkout.ts';
import { watchChanges } from './visits/change-watch.ts';
import { mountViewerLive, mountWaitingLive } from './visits/live-route.ts';

export { whyNoPreview } from './preview/page-guard.ts';

/** The raw routes of the viewer app: the tap, keys and packs, videos, news. */
export function mountViewing(app: FastifyInstance, mounting: Mounting): void {
  const changes = watchChanges(mounting.live);
  const networkQueues = openNetworkQueues();
  mountOpen(app, mounting, changes, networkQueues);
  mountGateVisitors(app, mounting);
  mountCheckout(app, mounting, networkQueues);
  mountLeases(app, mounting, changes);
  mountVideos(app, mounting);
  mountViewerLive(app, mounting);
  mountWaitingLive(app, mounting);
}
