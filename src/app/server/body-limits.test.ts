import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listProcedures } from '#tests/proofs/asking/procedures.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { anybodyBytes, isForAnybody, readBodyLimits } from '#wire/body-limits.ts';
import { router } from '../rooms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json', origin: 'http://localhost:3000', 'x-csrf-token': 'orpc' };
const send = (url: string, payload: string, headers: Record<string, string> = {}) =>
  app.fastify.inject({ method: 'POST', url, headers: { ...json, ...headers }, payload });
/** What a call is answered with, and how many texts were parsed for it. */
async function answerTo(url: string, payload: string, headers?: Record<string, string>) {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    const { statusCode } = await send(url, payload, headers);
    return { statusCode, parsed: parse.mock.calls.filter(([text]) => text === payload).length };
  } finally {
    parse.mockRestore();
  }
}

test('every procedure has a limit by what it takes; without an account it is tens of kilobytes at most', () => {
  const limits = readBodyLimits(router);
  const procedures = listProcedures();
  expect(procedures.length).toBeGreaterThan(50);
  for (const { name, meta, method, path } of procedures) {
    const limit = limits('POST', `/rpc/${name.replaceAll('.', '/')}`);
    expect(limits(method, `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`), name).toBe(limit);
    expect(limit, name).toBeGreaterThanOrEqual(8192);
    expect(limit, name).toBeLessThanOrEqual(isForAnybody(meta) ? anybodyBytes : 1_000_000);
  }
  expect(limits('POST', '/rpc/support/logError')).toBe(anybodyBytes);
  expect(limits('POST', '/rpc/accounts/signIn')).toBeLessThan(10_000);
  expect(limits('POST', '/rpc/albums/addItems')).toBeGreaterThan(40_000);
  expect(limits('POST', '/rpc/nothing/here')).toBe(8192);
});

test.each([
  '/rpc/accounts/signIn',
  '/api/v1/error-logs',
  '/rpc/nothing/here',
  '/api/view/leases',
  '/api/view/nobody/open',
])('a body that is too long or too deep for %s is refused before it is parsed', async (url) => {
  expect(await answerTo(url, '['.repeat(1_000_000))).toEqual({ statusCode: 413, parsed: 0 });
  expect(await answerTo(url, '['.repeat(8000))).toEqual({ statusCode: 422, parsed: 0 });
  const deep = `{"a":${'['.repeat(70)}${']'.repeat(70)}}`;
  expect(await answerTo(url, deep)).toEqual({ statusCode: 422, parsed: 0 });
  const inText = JSON.stringify({ a: `\\"${'['.repeat(200)}` });
  expect((await answerTo(url, inText)).parsed).toBe(1);
});

test('the longest that somebody may type is taken', async () => {
  const stack = 's'.repeat(20_000);
  const error = { component: 'page', message: 'm'.repeat(4000), stack, severity: 'error', requestId: 'r' };
  expect((await send('/api/v1/error-logs', JSON.stringify(error))).statusCode).toBeLessThan(300);
});

test('what only an account may send has its length only behind a session that we signed', async () => {
  const long = JSON.stringify({ json: { name: 'x'.repeat(100_000) } });
  expect(await answerTo('/rpc/links/create', long)).toEqual({ statusCode: 413, parsed: 0 });
  const forged = { cookie: 'pf.session_token=made-up.signature', authorization: 'Bearer made-up' };
  expect(await answerTo('/rpc/links/create', long, forged)).toEqual({ statusCode: 413, parsed: 0 });
  const { browser } = await signUpCreator(app);
  const { statusCode, parsed } = await answerTo('/rpc/links/create', long, headersOf(browser));
  expect([statusCode, parsed]).toEqual([422, 1]);
});

test('one that says nothing of its length is read no further than to its limit, and told so', async () => {
  const { port } = new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' }));
  const client = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const head = Object.entries({ ...json, host: 'localhost', 'transfer-encoding': 'chunked' });
  client.write(
    `POST /rpc/accounts/signIn HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  let received = '';
  client.on('data', (bytes) => {
    received += String(bytes);
  });
  client.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`);
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"This is too long\."/);
  client.destroy();
});
