import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { serveInTurn } from './request-turns.ts';

/** A server whose answers wait until they are let go. */
interface Held {
  server: Server;
  port: number;
  /** What is in work just now, and the most that ever was. */
  inWork: ServerResponse[];
  most(): number;
  /** How many were ever begun. */
  begun(): number;
  /** Lets everything go, also what comes later. */
  letGo(): void;
  /** What the server's side of each connection has read. */
  readBytes(): number;
}

const opened: { server: Server; clients: Socket[] } = { server: createServer(), clients: [] };
afterEach(async () => {
  for (const client of opened.clients.splice(0)) client.destroy();
  opened.server.closeAllConnections();
  await new Promise((done) => opened.server.close(done));
});

async function openHeld(answerOf = (request: IncomingMessage) => request.url ?? ''): Promise<Held> {
  const inWork: ServerResponse[] = [];
  const sockets = new Set<Socket>();
  let [most, begun] = [0, 0];
  let isLetGo = false;
  const listener = serveInTurn((request, response) => {
    sockets.add(request.socket);
    inWork.push(response);
    begun++;
    most = Math.max(most, inWork.length);
    response.once('close', () => inWork.splice(inWork.indexOf(response), 1));
    request.resume().once('end', () => {
      if (isLetGo) response.end(answerOf(request));
      else response.once('let-go', () => response.end(answerOf(request)));
    });
  });
  const server = createServer(listener);
  opened.server = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    inWork,
    most: () => most,
    begun: () => begun,
    letGo() {
      isLetGo = true;
      for (const response of [...inWork]) response.emit('let-go');
    },
    readBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
  };
}

function connectTo({ port }: Held): { client: Socket; received: () => string } {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  opened.clients.push(client);
  let text = '';
  client.on('data', (bytes) => {
    text += String(bytes);
  });
  return { client, received: () => text };
}

/** The machine may have other things to do. */
const eventually = <T>(look: () => T) => expect.poll(look);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const countAnswers = (text: string) => text.split('HTTP/1.1 200').length - 1;

test('of two thousand requests that one connection sends ahead one is in work, and all are answered in their order', async () => {
  const held = await openHeld();
  const { client, received } = connectTo(held);
  const paths = Array.from({ length: 2000 }, (_, n) => `/${n}/`);
  client.write(paths.map(get).join(''));
  await eventually(() => held.inWork.length).toBe(1);
  // Somebody else is served meanwhile.
  const other = connectTo(held);
  other.client.write(get('/other/'));
  await eventually(() => held.inWork.length).toBe(2);
  held.letGo();
  await eventually(() => countAnswers(received())).toBe(2000);
  expect(held.most()).toBe(2);
  const answered = [...received().matchAll(/\r\n(\/\d+\/)/g)].map(([, path]) => path);
  expect(answered).toEqual(paths);
});

test('of two hundred connections with twenty requests each no more than one apiece is in work', async () => {
  const held = await openHeld();
  const clients = Array.from({ length: 200 }, () => connectTo(held));
  for (const { client } of clients) client.write(get('/x/').repeat(20));
  await eventually(() => held.inWork.length).toBe(200);
  held.letGo();
  await eventually(() => clients.every(({ received }) => countAnswers(received()) === 20)).toBe(true);
  expect(held.most()).toBe(200);
});

test('what a connection sends beyond the request in work stays unread, with bodies and without', async () => {
  for (const one of [
    get('/x/'),
    `POST /x/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n${'b'.repeat(50)}`,
  ]) {
    const held = await openHeld();
    const { client } = connectTo(held);
    const sent = one.repeat(Math.ceil(30e6 / one.length));
    client.write(sent);
    await eventually(() => held.inWork.length).toBe(1);
    // A few turns, each of which Node would use to read on.
    for (let n = 0; n < 5; n++) {
      const [now] = held.inWork;
      now?.emit('let-go');
      await eventually(() => held.inWork[0] !== now).toBe(true);
    }
    expect(held.readBytes()).toBeLessThan(2_000_000);
    client.destroy();
    held.server.closeAllConnections();
    await new Promise((done) => held.server.close(done));
  }
});

test('a connection that was slow in between is read again, and one that is gone leaves nothing in work', async () => {
  const held = await openHeld();
  const { client, received } = connectTo(held);
  client.write(get('/1/') + get('/2/'));
  await eventually(() => held.inWork.length).toBe(1);
  held.letGo();
  await eventually(() => countAnswers(received())).toBe(2);
  client.write(get('/3/'));
  await eventually(() => countAnswers(received())).toBe(3);
  const later = await openHeld();
  const gone = connectTo(later);
  gone.client.write(get('/1/') + get('/2/'));
  await eventually(() => later.inWork.length).toBe(1);
  later.server.closeAllConnections();
  await once(gone.client, 'close');
  await eventually(() => later.inWork.length).toBe(0);
  expect(later.begun()).toBe(1);
  held.server.closeAllConnections();
  await new Promise((done) => held.server.close(done));
});
