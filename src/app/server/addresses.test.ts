import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { isCrooked } from './addresses.ts';

let app: TestApp;
let creator: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  creator = (await signUpCreator(app)).browser;
});
afterAll(() => app.close());

/** A call whose address is sent as it is written. @returns its status */
function ask(method: string, path: string, browser: Browser): Promise<number> {
  const { port } = app.fastify.server.address() as AddressInfo;
  const { origin, host } = new URL(app.engines.installation.publicUrl);
  const headers = { host, origin, 'x-csrf-token': 'orpc', 'content-type': 'application/json', ...headersOf(browser) };
  return new Promise((done, failed) => {
    const asking = http.request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0));
    });
    asking.once('error', failed);
    asking.end(method === 'POST' ? '{"json":{}}' : '');
  });
}

/** An address, and others that some reader takes for it. */
const spelt = (path: string): string[] => [
  path.replace(/\w$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  path.replace(/^\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
  path.replace(/(?<=.)\/([^/]*)$/, '%2F$1'),
  path.replace(/(?<=.)\/([^/]*)$/, '\\$1'),
  path.replace(/(?<=.)\/([^/]*)$/, '//$1'),
  path.replace(/(?<=.)\/([^/]*)$/, '/./$1'),
  path.replace(/(?<=.)\/([^/]*)$/, '/x/../$1'),
  path.replace(/(?<=.)\/([^/]*)$/, '/x/%2e%2E/$1'),
  `${path}/`,
  `${path}//`,
  `${path}/.`,
  `${path}#x`,
  `http://localhost:3000${path}`,
];

/** Each is of a class that the door knows by its address: what must always work, what decides, what can wait. */
const calls = [
  ['POST', '/rpc/links/list'],
  ['GET', '/api/v1/links'],
  ['POST', '/rpc/viewing/renew'],
  ['POST', '/api/v1/view/renew'],
  ['POST', '/api/view/nobody/open'],
  ['POST', '/api/view/leases'],
  ['POST', '/rpc/insights/overview'],
  ['POST', '/rpc/links/revoke'],
  ['GET', '/api/insights/visits.csv'],
  ['GET', '/api/money/statement.csv'],
  ['GET', '/api/money/statement.pdf'],
  ['GET', '/api/openapi.json'],
] as const;

test('an address of the API has one spelling: in no other does it come to a handler', async () => {
  const come: string[] = [];
  for (const [method, path] of calls) {
    expect([path, await ask(method, path, creator)]).not.toEqual([path, 404]);
    for (const other of spelt(path)) {
      const status = await ask(method, other, creator);
      if (status !== 404) come.push(`${method} ${other}: ${status}`);
    }
  }
  expect(come).toEqual([]);
});

test('nothing hides behind the address of what must always work', async () => {
  for (const way of ['..', '%2e%2e', '.%2E'])
    for (const path of [
      `/api/v1/sessions/${way}/links`,
      `/api/v1/sessions\\${way}\\links`,
      `/rpc/links/revoke/${way}/list`,
    ])
      expect([path, await ask('GET', path, creator)]).toEqual([path, 404]);
});

test('what stands for a parameter may be escaped, and pages are found as a browser or a messenger spells them', async () => {
  const slug = ['/api/view/nobody/open', '/api/view/%6eobody/open', '/api/view/%00%2e%2e/open', '/api/view/%2F/open'];
  const statuses = await Promise.all(slug.map((path) => ask('POST', path, newBrowser())));
  expect(statuses).toEqual([410, 410, 410, 410]);
  for (const name of ['@nobody_has_this', 'api/v1%2Fnothing']) expect(isCrooked('/*', `/${name}`)).toBe(false);
  expect(await ask('GET', '/%40nobody_has_this', newBrowser())).toBe(
    await ask('GET', '/@nobody_has_this', newBrowser()),
  );
  expect(isCrooked('/api/v1/*', "/api/v1/albums/'%20or%201?filter=%6c&x=//")).toBe(false);
});
