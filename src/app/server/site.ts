import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SiteFacts } from '#app/pages/site-facts.ts';
import type { Log } from '#engines/engines.ts';
import { frameMark, showsFrame } from '#features/accounts/provider-frame.ts';
import { readConsent } from '#features/accounts/visitor.ts';
import { builtInVideo } from '#features/marketing/demo-video.ts';
import { writeRobots, writeSitemap } from '#features/marketing/head.ts';
import { endedInvitation, missingPage, sitePages } from '#features/marketing/site-pages.ts';
import { redactPath } from '#kit/redacted-path.ts';
import { sayRefusal } from '#wire/raw.ts';
import { frameHeaders, frameSources } from './frame-page.ts';
import { hashOf, makePage, type Page, type Sources, send } from './html-page.ts';
import { readPagePaths } from './page-paths.ts';
import { previewHeaders } from './preview-page.ts';
import { openPublicPages } from './public-pages.ts';

const inlineStyle = /<style[^>]*>([\s\S]*?)<\/style>/g;

/** @throws when it was not built */
function readBuilt(build: string, file: string): string {
  const whole = path.join(build, file);
  if (!existsSync(whole)) throw new Error(`There are no built pages in ${build}. Run \`npm run build\`.`);
  return readFileSync(whole, 'utf8');
}

/** The frame of the studio's program. It is the same for all its pages but for what those may do that show Stripe's frame. */
function readShell(build: string, isStripe: boolean): (url: string) => Page {
  const built = readBuilt(build, shellFile);
  // React sets style attributes while it renders.
  const styles = ["'unsafe-inline'"];
  const shell = (text: string, twin: Buffer | undefined, more?: Sources) => ({
    ...makePage(text, { styles, ...more }, twin),
    vary,
  });
  if (!isStripe) {
    const twin = path.join(build, `${shellFile}.br`);
    const only = shell(built, existsSync(twin) ? readFileSync(twin) : undefined);
    return () => only;
  }
  const marked = built.replace('<head>', `<head><meta name="${frameMark}">`);
  const twin = brotliCompressSync(Buffer.from(marked));
  const plain = shell(marked, twin);
  const framing = { ...shell(marked, twin, frameSources), headers: frameHeaders };
  return (url) => (showsFrame(...splitUrl(url)) ? framing : plain);
}

/** The viewer app's door; it does without style attributes. */
function readDoor(build: string, publicUrl: string): Page {
  const source = readBuilt(build, 'viewer/viewer.html');
  // Messengers fetch the card beside a link only when its whole address is given, which the build cannot know.
  const text = source.replace('og:image" content="/', `og:image" content="${publicUrl}/`);
  const styles = [...text.matchAll(inlineStyle)].map(([, style = '']) => hashOf(style));
  return makePage(text, { styles }, brotliCompressSync(Buffer.from(text)));
}

/** The same for a creator's preview, in a frame of the studio. @throws when it was not built */
function readPreview(build: string): Page {
  const text = readBuilt(build, 'preview/viewer.html');
  const styles = [...text.matchAll(inlineStyle)].map(([, style = '']) => hashOf(style));
  const page = makePage(text, { styles, ancestors: ["'self'"] }, brotliCompressSync(Buffer.from(text)));
  return { ...page, headers: previewHeaders };
}

/** Returns what the server's own pages take out of the build. */
export const readParts = (build: string) => ({
  pageHead: readPageHead(build),
  creatorScript: findScript(build, 'creator-script'),
  previewPage: readPreview(build),
});

const shellFile = 'client/index.html';

/** Parts of the head of the built pages, one a line; none where nothing was built. */
function readHead(build: string, parts: RegExp): string {
  const shell = path.join(build, shellFile);
  const html = existsSync(shell) ? readFileSync(shell, 'utf8') : '';
  return (html.match(parts) ?? []).join('\n');
}

/** The links of the built pages to their icon, styles and fonts, for pages that the server writes itself. */
const readPageHead = (build: string): string => readHead(build, /<link rel="(?:icon|preload|stylesheet)"[^>]*>/g);

