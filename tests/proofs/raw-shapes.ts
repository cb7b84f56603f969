import type { RouteOptions } from 'fastify';
import type { Things } from './matrix-world.ts';

/** How a raw route is asked. */
export interface Shape {
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** How each raw route is asked about somebody's things. A route without a line fails. */
const shapes: Record<string, (things: Things) => Shape> = {
  'GET /api/me': () => ({ path: '/api/me' }),
  'PUT /api/profile/avatar': () => ({
    path: '/api/profile/avatar',
    body: {},
    headers: { 'content-type': 'application/octet-stream' },
  }),
  'DELETE /api/profile/avatar': () => ({ path: '/api/profile/avatar' }),
  'GET /api/media/:mediaId/original': ({ medium }) => ({ path: `/api/media/${medium}/original` }),
  'POST /api/media/leases': ({ medium }) => ({
    path: '/api/media/leases',
    body: { items: [{ mediaId: medium, rendition: 'thumb512' }] },
  }),
  'GET /api/media/:mediaId/film/:playlist': ({ film }) => ({ path: `/api/media/${film}/film/v720.m3u8` }),
  'POST /api/traces': ({ album }) => ({
    path: `/api/traces?albumId=${album}`,
    body: {},
    headers: { 'content-type': 'application/octet-stream' },
  }),
  'GET /api/traces/:traceId/original': ({ trace }) => ({ path: `/api/traces/${trace}/original` }),
  'GET /api/traces/:traceId/preview': ({ trace }) => ({ path: `/api/traces/${trace}/preview` }),
  'POST /api/traces/:traceId/evidence.json': ({ trace }) => ({
    path: `/api/traces/${trace}/evidence.json`,
    body: {},
  }),
  'POST /api/traces/:traceId/evidence.pdf': ({ trace }) => ({
    path: `/api/traces/${trace}/evidence.pdf`,
    body: {},
  }),
  'GET /m/c/:packId/:tag': ({ packId }) => ({
    path: `/m/c/${packId}/${'A'.repeat(16)}`,
    headers: { 'pf-lease': 'A'.repeat(94) },
  }),
  'GET /m/s/:packId/:part': ({ trackId }) => ({
    path: `/m/s/${trackId}/0`,
    headers: { 'pf-lease': 'A'.repeat(94), range: 'bytes=0-15' },
  }),
  'GET /api/view/films/:visitId/:mediaId/:playlist': ({ visit, film }) => ({
    path: `/api/view/films/${visit}/${film}/v720.m3u8`,
  }),
  'POST /api/view/:slug/open': ({ slug }) => ({ path: `/api/view/${slug}/open`, body: {} }),
  'POST /api/view/leases': ({ visit, medium }) => ({
    path: '/api/view/leases',
    body: { visitId: visit, items: [{ mediaId: medium, rendition: 'p2048' }] },
  }),
  'GET /api/live/view': ({ visit }) => ({ path: `/api/live/view?visit=${visit}` }),
  'GET /api/live': () => ({ path: '/api/live' }),
  'POST /files': () => ({ path: '/files', headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } }),
  'HEAD /files/:id': ({ upload }) => ({ path: `/files/${upload}`, headers: { 'tus-resumable': '1.0.0' } }),
  'PATCH /files/:id': ({ upload }) => ({
    path: `/files/${upload}`,
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  }),
  'DELETE /files/:id': ({ upload }) => ({ path: `/files/${upload}`, headers: { 'tus-resumable': '1.0.0' } }),
};

/** Served alike to everybody, or to a developer on this machine alone: they hold nothing of anybody. */
export const isOpen = (route: RouteOptions) => ['anybody', 'developer'].includes(String(route.config?.who?.[0]));
export const namesOf = (route: RouteOptions) => [route.method].flat().map((method) => `${method} ${route.url}`);
/** tus answers these to everybody signed in, without a thing of anybody in them; HEAD of a GET route is Fastify's own. */
const isPlain = (name: string) =>
  /^(HEAD (?!\/files\/:id)|OPTIONS |(PATCH|DELETE|HEAD) \/files$|POST \/files\/:id)/.test(name);

/** Raw routes that are not for everybody, one entry a method. */
export const listClosed = (routes: readonly RouteOptions[]) =>
  routes
    .filter((route) => !isOpen(route))
    .flatMap((route) => namesOf(route).map((name) => ({ route, name })))
    .filter(({ name }) => !isPlain(name));

/** @throws when nobody gave the route a line */
export function shapeOf(name: string, things: Things): Shape {
  if (name.endsWith('.csv')) return { path: name.replace('GET ', '') };
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`Give ${name} a line in tests/proofs/raw-shapes.ts.`);
  return shape(things);
}
