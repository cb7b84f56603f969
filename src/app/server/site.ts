import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#engines/engines.ts';
import { takes } from '#wire/compressed.ts';
import { readPagePaths, tellMissingPath } from './page-paths.ts';

/** An HTML file in memory with its brotli twin, its policy and its tag. */
interface Page {
  html: Buffer;
  brotli: Buffer | undefined;
  policy: string;
  etag: string;
  vary: string;
}

const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const inlineStyle = /<style[^>]*>([\s\S]*?)<\/style>/g;
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One policy per file: the hash of each inline script and style of that very file. */
function policyOf(html: string, styles: string): string {
  const scripts = [...html.matchAll(inlineScript)].filter(([, attributes = '']) => !attributes.includes('ld+json'));
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.map(([, , script = '']) => hashOf(script)).join(' ')}`.trim(),
    `style-src 'self' ${styles}`.trim(),
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "connect-src 'self'",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

function readPage(file: string, isViewerApp: boolean, publicUrl: string): Page | undefined {
  if (!existsSync(file)) return undefined;
  const source = readFileSync(file, 'utf8');
  // Messengers fetch the card beside a link only when its whole address is given, which the build cannot know.
  const text = isViewerApp ? source.replace('og:image" content="/', `og:image" content="${publicUrl}/`) : source;
  const html = Buffer.from(text);
  // React sets style attributes while it prerenders; the viewer app does without any.
  const styles = isViewerApp
    ? [...text.matchAll(inlineStyle)].map(([, style = '']) => hashOf(style)).join(' ')
    : "'unsafe-inline'";
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return {
    html,
    brotli: isViewerApp ? brotliCompressSync(html) : existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : undefined,
    policy: policyOf(text, styles),
    etag,
    vary: 'accept-encoding',
  };
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', page.vary)
    .header('etag', page.etag);
  if (request.headers['if-none-match'] === page.etag && reply.statusCode === 200) return reply.code(304).send();
  reply.type('text/html; charset=utf-8');
  if (page.brotli !== undefined && takes(request, 'br'))
    return reply.header('content-encoding', 'br').send(page.brotli);
  return reply.send(page.html);
}

/** The links of the built pages to their icon, styles and fonts, for a page that the server writes itself. */
export function readPageHead(build: string): string {
  const shell = path.join(build, 'client/__spa-fallback.html');
  const html = existsSync(shell) ? readFileSync(shell, 'utf8') : '';
  return (html.match(/<link rel="(?:icon|preload|stylesheet)"[^>]*>/g) ?? []).join('\n');
}

/** A worker lives under the policy of its own script: it asks our server for leases and imports our other scripts. */
const assetPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Public pages beside home that stand ready to be read, without JavaScript too. */
const toRead = ['/pricing', '/help', '/privacy-policy', '/terms-of-use', '/acceptable-use'];
/** Pages that say something else to somebody who is signed in: a known browser gets the shell, everybody else what stands ready. */
const twoFaced = new Set(['/', '/pricing', '/help']);

const robots = `User-agent: *
Disallow: /view/
Disallow: /my
Disallow: /account
Disallow: /api/
`;

/**
 * The built pages: prerendered ones, the studio's shell for the rest, the viewer app's door for every slug, assets for a year.
 * @param build folder of the built pages, absolute
 * @param installation its public address; a sandbox shows /dev/ui; the log hears which pages were missing
 */
export async function mountSite(
  app: FastifyInstance,
  build: string,
  { isSandbox, publicUrl, log }: { isSandbox: boolean; publicUrl: string; log: Log },
): Promise<void> {
  const pages = new Map<string, Page | undefined>();
  const pageAt = (file: string): Page | undefined => {
    if (!pages.has(file)) pages.set(file, readPage(path.join(build, file), file.startsWith('viewer/'), publicUrl));
    return pages.get(file);
  };
  const shell = pageAt('client/__spa-fallback.html');
  const home = pageAt('client/index.html');
  const door = pageAt('viewer/viewer.html');
  const read = new Map(toRead.map((address) => [address, pageAt(`client${address}/index.html`)]));
  if (shell === undefined || door === undefined || home === undefined)
    throw new Error(`There are no built pages in ${build}. Run \`npm run build\`.`);
  const isPage = readPagePaths(build);
  const sendShell = (request: FastifyRequest, reply: FastifyReply, pathname: string) => {
    if (isPage(pathname)) return send(request, reply, shell);
    log.warn({ requestId: request.id, missing: tellMissingPath(pathname) }, 'no such page');
    return send(request, reply.code(404), shell);
  };

  // The same bytes for every slug: nothing is looked up, counted or made by GET, HEAD or prefetch.
  // So is what somebody has written behind one, a slash or more: the page itself finds the slug in its address.
  for (const address of ['/view/:slug', '/view/:slug/*'])
    app.get(address, { config: { who: ['anybody'] } }, async (request, reply) => {
      reply
        .header('x-robots-tag', 'noindex, noarchive, nosnippet, noimageindex')
        .header('referrer-policy', 'no-referrer');
      return send(request, reply, door);
    });
  for (const [folder, prefix] of [
    ['client/assets', '/assets/'],
    ['viewer/assets', '/viewer/assets/'],
  ] as const)
    await app.register(fastifyStatic, {
      root: path.join(build, folder),
      prefix,
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      decorateReply: false,
      index: false,
      setHeaders: (reply) => {
        reply.header('content-security-policy', assetPolicy);
        reply.removeHeader('x-robots-tag');
      },
    });
  app.get('/robots.txt', { config: { who: ['anybody'] } }, async (_request, reply) =>
    reply.removeHeader('x-robots-tag').type('text/plain').send(robots),
  );
  app.get('/*', { config: { who: ['anybody'] } }, async (request, reply) => {
    const [pathname = '/'] = request.url.split('?', 1);
    const isOurs = /^\/(api|rpc|m)\//.test(pathname) || (pathname.startsWith('/dev/') && !isSandbox);
    if (isOurs) return reply.code(404).send({ code: 'NOT_FOUND', message: "This doesn't exist, or isn't yours." });
    const address = pathname === '/' ? pathname : pathname.replace(/\/$/, '');
    const page = pathname === '/' ? home : read.get(address);
    if (page === undefined) return sendShell(request, reply, pathname);
    if (!twoFaced.has(address)) return send(request, reply.removeHeader('x-robots-tag'), page);
    const isKnown = /(^|;\s*)(__Secure-)?pf\.session_token=/.test(request.headers.cookie ?? '');
    const vary = 'cookie, accept-encoding';
    if (isKnown) return send(request, reply, { ...shell, vary });
    return send(request, reply.removeHeader('x-robots-tag'), { ...page, vary });
  });
}
