import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sizeOfStaged } from './staging.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const secretName = 'the-name-of-hers.jpg';
const sizes = { mine: 10, hers: 1234 };
let app: TestApp;
let mine: string;
let hers: string;
let mia: Person;
let lia: Person;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  [mia, lia] = [await signUpCreator(app), await signUpCreator(app)];
  mine = await begin(mia, sizes.mine, 'mine.jpg');
  hers = await begin(lia, sizes.hers, secretName);
});
afterAll(() => app.close());

interface Answer {
  status: number;
  /** Its head and its body. */
  text: string;
  headers: http.IncomingHttpHeaders;
}

/** A call whose address is sent as it is written, which a browser would not do. */
function ask(method: string, path: string, browser: Browser, more: object, body = ''): Promise<Answer> {
  const { port } = app.fastify.server.address() as AddressInfo;
  const { origin, host } = new URL(app.engines.installation.publicUrl);
  const headers = { 'tus-resumable': '1.0.0', host, origin, ...headersOf(browser), ...more };
  return new Promise((done, failed) => {
    const asking = http.request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
      let said = '';
      answer.setEncoding('latin1').on('data', (words: string) => {
        said += words;
      });
      const { statusCode: status = 0, headers, rawHeaders } = answer;
      answer.once('end', () => done({ status, headers, text: `${rawHeaders.join('\n')}\n${said}` }));
    });
    asking.once('error', failed);
    asking.end(body);
  });
}

async function begin({ browser }: Person, sizeBytes: number, name: string): Promise<string> {
  const albumId: string = (await app.call('albums.create', { name: 'Sea', peopleConsent: 'only_me' }, browser)).body.id;
  const metadata = `albumId ${encode(albumId)},filename ${encode(name)}`;
  const more = { 'upload-length': String(sizeBytes), 'upload-metadata': metadata };
  const { status, headers } = await ask('POST', '/files', browser, more);
  expect(status).toBe(201);
  return headers.location?.split('/').at(-1) ?? '';
}

const piece = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
/** Where a network lets no PATCH through. */
const asPost = { ...piece, 'x-http-method-override': 'PATCH' };
const askOf = (method: string, path: string, browser: Browser) => {
  if (method === 'PATCH as POST') return ask('POST', path, browser, asPost, 'ab');
  return method === 'PATCH' ? ask(method, path, browser, piece, 'ab') : ask(method, path, browser, {});
};

/** Addresses in which two uploads, or one in two ways, could be read; `/files/:id` is authorised for the first. */
const addressesOf = (own: string, other: string): string[] => [
  ...['?/', '?x=/', '?/files/', '?%2F', '?a=1&b=/files/', '?', '??/', ';?/'].map((join) => `${own}${join}${other}`),
  ...['#/', '#', '#/files/', '%23/', '%3F/', '%3f%2f', '?#/'].map((join) => `${own}${join}${other}`),
  ...['/', '//', '%2F', '%2f', '%5C', '\\', ';/', ';', '/../', '/%2e%2e/', '/./', '%00/', ',', '%20'].map(
    (join) => `${own}${join}${other}`,
  ),
  ...['?', '/', '//', '?/', '#', '%2F', '/.', ';a=b', '%00'].map((end) => `${own}${end}`),
  ...['/', './', '%2F', '?', '#', '../files/', '%2e%2e/files/'].map((start) => `${start}${other}`),
  other,
  other.toUpperCase(),
  `%${other.charCodeAt(0).toString(16)}${other.slice(1)}`,
];

/** What there is of an upload, for everybody who may know. */
async function lookAt(id: string, { browser }: Person) {
  const [row] = await readRows(app, 'select to_jsonb(t) as row from uploads t where id = $1', [id]);
  const { status, headers } = await askOf('HEAD', `/files/${id}`, browser);
  const staged = await sizeOfStaged(app.engines.installation.dataDir, id);
  return { row, staged, status, offset: headers['upload-offset'], name: headers['upload-metadata'] };
}

const methods = ['HEAD', 'PATCH', 'PATCH as POST', 'DELETE', 'POST', 'OPTIONS'];