/** Returns by what a public page can be put on a home screen as the app, with the colours of its frame there. */
const readAppHead = (build: string) =>
  readHead(
    build,
    /<(?:link rel="(?:manifest|apple-touch-icon)"|meta name="(?:theme-color|apple-mobile-web-app-title)")[^>]*>/g,
  );

/** The address of a script that the build named by its content; nothing where it was not built. */
function findScript(build: string, name: string): string | undefined {
  const assets = path.join(build, 'client/assets');
  const files = existsSync(assets) ? readdirSync(assets) : [];
  const file = files.find((one) => one.startsWith(`${name}-`) && one.endsWith('.js'));
  return file && `/assets/${file}`;
}

/** A worker lives under the policy of its own script: it asks our server for leases and imports our other scripts. */
const assetPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const isKnown = ({ headers }: FastifyRequest) =>
  /(^|;\s*)(__Secure-|__Host-)?pf\.session_token=/.test(headers.cookie ?? '');

/** What the pages need to know of the installation. */
export interface SiteOf {
  isSandbox: boolean;
  /** Plans are paid for in a frame of Stripe's, whose script the studio's program loads. */
  isStripe?: boolean;
  publicUrl: string;
  /** What the public pages say by the settings in force. */
  readFacts: () => Promise<SiteFacts>;
  /** Whether somebody can still join by an invitation; looking takes no place. */
  isInvitationOpen: (token: string) => Promise<boolean>;
  /** Whether a request is of an administrator's session. */
  isAdministrator: (request: FastifyRequest) => Promise<boolean>;
  /** Hears which pages were missing. */
  log: Log;
}

/**
 * The built pages: public ones rendered by the facts in force, the studio's shell for the rest and for whoever is signed in, the
 * viewer app's door for every slug, assets for a year.
 * @param build folder of the built pages, absolute
 */
export async function mountSite(app: FastifyInstance, build: string, site: SiteOf): Promise<void> {
  const { isSandbox, publicUrl, log } = site;
  const shellOf = readShell(build, site.isStripe ?? false);
  const door = readDoor(build, publicUrl);
  const isPage = readPagePaths(build);
  const pageHead = `${readAppHead(build)}\n${readPageHead(build)}`;
  const publicPages = openPublicPages({ ...site, build, pageHead });

  // The same bytes for every slug: nothing is looked up, counted or made by GET, HEAD or prefetch.
  // So is what somebody has written behind one, a slash or more: the page itself finds the slug in its address.
  for (const address of ['/view/:slug', '/view/:slug/*'])
    app.get(address, { config: { who: ['anybody'] } }, async (request, reply) => {
      reply
        .header('x-robots-tag', 'noindex, noarchive, nosnippet, noimageindex')
        .header('referrer-policy', 'no-referrer');
      return send(request, reply, door);
    });
  await mountAssets(app, build);
  mountForRobots(app, publicUrl);
  await mountVideo(app, build);
  mountInstallable(app, build);
  /** A page for everybody; whoever is signed in has a face of it in the studio's program. */
  const sendPublic = async (request: FastifyRequest, reply: FastifyReply, address: string) => {
    const page = isKnown(request)
      ? undefined
      : await publicPages.pageAt(address, readConsent(request.headers.cookie ?? ''));
    return send(request, reply, page === undefined ? shellOf(request.url) : { ...page, vary });
  };
  /** Parts of the full check are pages of a sandbox, and of administrators; some pages are theirs alone. */
  const isShown = async (request: FastifyRequest, pathname: string) => {
    if (!isPage(pathname)) return false;
    const address = addressOf(pathname);
    if (!isForAdministrators(address) && (isSandbox || !isForChecking(address))) return true;
    return isKnown(request) && (await site.isAdministrator(request));
  };
  app.get('/free-join/:token', { config: { who: ['anybody'] } }, async (request, reply) => {
    // The address is the secret: no other site hears of it.
    reply.header('referrer-policy', 'no-referrer');
    const { token } = request.params as { token: string };
    if (await site.isInvitationOpen(token)) return send(request, reply, shellOf(request.url));
    return sendPublic(request, reply.code(410), endedInvitation);
  });
  app.get('/*', { config: { who: ['anybody'] } }, async (request, reply) => {
    const [pathname, search] = splitUrl(request.url);
    const isOurs = /^\/(api|rpc|m)\//.test(pathname) || (pathname.startsWith('/dev/') && !isSandbox);
    if (isOurs) return reply.code(404).send({ code: 'NOT_FOUND', message: "This doesn't exist, or isn't yours." });
    const address = addressOf(pathname);
    // Who was invited by somebody comes for the trial.
    if (address === '/signup' && new URLSearchParams(search).has('ref'))
      return send(request, reply, shellOf(request.url));
    if (isPublic.has(address)) {
      if (!isKnown(request)) reply.removeHeader('x-robots-tag');
      return sendPublic(request, reply, address);
    }
    if (await isShown(request, pathname)) return send(request, reply, shellOf(request.url));
    log.warn({ requestId: request.id, missing: redactPath(pathname) }, 'no such page');
    return sendPublic(request, reply.code(404), missingPage);
  });
}

