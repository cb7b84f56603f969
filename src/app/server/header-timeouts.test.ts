import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openLoopClock } from './loop-clock.ts';
import { usualSlowLimits } from './slow-clients.ts';

const limits = { ...usualSlowLimits, headersMs: 600, bodyMs: 600, checkMs: 100 };
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, server: { slow: limits } });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const lines: Socket[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy();
});

/** A connection that the server has accepted, and what it has said on it. */
async function openLine() {
  const accepted = once(app.fastify.server, 'connection');
  const line = connect((app.fastify.server.address() as AddressInfo).port, '127.0.0.1');
  lines.push(line);
  await accepted;
  let said = '';
  line.setEncoding('latin1').on('data', (text: string) => {
    said += text;
  });
  const closed = once(line, 'close');
  return { line, said: () => said, closed };
}

/** Nothing is heard in this process for so long, as on a machine that has no time for it. */
function goAway(ms: number) {
  for (const until = performance.now() + ms; performance.now() < until; );
}

const head = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';

it('a head that lies there unread while the process is away is answered', async () => {
  const { line, said } = await openLine();
  line.write(head);
  goAway(3 * limits.headersMs);
  await expect.poll(said).toContain('200 OK');
  // The same over a connection that has been used.
  line.write(head.slice(0, 20));
  line.write(head.slice(20));
  goAway(3 * limits.headersMs);
  await expect.poll(() => said().split('200 OK').length).toBe(3);
});

it('a body that lies there unread while the process is away is read', async () => {
  const { line, said } = await openLine();
  const body = JSON.stringify({ json: {} });
  const received = once(app.fastify.server, 'request');
  line.write(
    `POST /rpc/accounts/me HTTP/1.1\r\nhost: localhost\r\nx-csrf-token: orpc\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  await received;
  line.write(body);
  goAway(3 * limits.bodyMs);
  await expect.poll(said).toMatch(/^HTTP\/1\.1 \d{3} /);
});

it('a head that does not come to its end is refused in words, the first one and every other', async () => {
  const first = await openLine();
  first.line.write(head.slice(0, 20));
  await first.closed;
  expect(first.said()).toMatch(/^HTTP\/1\.1 408 .*"TOO_SLOW"/s);

  const used = await openLine();
  used.line.write(head);
  await expect.poll(used.said).toContain('200 OK');
  // A letter now and then keeps no line open.
  used.line.write('GET /healthz HTTP/1.1\r\nx-name: ');
  const dripping = setInterval(() => used.line.write('a'), 50);
  await used.closed.finally(() => clearInterval(dripping));
  expect(used.said()).toMatch(/200 OK.*408 /s);
});

it('a connection that says nothing is closed without a word, and one that rests between two requests is not', async () => {
  const used = await openLine();
  used.line.write(head);
  await expect.poll(used.said).toContain('200 OK');
  const silent = await openLine();
  await silent.closed;
  expect(silent.said()).toBe('');
  // It has rested for longer than a new one may owe its head.
  used.line.write(head);
  await expect.poll(() => used.said().split('200 OK').length).toBe(3);
});

it('the clock stands still while its process is away', async () => {
  const clock = openLoopClock(10);
  let calls = 0;
  clock.after(200, () => calls++);
  goAway(500);
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toBe(0);
  await expect.poll(() => calls).toBe(1);
  const forget = clock.after(20, () => calls++);
  const end = clock.every(20, () => calls--);
  forget();
  end();
  await new Promise<void>((resolve) => clock.after(60, resolve));
  expect(calls).toBe(1);
  clock.close();
});
