import type { RouteOptions } from 'fastify';
import { createServer } from '#app/server/server.ts';
import type { Engines } from '#engines/engines.ts';
import { createLive } from '#wire/live.ts';

/** Every route that an installation mounts, told by a second server over the same engines, which nobody asks anything. */
export async function collectRoutes(engines: Engines): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const collected = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    onRoute: (route) => void routes.push(route),
  });
  await collected.close();
  return routes;
}
