import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const form = { 'content-type': 'multipart/form-data; boundary=x', cookie: 'pf.session_token=somebodys' };
const navigate = { 'sec-fetch-mode': 'navigate' };
/** As the system's share sheet sends it, as another site's form does, and as an old browser. */
const senders: Record<string, string>[] = [
  { origin: 'null', ...navigate, 'sec-fetch-site': 'cross-site' },
  { ...navigate, 'sec-fetch-site': 'none' },
  { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  {},
];

/** Sends the head of a form over a line of its own. */
function begin(headers: Record<string, string>) {
  const { port } = app.fastify.server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/share-target', agent: false, headers });
  asked.on('error', () => undefined); // its line is cut while it still sends
  const received = once(asked, 'response').then(async ([answer]) => ({ answer, page: await text(answer) }));
  return { asked, heard: received };
}

test.each(senders)('what is shared without a worker shows a page that says so: %o', async (sender) => {
  const { asked, heard: received } = begin({ ...form, ...sender });
  asked.end(
    `--x\r\ncontent-disposition: form-data; name="media"; filename="a.jpg"\r\n\r\n${'a'.repeat(3_000_000)}\r\n--x--`,
  );
  const { answer, page } = await received;
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page).toContain("isn't ready on this device yet");
  expect(page).toContain('<a href="/albums"');
});

test('it is said before anything was sent, and a line that sends on is cut', async () => {
  const { asked, heard: received } = begin({ ...form, 'content-length': '1000000000' });
  const closed = new Promise((done) => asked.once('close', done));
  asked.write('--x');
  expect((await received).answer.statusCode).toBe(404);
  await closed;
});

test('another address or method is no share', async () => {
  const inject = (method: 'POST' | 'PUT', url: string) =>
    app.fastify.inject({ method, url, headers: { ...senders[2], 'content-type': 'text/plain' }, payload: 'a' });
  expect((await inject('POST', '/share-target/0')).json().code).toBe('CSRF');
  expect((await inject('PUT', '/share-target')).json().code).toBe('CSRF');
});
