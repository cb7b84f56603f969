import type { FastifyInstance } from 'fastify';
import type { Mounting } from '#wire/raw.ts';
import { watchChanges } from './changes.ts';
import { mountFilms } from './films.ts';
import { mountLeases } from './leases.ts';
import { mountViewerLive } from './live-route.ts';
import { mountOpen } from './open.ts';

/** The raw routes of the salon: the tap, keys and packs, films, news. */
export function mountViewing(app: FastifyInstance, mounting: Mounting): void {
  const changes = watchChanges(mounting.live);
  mountOpen(app, mounting, changes);
  mountLeases(app, mounting, changes);
  mountFilms(app, mounting);
  mountViewerLive(app, mounting);
}