test("however an address names two uploads, nothing of the other creator's is written, told or removed", async () => {
  const before = [await lookAt(hers, lia), await lookAt(mine, mia)];
  expect(before.map(({ status, offset, staged }) => [status, offset, staged])).toEqual([
    [200, '0', 0],
    [200, '0', 0],
  ]);
  const done: string[] = [];
  for (const written of addressesOf(mine, hers))
    for (const method of methods) {
      const { status, text, headers } = await askOf(method, `/files/${written}`, mia.browser);
      const isTold = text.includes(secretName) || text.includes(encode(secretName)) || 'upload-length' in headers;
      if (status < 400 || status >= 500 || isTold) done.push(`${method} /files/${written}: ${status}`);
    }
  expect(done).toEqual([]);
  expect([await lookAt(hers, lia), await lookAt(mine, mia)]).toEqual(before);
});

test("an upload is begun at /files and nowhere else, and of nobody's parts", async () => {
  const albumId: string = (await app.call('albums.create', { name: 'Land', peopleConsent: 'only_me' }, mia.browser))
    .body.id;
  const metadata = `albumId ${encode(albumId)},filename ${encode('new.jpg')}`;
  const said = { 'upload-length': '10', 'upload-metadata': metadata };
  const count = () => readRows(app, 'select count(*) from uploads');
  const before = [await lookAt(hers, lia), await count()];
  for (const end of [`?/${hers}`, `#/${hers}`, '?', '/', '//', `/${mine}`, `/${hers}`])
    expect([end, (await ask('POST', `/files${end}`, mia.browser, said)).status]).toEqual([
      end,
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
    ]);
  for (const concat of [`final;/files/${hers}`, `final;/files/${mine} /files/${hers}`, 'partial', `/files/${hers}`]) {
    const { status, text } = await ask('POST', '/files', mia.browser, { ...said, 'upload-concat': concat });
    expect([concat, status >= 400, text.includes(secretName)]).toEqual([concat, true, false]);
  }
  expect([await lookAt(hers, lia), await count()]).toEqual(before);
});

test('a query on the address of an upload is refused in words, and its plain address works', async () => {
  for (const method of ['PATCH', 'DELETE']) {
    const { status, text } = await askOf(method, `/files/${mine}?x=1`, mia.browser);
    expect([status, text]).toEqual([422, expect.stringContaining('The address of an upload has no query.')]);
  }
  const written = await askOf('PATCH', `/files/${mine}`, mia.browser);
  expect([written.status, written.headers['upload-offset']]).toEqual([204, '2']);
  expect(written.headers['access-control-allow-origin'], "no other site's script reads it").toBeUndefined();
  expect((await askOf('DELETE', `/files/${mine}`, mia.browser)).status).toBe(204);
  expect((await lookAt(mine, mia)).staged).toBeUndefined();
});

test('a part may come as a POST that says that it is one, and as no other POST', async () => {
  const id = await begin(mia, 4, 'post.jpg');
  const plain = await ask('POST', `/files/${id}`, mia.browser, piece, 'ab');
  const other = await ask('POST', `/files/${id}`, mia.browser, { ...piece, 'x-http-method-override': 'DELETE' }, 'ab');
  expect([plain.status, other.status]).toEqual([404, 404]);
  expect((await lookAt(id, mia)).staged).toBe(0);
  expect((await askOf('PATCH as POST', `/files/${id}`, lia.browser)).status).toBe(404);
  const written = await askOf('PATCH as POST', `/files/${id}`, mia.browser);
  expect([written.status, written.headers['upload-offset']]).toEqual([204, '2']);
  expect((await lookAt(id, mia)).staged).toBe(2);
});

test('a file without any bytes is refused, and says what to do', async () => {
  const albumId: string = (await app.call('albums.create', { name: 'Empty', peopleConsent: 'only_me' }, mia.browser))
    .body.id;
  const metadata = `albumId ${encode(albumId)},filename ${encode('zero.jpg')}`;
  const { status, text } = await ask('POST', '/files', mia.browser, {
    'upload-length': '0',
    'upload-metadata': metadata,
  });
  expect([status, text]).toEqual([
    422,
    expect.stringContaining("This file is empty. If it's in the cloud, download it"),
  ]);
});
