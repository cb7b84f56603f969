import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.fastify.get('/a-bug', { config: { who: ['anybody'] } }, () => {
    throw new Error('secret inside');
  });
});
afterAll(() => app.close());

test('a bug of a raw route shows its request id and nothing more', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const answer = await app.fastify.inject('/a-bug');
  expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
    500,
    'INTERNAL',
    'Something went wrong',
  ]);
  expect(answer.json().data.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body).not.toContain('secret');
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  vi.spyOn(console, 'error');
});

test("a malformed or too large body and an unknown address are refused in the app's words", async () => {
  const broken = await app.fastify.inject({
    method: 'POST',
    url: '/api/media/leases',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  });
  expect([broken.statusCode, broken.json().code]).toEqual([422, 'VALIDATION']);
  const huge = await app.fastify.inject({
    method: 'POST',
    url: '/api/media/leases',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ a: 'x'.repeat(1_100_000) }),
  });
  expect(huge.statusCode).toBe(413);
  const unknown = await app.fastify.inject('/api/nothing');
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'NOT_FOUND']);
});

test('every answer carries the headers of the app', async () => {
  const { headers } = await app.fastify.inject('/api/health');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  });
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['x-powered-by']).toBeUndefined();
});

test('the log names the procedure that was called, and never what else somebody wrote behind /rpc/', async () => {
  const logged = vi.spyOn(app.engines.log, 'info');
  for (const path of [
    '/rpc/links/list?x=ana@example.com',
    '/rpc/links/ana@example.com',
    '/rpc/a-slug',
    '/api/v1/a-slug',
  ])
    await app.fastify.inject({ method: 'POST', url: path });
  expect(logged.mock.calls.map(([line]) => (line as { what?: string }).what)).toEqual([
    '/rpc/links/list',
    '/rpc/*',
    '/rpc/*',
    '/api/v1/*',
  ]);
  logged.mockRestore();
});
