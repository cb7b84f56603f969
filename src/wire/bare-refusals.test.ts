import { expect, test } from 'vitest';
import { readBareRefusal } from './bare-refusals.ts';

const answer = (status: number, body: unknown, type = 'application/json; charset=utf-8') =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'content-type': type } });

test('a refusal from before any procedure is read with its own sentence', async () => {
  const bare = {
    code: 'UNAVAILABLE',
    message: 'Many people are here. Try again in a moment.',
    data: { retryAfter: 2 },
  };
  const read = await readBareRefusal(answer(503, bare));
  expect(read.status).toBe(503);
  expect(await read.json()).toEqual({ json: { defined: false, status: 503, ...bare } });
});

test("what a procedure says, a proxy's page and what went well stay as they are", async () => {
  const said = { json: { defined: true, code: 'GONE', status: 410, message: 'This has ended.' } };
  expect(await (await readBareRefusal(answer(410, said))).json()).toEqual(said);
  expect(await (await readBareRefusal(answer(502, '<h1>Bad gateway</h1>', 'text/html'))).text()).toContain(
    'Bad gateway',
  );
  expect(await (await readBareRefusal(answer(502, 'no JSON'))).text()).toBe('no JSON');
  expect(await (await readBareRefusal(answer(200, { code: 'A', message: 'b' }))).json()).toEqual({
    code: 'A',
    message: 'b',
  });
});
