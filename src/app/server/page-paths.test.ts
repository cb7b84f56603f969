import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyRequest } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { usualFacts as usualHelpFacts } from '#features/assistant/facts.ts';
import { usualFacts } from '#features/marketing/facts.ts';
import { redactPath } from '#kit/redacted-path.ts';
import { openLog } from '../log.ts';
import { readPagePaths } from './page-paths.ts';
import { mountSite } from './site.ts';

const build = mkdtempSync(path.join(tmpdir(), 'pf-build-'));
afterAll(() => rmSync(build, { recursive: true }));

const publicUrl = 'https://example.com';
const site = {
  isSandbox: false,
  publicUrl,
  readFacts: async () => ({ site: { ...usualFacts, publicUrl }, help: usualHelpFacts }),
  isInvitationOpen: async (token: string) => token === 'open',
  isAdministrator: async ({ headers }: FastifyRequest) => headers.cookie === 'pf.session_token=operator',
};

const routes = {
  root: { id: 'root', path: '' },
  home: { id: 'home', parentId: 'root', index: true },
  studio: { id: 'studio', parentId: 'root' },
  albums: { id: 'albums', parentId: 'studio', path: '/albums' },
  album: { id: 'album', parentId: 'studio', path: '/albums/:albumId' },
  items: { id: 'items', parentId: 'album', index: true },
  checking: { id: 'checking', parentId: 'root', path: '/test-payment' },
  diagram: { id: 'diagram', parentId: 'root', path: '/diagram' },
  installation: { id: 'installation', parentId: 'diagram', path: 'installation' },
  links: { id: 'links', parentId: 'album', path: 'links' },
  missing: { id: 'missing', parentId: 'root', path: '*' },
};
for (const folder of ['client/assets', 'viewer/assets', 'preview/assets', 'public'])
  mkdirSync(path.join(build, folder), { recursive: true });
writeFileSync(
  path.join(build, 'public/render-pages.js'),
  "export const renderPages = () => ({ '/': '<h1>home</h1>', '/404': '<h1>missing</h1>', '/free-join': '<h1>ended</h1>', consent: '' });",
);
const appHead = ['<meta name="theme-color" content="#fdf9f4"/>', '<link rel="manifest" href="/manifest.webmanifest"/>'];
const shell = `<title>client/index.html</title>${appHead.join('')}<link rel="modulepreload" href="/assets/root.js"/>`;
writeFileSync(path.join(build, 'client/index.html'), shell);
mkdirSync(path.join(build, 'client/icons'));
for (const file of ['sw.js', 'manifest.webmanifest', 'manifest-neutral.webmanifest'])
  writeFileSync(path.join(build, 'client', file), '');
const card = '<meta property="og:image" content="/viewer/assets/card.png">';
writeFileSync(path.join(build, 'viewer/viewer.html'), `<title>viewer/viewer.html</title>${card}`);
writeFileSync(
  path.join(build, 'client/assets/manifest-1a2b.js'),
  `window.__reactRouterManifest=${JSON.stringify({ routes })};`,
);

describe('which addresses are pages', () => {
  it.each(['/', '/albums', '/albums/', '/Albums', '/albums/42', '/albums/42/links'])('%s is one', (address) => {
    expect(readPagePaths(build)(address)).toBe(true);
  });
  it.each(['/album', '/albums/42/links/more', '/albums/42/else', '/wp-login.php', '//'])('%s is none', (address) => {
    expect(readPagePaths(build)(address)).toBe(false);
  });
});

describe('the card beside a link', () => {
  it('has its whole address under the public one, for every slug', async () => {
    const app = Fastify();
    await mountSite(app, build, { ...site, log: openLog('silent') });
    const { body } = await app.inject('/view/x');
    expect(body).toContain('<meta property="og:image" content="https://example.com/viewer/assets/card.png"');
    expect((await app.inject('/view/anything-else')).body).toBe(body);
    await app.close();
  });
});

describe('an invitation', () => {
  it('is answered 410 and alike when it has ended, tells no other site its address, and is not spent by being opened', async () => {
    const app = Fastify();
    await mountSite(app, build, { ...site, log: openLog('silent') });
    const open = await app.inject('/free-join/open');
    expect([open.statusCode, open.body]).toEqual([200, shell]);
    const ended = await Promise.all(['used-up', 'never-made'].map((token) => app.inject(`/free-join/${token}`)));
    for (const { statusCode, body, headers } of ended) {
      expect([statusCode, headers['referrer-policy']]).toEqual([410, 'no-referrer']);
      expect(body).toContain('<h1>ended</h1>');
      expect(body).toBe(ended[0]?.body);
    }
    await app.close();
  });
});

const statusOf = async (isSandbox: boolean, cookie: string, address: string) => {
  const app = Fastify();
  await mountSite(app, build, { ...site, isSandbox, log: openLog('silent') });
  const { statusCode } = await app.inject({ url: address, headers: { cookie } });
  await app.close();
  return statusCode;
};

