import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { readPagePaths, tellMissingPath } from './page-paths.ts';
import { mountSite } from './site.ts';

const build = mkdtempSync(path.join(tmpdir(), 'pf-build-'));
afterAll(() => rmSync(build, { recursive: true }));

const routes = {
  root: { id: 'root', path: '' },
  home: { id: 'home', parentId: 'root', index: true },
  studio: { id: 'studio', parentId: 'root' },
  albums: { id: 'albums', parentId: 'studio', path: '/albums' },
  album: { id: 'album', parentId: 'studio', path: '/albums/:albumId' },
  items: { id: 'items', parentId: 'album', index: true },
  links: { id: 'links', parentId: 'album', path: 'links' },
  missing: { id: 'missing', parentId: 'root', path: '*' },
};
for (const folder of ['client/assets', 'salon/assets']) mkdirSync(path.join(build, folder), { recursive: true });
for (const page of ['client/__spa-fallback.html', 'client/index.html', 'salon/salon.html'])
  writeFileSync(path.join(build, page), `<title>${page}</title>`);
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

describe('a missing path in the log (spec §2)', () => {
  it('is told when it is made of words', () => {
    expect(['/earnings', '/onlyfans-alternative', '/blog/first/post', '/'].map(tellMissingPath)).toEqual([
      '/earnings',
      '/onlyfans-alternative',
      '/blog/first/post',
      '/',
    ]);
  });
  it.each([
    ['/view/anna/more', '/view/*/*'],
    ['/views/anna-k3ZpT8sQwL', '/views/*'],
    ['/k3ZpT8sQwLm2', '/*'],
    ['/reset/mia@example.com', '/reset/*'],
    ['/join/abcdefghijklmnop', '/join/*'],
    ['/verify/123456', '/verify/*'],
    ['/%2e%2e/etc', '/*/etc'],
    ['/a/b/c/d/e/f/g/h', '/a/b/c/d/e'],
  ])('hides what could be a secret or a name: %s', (address, told) => {
    expect(tellMissingPath(address)).toBe(told);
  });

  it('is logged with the request, without what came behind the question mark; a page is not', async () => {
    const lines: object[] = [];
    const log = { info: (line: object) => void lines.push(line), warn: () => undefined, error: () => undefined };
    const app = Fastify({ genReqId: () => 'request-1' });
    await mountSite(app, build, { isSandbox: false, publicUrl: 'https://example.com', log });
    const missing = await app.inject('/nothing/here?token=k3ZpT8sQwLm2');
    expect([missing.statusCode, missing.body]).toEqual([404, '<title>client/__spa-fallback.html</title>']);
    const again = await app.inject({ url: '/nothing', headers: { 'if-none-match': String(missing.headers.etag) } });
    expect(again.statusCode, 'whoever has the page already hears that it is none').toBe(404);
    for (const page of ['/', '/albums/42', '/view/anything', '/robots.txt'])
      expect((await app.inject(page)).statusCode, page).toBe(200);
    expect(lines).toEqual([
      { requestId: 'request-1', missing: '/nothing/here' },
      { requestId: 'request-1', missing: '/nothing' },
    ]);
    await app.close();
  });
});
