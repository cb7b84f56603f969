import type { RouteOptions } from 'fastify';
import type { Target } from '#tests/proofs/asking/target.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import type { Things } from './things.ts';

/** How a raw route is asked. */
export interface Shape {
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
}

const tus = { 'tus-resumable': '1.0.0' };
const bytes = { 'content-type': 'application/octet-stream' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const nobodys = '01900000-0000-7000-8000-000000000000';
/** What has the form of a token, and nothing else of it. */
const madeUp = 'A'.repeat(94);

/** How each raw route is asked about somebody's things, so that it gives them to whom they belong. A route without a line fails. */
const shapes: Record<string, (things: Things) => Shape> = {
  'GET /api/me': () => ({ path: '/api/me' }),
  'PUT /api/profile/avatar': ({ picture = {} }) => ({ path: '/api/profile/avatar', body: picture, headers: bytes }),
  'DELETE /api/profile/avatar': () => ({ path: '/api/profile/avatar' }),
  'GET /api/media/:mediaId/original': ({ medium }) => ({ path: `/api/media/${medium}/original` }),
  'GET /api/account/data/export/:exportId': ({ export: id }) => ({ path: `/api/account/data/export/${id}` }),
  'POST /api/media/leases': ({ medium }) => ({
    path: '/api/media/leases',
    body: { items: [{ mediaId: medium, rendition: 'thumb512' }] },
  }),
  'GET /api/media/:mediaId/video/:playlist': ({ video }) => ({ path: `/api/media/${video}/video/v720.m3u8` }),
  'POST /api/admin/glass/:glassId/leases': ({ medium, glass = nobodys }) => ({
    path: `/api/admin/glass/${glass}/leases`,
    body: { items: [{ mediaId: medium, rendition: 'thumb512' }] },
  }),
  'GET /api/admin/glass/:glassId/media/:mediaId/video/:playlist': ({ video, glass = nobodys }) => ({
    path: `/api/admin/glass/${glass}/media/${video}/video/v720.m3u8`,
  }),
  'POST /api/traces': ({ album }) => ({ path: `/api/traces?albumId=${album}`, body: {}, headers: bytes }),
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
  'POST /api/traces/:traceId/letter.pdf': ({ trace }) => ({
    path: `/api/traces/${trace}/letter.pdf`,
    body: { kind: 'intimate', address: 'https://leaks.example/1', name: 'Mia Example', email: 'mia@example.com' },
  }),
  'GET /m/c/:packId/:tag': ({ packId, tag = 'A'.repeat(16), leaseToken = madeUp }) => ({
    path: `/m/c/${packId}/${tag}`,
    headers: { 'pf-lease': leaseToken },
  }),
  'GET /m/s/:packId/:part': ({ trackId, videoToken = madeUp }) => ({
    path: `/m/s/${trackId}/0`,
    headers: { 'pf-lease': videoToken, range: 'bytes=0-15' },
  }),
  'GET /api/view/videos/:visitId/:mediaId/:playlist': ({ visit, video }) => ({
    path: `/api/view/videos/${visit}/${video}/v720.m3u8`,
  }),
  'GET /preview/links/:linkId': ({ link }) => ({ path: `/preview/links/${link}` }),
  'GET /preview/albums/:albumId': ({ album }) => ({ path: `/preview/albums/${album}` }),
  'POST /api/view/:slug/open': ({ slug }) => ({ path: `/api/view/${slug}/open`, body: {} }),
  'POST /api/view/:slug/gate': ({ slug }) => ({ path: `/api/view/${slug}/gate?reason=NEED_AGE` }),
  'POST /api/view/:slug/checkout': ({ slug }) => ({
    path: `/api/view/${slug}/checkout`,
    body: { offerId: 'tip', amountCents: 1000 },
  }),
  'POST /api/view/leases': ({ visit, medium }) => ({
    path: '/api/view/leases',
    body: { visitId: visit, items: [{ mediaId: medium, rendition: 'p2048' }] },
  }),
  'GET /api/live/view': ({ visit }) => ({ path: `/api/live/view?visit=${visit}` }),
  'GET /api/live/waiting': ({ slug }) => ({ path: `/api/live/waiting?slug=${slug}` }),
  'GET /api/live': () => ({ path: '/api/live' }),
  'GET /api/insights/visits.csv': () => ({ path: '/api/insights/visits.csv' }),
  'GET /api/money/statement.csv': () => ({ path: '/api/money/statement.csv?period=2026-11' }),
  'GET /api/money/statement.pdf': () => ({ path: '/api/money/statement.pdf?period=2026-11' }),
  'GET /api/money/receipts/:code/receipt.pdf': () => ({ path: '/api/money/receipts/of-nobody/receipt.pdf' }),
  'POST /api/webhook_events': () => ({
    path: '/api/webhook_events',
    body: {
      provider: 'web-vitals',
      event_type: 'performance_metrics',
      data: [{ metric: 'TTFB', value: 80, id: 'v6-1', navigationType: 'navigate', timestamp: 1e12, url: '/' }],
    },
  }),
  'POST /files': ({ album }) => ({
    path: '/files',
    headers: {
      ...tus,
      'upload-length': '10',
      'upload-metadata': uploadMetadata({ albumId: album, filename: 'a.jpg' }),
    },
  }),
  'HEAD /files/:id': ({ upload }) => ({ path: `/files/${upload}`, headers: tus }),
  'PATCH /files/:id': ({ upload }) => pieceAt(`/files/${upload}`),
  'POST /files/:id': ({ upload }) => pieceAt(`/files/${upload}`, { 'x-http-method-override': 'PATCH' }),
  'DELETE /files/:id': ({ upload }) => ({ path: `/files/${upload}`, headers: tus }),
  'POST /api/hooks/stripe': () => ({ path: '/api/hooks/stripe', body: {} }),
  'POST /api/hooks/stripe-connect': () => ({ path: '/api/hooks/stripe-connect', body: {} }),
  'POST /api/hooks/stripe-v2': () => ({ path: '/api/hooks/stripe-v2', body: {} }),
  'POST /sandbox/pay/:session': () => ({
    path: '/sandbox/pay/cs_test_nobodys',
    body: 'email=a%40example.com&card=4242',
    headers: form,
  }),
  'POST /sandbox/onboard/:account': () => ({
    path: '/sandbox/onboard/acct_nobodys',
    body: 'answer=complete',
    headers: form,
  }),
  'POST /sandbox/card/:portal': () => ({
    path: '/sandbox/card/bps_nobodys',
    body: 'card=4242424242424242',
    headers: form,
  }),
  'POST /sandbox/bank/:asked': () => ({
    path: '/sandbox/bank/cs_test_nobodys',
    body: 'answer=complete',
    headers: form,
  }),
  'POST /api/hooks/mail': () => ({ path: '/api/hooks/mail', body: { events: [] } }),
  'POST /unsubscribe/:token': () => ({
    path: '/unsubscribe/nobody',
    body: 'List-Unsubscribe=One-Click',
    headers: form,
  }),
  'POST /share-target': () => ({ path: '/share-target', body: 'media=', headers: form }),
  'POST /dev/disputes': () => ({ path: '/dev/disputes', body: 'dispute=du_none&decision=won', headers: form }),
  'POST /dev/clock': () => ({ path: '/dev/clock', body: 'seconds=0', headers: form }),
  'POST /dev/webhooks': () => ({ path: '/dev/webhooks', body: 'telling=on', headers: form }),
  'POST /dev/become': ({ email = '' }) => ({
    path: '/dev/become',
    body: String(new URLSearchParams({ email })),
    headers: form,
  }),
};

/** The first two bytes of a file. */
const pieceAt = (path: string, more: Record<string, string> = {}): Shape => ({
  path,
  body: 'ab',
  headers: { ...tus, ...more, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
});

/** Served alike to everybody, or to a developer on this machine alone: they hold nothing of anybody. */
export const isOpen = (route: RouteOptions) => ['anybody', 'developer'].includes(String(route.config?.who?.[0]));
export const namesOf = (route: RouteOptions) => [route.method].flat().map((method) => `${method} ${route.url}`);
/** tus answers OPTIONS to everybody signed in, without a thing of anybody in it; HEAD of a GET route is Fastify's own. */
const isPlain = (name: string) => /^(HEAD (?!\/files\/:id)|OPTIONS )/.test(name);

/** Raw routes that are not for everybody, one entry a method. */
export const listClosed = (routes: readonly RouteOptions[]): Target[] =>
  routes
    .filter((route) => !isOpen(route))
    .flatMap((route) =>
      namesOf(route)
        .filter((name) => !isPlain(name))
        .map((name) => ({ name, meta: { who: [], subject: undefined, ...route.config }, doors: ['raw'] })),
    );

/** @throws when nobody gave the route a line */
export function shapeOf(name: string, things: Things): Shape {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`Give ${name} a line in tests/proofs/asking/routes.ts.`);
  return shape(things);
}
