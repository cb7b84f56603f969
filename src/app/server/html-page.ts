import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takes } from '#wire/compressed.ts';

/** An HTML file in memory with its brotli twin, its policy and its tag. */
export interface Page {
  html: Buffer;
  brotli: Buffer | undefined;
  policy: string;
  etag: string;
  vary: string;
  /** Headers that it has instead of the app's. */
  headers?: Readonly<Record<string, string>>;
}

/** What a page may load beside what is our own. */
export interface Sources {
  styles?: readonly string[];
  scripts?: readonly string[];
  connect?: readonly string[];
  images?: readonly string[];
  frames?: readonly string[];
  trustedTypes?: readonly string[];
  /** Who may show it in a frame; nobody where it is left out. */
  ancestors?: readonly string[];
}

const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One policy per file: the hash of each inline script of that very file, and what else it may load. */
export function policyOf(
  html: string,
  {
    styles = [],
    scripts = [],
    connect = [],
    images = [],
    frames = [],
    trustedTypes = [],
    ancestors = ["'none'"],
  }: Sources,
): string {
  const inline = [...html.matchAll(inlineScript)].filter(([, attributes = '']) => !attributes.includes('ld+json'));
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...inline.map(([, , script = '']) => hashOf(script)), ...scripts].join(' '),
    ['style-src', "'self'", ...styles].join(' '),
    ['img-src', "'self'", 'blob:', 'data:', ...images].join(' '),
    "media-src 'self' blob:",
    "worker-src 'self'",
    ['connect-src', "'self'", ...connect].join(' '),
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ['frame-ancestors', ...ancestors].join(' '),
    "require-trusted-types-for 'script'",
    ['trusted-types', 'default', ...trustedTypes].join(' '),
  ].join('; ');
}

/** A page of this text. @param brotli its twin, where one was made already */
export function makePage(text: string, sources: Sources, brotli: Buffer | undefined): Page {
  const html = Buffer.from(text);
  return {
    html,
    brotli,
    policy: policyOf(text, sources),
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    vary: 'accept-encoding',
  };
}

/** Small enough, and quick enough for a page that is made while somebody waits. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
export const compressPage = (text: string): Promise<Buffer> => promisify(brotliCompress)(text, { params });

export function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', page.vary)
    .header('etag', page.etag)
    .headers(page.headers ?? {});
  if (request.headers['if-none-match'] === page.etag && reply.statusCode === 200) return reply.code(304).send();
  reply.type('text/html; charset=utf-8');
  if (page.brotli !== undefined && takes(request, 'br'))
    return reply.header('content-encoding', 'br').send(page.brotli);
  return reply.send(page.html);
}
