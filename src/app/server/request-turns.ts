import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What one connection has asked for beyond the request that is in work. */
interface Line {
  waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Serves the requests of one connection one after another. Answers leave in their order anyway, so what a client sends ahead
 * waits: what has been read already in memory, everything else unread, in the client's own machine.
 */
export function serveInTurn(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  const serve = (socket: Socket, line: Line, [request, response]: Line['waiting'][number]) => {
    listener(request, response);
    response.once('close', () => {
      if (socket.destroyed) line.waiting = []; // nobody is there to be answered
      const next = line.waiting.shift();
      if (next === undefined) lines.delete(socket);
      else serve(socket, line, next);
      if (line.waiting.length === 0) socket.resume();
    });
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line !== undefined) {
      line.waiting.push([request, response]);
      socket.pause();
      return;
    }
    const own: Line = { waiting: [] };
    lines.set(socket, own);
    keepPaused(socket, lines);
    serve(socket, own, [request, response]);
  };
}

const watched = new WeakSet<Socket>();

/** Node reads on by itself once a body was read or an answer has left; not while requests wait here. */
function keepPaused(socket: Socket, lines: WeakMap<Socket, Line>): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.on('resume', () => {
    if ((lines.get(socket)?.waiting.length ?? 0) > 0) socket.pause();
  });
  socket.once('close', () => lines.delete(socket));
}
