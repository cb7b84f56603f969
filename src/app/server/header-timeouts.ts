import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoopClock } from './loop-clock.ts';

/** What is kept about a connection between two checks. */
interface ConnectionState {
  last: { request: IncomingMessage; response: ServerResponse } | undefined;
  /** The last one that was over when we looked. */
  seen: ConnectionState['last'];
  /** What had come with the last request. */
  readBytes: number;
  waitedMs: number;
}

const isInProgress = ({ request, response }: NonNullable<ConnectionState['last']>): boolean =>
  !request.complete || !(response.writableFinished || response.destroyed);

/** Updates the state, and returns whether headers are due: some have arrived, or the connection has sent no request yet. */
function updateHeadersDue(connection: ConnectionState, socket: Socket): boolean {
  const { last, seen } = connection;
  const isBusy = last !== undefined && isInProgress(last);
  if (isBusy || last !== seen) {
    connection.seen = isBusy ? undefined : last; // bytes that arrive before the exchange ends belong to it
    connection.readBytes = socket.bytesRead;
    return false;
  }
  return last === undefined || socket.bytesRead > connection.readBytes;
}

/**
 * Refuses connections whose request headers are not complete within `headersMs`. Node's own `headersTimeout` counts real time:
 * after the process was held up, it times out headers that have arrived but are still unread.
 * @param refuse is called with the connection, and whether any part of its headers has arrived
 */
export function watchHeaderTimeouts(
  server: Server,
  clock: LoopClock,
  { headersMs, checkMs }: { headersMs: number; checkMs: number },
  refuse: (socket: Socket, hasPartialHeaders: boolean) => void,
): void {
  const connections = new Map<Socket, ConnectionState>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { last: undefined, seen: undefined, readBytes: 0, waitedMs: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.last = { request, response };
  });
  const end = clock.every(checkMs, () => {
    for (const [socket, connection] of connections) {
      connection.waitedMs = updateHeadersDue(connection, socket) ? connection.waitedMs + checkMs : 0;
      if (connection.waitedMs < headersMs) continue;
      connections.delete(socket);
      refuse(socket, socket.bytesRead > connection.readBytes);
    }
  });
  server.on('close', end);
}
