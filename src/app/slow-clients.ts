import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How slow a client may be before its connection is needed for others. */
export interface SlowLimits {
  /** From the connection, or the last answer, to the end of the head. */
  headersMs: number;
  /** A body that takes longer is not a phone line but an attack; uploads have a limit of their own. */
  bodyMs: number;
  /** A reader who has taken nothing of what waits for him between two looks of this distance is gone. */
  readerMs: number;
  /** How often heads are looked at. */
  checkMs: number;
}

export const usualSlowLimits: SlowLimits = { headersMs: 5000, bodyMs: 10_000, readerMs: 60_000, checkMs: 1000 };

/**
 * Options of every HTTP server that Fastify makes, one per address it listens on. Node looks at heads only every 30 s by
 * itself, so a limit of 5 s needs the interval as well.
 */
export const httpOptionsFor = ({ headersMs, checkMs }: SlowLimits) => ({
  headersTimeout: headersMs,
  connectionsCheckingInterval: checkMs,
});

/** What a reader had taken when we last looked. */
interface Look {
  takenBytes: number;
  isWaiting: boolean;
}

/** Cuts bodies and readers that do not get on. */
export function cutSlowClients(app: FastifyInstance, { bodyMs, readerMs }: SlowLimits): void {
  const seen = new Map<Socket, Look>();
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (!routeOptions.url?.startsWith('/files')) cutSlowBody(raw, bodyMs);
    const { socket } = raw;
    if (seen.has(socket)) return;
    seen.set(socket, { takenBytes: 0, isWaiting: false });
    socket.once('close', () => seen.delete(socket));
  });
  const looking = setInterval(() => {
    for (const [socket, before] of seen) {
      const now = { takenBytes: socket.bytesWritten - socket.writableLength, isWaiting: socket.writableLength > 0 };
      if (now.isWaiting && before.isWaiting && now.takenBytes === before.takenBytes) socket.destroy();
      else seen.set(socket, now);
    }
  }, readerMs);
  looking.unref();
  app.addHook('onClose', async () => clearInterval(looking));
}

function cutSlowBody(raw: FastifyRequest['raw'], bodyMs: number): void {
  const { headers } = raw;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, bodyMs);
  timer.unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}
