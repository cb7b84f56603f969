import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One address in front of several processes of the same app, as an operator's load balancer is. */
export interface Balancer {
  url: string;
  port: number;
  /** Sends to these ports from now on, each request to the next one: nobody stays with one process. */
  serve(ports: readonly number[]): void;
  /** The port to which a request with such a path is under way. */
  portOf(pathStart: string): number | undefined;
  close(): Promise<void>;
}

/** Opens a balancer that serves nobody yet. */
export async function openBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const underWay = new Map<IncomingMessage, number>();
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, outgoing) => {
    for (let tries = 0; tries < ports.length; tries++) {
      const port = ports[turn++ % ports.length];
      if (port === undefined) break;
      underWay.set(incoming, port);
      const isTaken = await pass(incoming, outgoing, port).finally(() => underWay.delete(incoming));
      if (isTaken) return;
    }
    outgoing.writeHead(502).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    serve(next) {
      ports = next;
    },
    portOf: (pathStart) => [...underWay].find(([{ url }]) => url?.startsWith(pathStart))?.[1],
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Hands one request on. @returns false when nobody listens there, and then nothing of the request was used */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number): Promise<boolean> {
  return new Promise((done) => {
    let isPassed = false;
    const { method, url: path } = incoming;
    const onward = request({ host: 'localhost', port, method, path, headers: headersOf(incoming), agent: false });
    const send = () => {
      isPassed = true;
      incoming.pipe(onward);
    };
    onward.once('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', send) : send()));
    onward.once('error', () => {
      if (isPassed) outgoing.destroy();
      done(isPassed);
    });
    onward.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.once('error', () => outgoing.destroy());
      answer.once('close', () => done(true));
    });
    outgoing.once('close', () => {
      onward.destroy();
      done(true);
    });
  });
}

/** What a developer looks at comes from this machine without a proxy in between; everything else says for whom it comes. */
function headersOf({ url, headers, socket }: IncomingMessage) {
  if (url?.startsWith('/dev')) return headers;
  const before = headers['x-forwarded-for'];
  const address = socket.remoteAddress ?? '';
  return { ...headers, 'x-forwarded-for': before === undefined ? address : `${before}, ${address}` };
}