const isForAdministrators = (address: string) => address === '/diagram/installation';
const isForChecking = (address: string) => /^\/test-(access|auth|payment)$/.test(address);

const vary = 'cookie, accept-encoding';
const isPublic = new Set(sitePages.map(({ address }) => address));

const splitUrl = (url: string): [pathname: string, search: string] => {
  const [pathname = '/', search = ''] = url.split('?', 2);
  return [pathname, search];
};

/** As the browser's own router reads it: in either case, with or without a slash at the end. */
const addressOf = (pathname: string) => pathname.replace(/(?<=[^/])\/$/, '').toLowerCase();

async function mountAssets(app: FastifyInstance, build: string): Promise<void> {
  for (const [folder, prefix] of [
    ['client/assets', '/assets/'],
    ['viewer/assets', '/viewer/assets/'],
    ['preview/assets', '/preview/assets/'],
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
}

function mountForRobots(app: FastifyInstance, publicUrl: string): void {
  const addresses = sitePages.map(({ address }) => address);
  for (const [address, type, text] of [
    ['/robots.txt', 'text/plain; charset=utf-8', writeRobots(publicUrl)],
    ['/sitemap.xml', 'application/xml; charset=utf-8', writeSitemap(publicUrl, addresses)],
  ] as const)
    app.get(address, { config: { who: ['anybody'] } }, async (_request, reply) =>
      reply.removeHeader('x-robots-tag').type(type).send(text),
    );
}

/** The app that can be installed: its service worker, which fetches from this server alone, its manifests and icons. */
function mountInstallable(app: FastifyInstance, build: string): void {
  const root = path.join(build, 'client');
  const headers = { 'content-security-policy': assetPolicy, 'cache-control': 'private, no-cache' };
  const config = { who: ['anybody'] } as const;
  for (const [address, type] of [
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/manifest-neutral.webmanifest', 'application/manifest+json'],
  ] as const) {
    const text = readBuilt(build, `client${address}`);
    app.get(address, { config }, async (_request, reply) => reply.headers(headers).type(type).send(text));
  }
  const folder = path.join(root, 'icons');
  const icons = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
  app.get('/icons/:name', { config }, async (request, reply) => {
    const icon = icons.get((request.params as { name: string }).name);
    return icon === undefined ? sayRefusal(reply, 'NOT_FOUND') : reply.headers(headers).type('image/png').send(icon);
  });
}

/** The demo video and its poster, where they were made; a player asks for parts of it. */
async function mountVideo(app: FastifyInstance, build: string): Promise<void> {
  const root = path.join(build, 'client');
  const files = [builtInVideo.src, builtInVideo.poster].filter((address) => existsSync(path.join(root, address)));
  if (files.length === 0) return;
  await app.register(fastifyStatic, { root, serve: false, index: false, cacheControl: false });
  for (const address of files)
    app.get(address, { config: { who: ['anybody'] } }, async (_request, reply) =>
      reply.removeHeader('x-robots-tag').header('cache-control', 'no-cache').sendFile(address.slice(1)),
    );
}