describe('a part of the full check', () => {
  it('is a page of a sandbox and of an administrator, and for everybody else there is none', async () => {
    expect(await statusOf(true, '', '/test-payment')).toBe(200);
    expect(await statusOf(false, '', '/test-payment')).toBe(404);
    expect(await statusOf(false, '', '/Test-Payment/')).toBe(404);
    expect(await statusOf(false, 'pf.session_token=somebody', '/test-payment')).toBe(404);
    expect(await statusOf(false, 'pf.session_token=operator', '/test-payment')).toBe(200);
  });
});

describe('the diagram of this installation', () => {
  it.each([true, false])('is a page of an administrator alone, in a sandbox as well: %s', async (isSandbox) => {
    for (const address of ['/diagram/installation', '/Diagram/Installation/']) {
      expect(await statusOf(isSandbox, '', address)).toBe(404);
      expect(await statusOf(isSandbox, 'pf.session_token=somebody', address)).toBe(404);
      expect(await statusOf(isSandbox, 'pf.session_token=operator', address)).toBe(200);
    }
  });
});

describe('a public page', () => {
  it('can be put on a home screen as the app, and brings nothing of its program', async () => {
    const app = Fastify();
    await mountSite(app, build, { ...site, log: openLog('silent') });
    const { body, headers } = await app.inject('/');
    for (const part of appHead) expect(body).toContain(part);
    expect(body).not.toContain('modulepreload');
    // What a policy does not say of the manifest, it says by its default.
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';(?!.*manifest-src)/);
    await app.close();
  });

  it('is rendered again when its facts have changed, and stays as it is while nobody can say them', async () => {
    let read = site.readFacts;
    const warned: unknown[] = [];
    const log = { ...openLog('silent'), warn: (_about: object, words?: string) => void warned.push(words) };
    const app = Fastify();
    await mountSite(app, build, { ...site, readFacts: () => read(), log });
    const look = async () => (await app.inject('/')).body;
    expect(await look()).toContain('"name":"PrivateFans"');
    const named = { ...usualFacts, publicUrl, operator: { name: 'Example Studio', email: null } };
    read = async () => ({ site: named, help: usualHelpFacts });
    expect(await look()).toContain('"name":"Example Studio"');
    read = () => Promise.reject(new Error('the database is away'));
    expect(await look()).toContain('"name":"Example Studio"');
    expect(warned).toEqual(['public pages could not read their facts']);
    read = () => new Promise(() => undefined);
    expect(await look(), 'nobody waits for a database that does not answer').toContain('"name":"Example Studio"');
    await app.close();
  });
});

describe('a missing path in the log', () => {
  it('is told when it is made of words', () => {
    const plain = ['/earnings', '/onlyfans-alternative', '/blog/first/post', '/blog/2024', '/press/1999/more', '/'];
    expect(plain.map(redactPath)).toEqual(plain);
  });
  it.each([
    ['/view/anna/more', '/view/*/*'],
    ['/views/anna-k3ZpT8sQwL', '/views/*'],
    ['/k3ZpT8sQwLm2', '/*'],
    ['/reset/mia@example.com', '/reset/*'],
    ['/join/abcdefghijklmnop', '/join/*'],
    ['/verify/123456', '/verify/*'],
    ['/verify/4711', '/verify/*'],
    ['/%2e%2e/etc', '/*/etc'],
    ['/a/b/c/d/e/f/g/h', '/a/b/c/d/e'],
  ])('hides what could be a secret or a name: %s', (address, reported) => {
    expect(redactPath(address)).toBe(reported);
  });

  it('is logged with the request, without what came behind the question mark; a page is not', async () => {
    const written: string[] = [];
    // A sandbox's own log, which says no more than warnings.
    const log = openLog('warn', { write: (line) => void written.push(line) });
    const app = Fastify({ genReqId: () => 'request-1' });
    await mountSite(app, build, { ...site, log });
    const missing = await app.inject('/nothing/here?token=k3ZpT8sQwLm2');
    expect([missing.statusCode, missing.body.includes('<h1>missing</h1>')]).toEqual([404, true]);
    const signedIn = { cookie: 'pf.session_token=x' };
    expect((await app.inject({ url: '/in/studio', headers: signedIn })).body).toBe(shell);
    const again = await app.inject({ url: '/nothing', headers: { 'if-none-match': String(missing.headers.etag) } });
    expect(again.statusCode, 'whoever has the page already hears that it is none').toBe(404);
    for (const page of ['/', '/albums/42', '/view/anything', '/robots.txt'])
      expect((await app.inject(page)).statusCode, page).toBe(200);
    expect((await app.inject({ method: 'HEAD', url: '/in/page' })).statusCode, 'asked by a page that is open').toBe(
      404,
    );
    const reported = written.map((line) => JSON.parse(line));
    expect(reported.map(({ missing }) => missing)).toEqual(['/nothing/here', '/in/studio', '/nothing', '/in/page']);
    expect(reported[0]).toEqual({
      level: 40,
      time: expect.any(String),
      requestId: 'request-1',
      missing: '/nothing/here',
      msg: 'no such page',
    });
    await app.close();
  });
});
