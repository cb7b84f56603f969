import type { FastifyRequest } from 'fastify';

/** Cuts an upload that brings less than 64 KB in 30 s, so that the connection is free for others. */
export function cutWhenSlow(request: FastifyRequest): void {
  const { socket } = request.raw;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (!request.raw.complete && socket.bytesRead - seen < 65_536) request.raw.destroy();
    seen = socket.bytesRead;
  }, 30_000);
  timer.unref();
  request.raw.once('close', () => clearInterval(timer));
}
