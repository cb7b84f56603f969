import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLive } from './live.ts';

test('a stream that has ended but was not taken yet hears nothing more, and breaks nothing', async () => {
  const live = createLive(() => 0);
  const broken: unknown[] = [];
  const received = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    response.on('error', (error) => broken.push(error));
    live.open(response, { creatorId: 'a' }, 'session:a', undefined);
    // Until the reader's line is full, and a little waits here.
    for (; response.writableLength === 0; await wait(0)) response.write(Buffer.alloc(16_384));
    response.end();
    live.receive({ kind: 'link.opened', creatorId: 'a' });
    live.refetchAll();
    await wait(10);
    received.resolve();
  }).listen(0);
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port);
  reader.pause().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await received.promise;
  expect(broken).toEqual([]);
  reader.destroy();
  server.close();
});
