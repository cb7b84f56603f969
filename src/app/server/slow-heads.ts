import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoopClock } from './loop-clock.ts';

/** What is known of a connection between two looks. */
interface Line {
  last: { request: IncomingMessage; response: ServerResponse } | undefined;
  /** The last one that was over when we looked. */
  seen: Line['last'];
  /** What had come with the last request. */
  readBytes: number;
  waitedMs: number;
}

const isUnderWay = ({ request, response }: NonNullable<Line['last']>): boolean =>
  !request.complete || !(response.writableFinished || response.destroyed);

/** Returns whether the beginning of a head is there, or a new connection owes its first one. */
function owesHead(line: Line, socket: Socket): boolean {
  const { last, seen } = line;
  const isBusy = last !== undefined && isUnderWay(last);
  if (isBusy || last !== seen) {
    line.seen = isBusy ? undefined : last; // what comes until it is over belongs to it
    line.readBytes = socket.bytesRead;
    return false;
  }
  return last === undefined || socket.bytesRead > line.readBytes;
}

/**
 * Looks for heads of requests that do not come to their end. Node's own limit goes by the clock on the wall: after its process was
 * away it calls heads late that lie there unread.
 * @param refuse hears of a connection whose head is late, and whether anything of it has come
 */
export function watchHeads(
  server: Server,
  clock: LoopClock,
  { headersMs, checkMs }: { headersMs: number; checkMs: number },
  refuse: (socket: Socket, hasBegun: boolean) => void,
): void {
  const lines = new Map<Socket, Line>();
  server.on('connection', (socket: Socket) => {
    lines.set(socket, { last: undefined, seen: undefined, readBytes: 0, waitedMs: 0 });
    socket.once('close', () => lines.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const line = lines.get(request.socket);
    if (line !== undefined) line.last = { request, response };
  });
  const end = clock.every(checkMs, () => {
    for (const [socket, line] of lines) {
      line.waitedMs = owesHead(line, socket) ? line.waitedMs + checkMs : 0;
      if (line.waitedMs < headersMs) continue;
      lines.delete(socket);
      refuse(socket, socket.bytesRead > line.readBytes);
    }
  });
  server.on('close', end);
}
