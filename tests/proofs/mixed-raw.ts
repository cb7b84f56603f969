import { type Browser, headersOf } from '#tests/support/test-app.ts';
import type { Mixed, MixedThings } from './mixed-bodies.ts';

interface RawShape {
  isViewers?: true;
  isRefused?: true;
  /** The other's token alone is what whoever holds it may use. */
  isSwappedWhole?: true;
  bodyOf: Mixed['bodyOf'];
  requestOf(body: never): { path: string; method?: string; headers?: Record<string, string>; body?: string };
}

const json = { 'content-type': 'application/json' };
const posted = (path: string) => (body: object) => ({
  path,
  method: 'POST',
  headers: json,
  body: JSON.stringify(body),
});
const encoded = (text: string) => Buffer.from(text).toString('base64');

/** Raw routes whose addresses, headers and bodies name more than one thing, or one beside the thing that is swapped elsewhere. */
const shapes: Record<string, RawShape> = {
  'POST /api/view/leases': {
    isViewers: true,
    bodyOf: ({ visit, medium }: MixedThings) => ({
      visitId: visit,
      items: [{ mediaId: medium, rendition: 'p2048', with: 'keys' }],
    }),
    requestOf: posted('/api/view/leases'),
  },
  'GET /api/view/videos/:visitId/:mediaId/:playlist': {
    isViewers: true,
    isRefused: true,
    bodyOf: ({ visit, video }) => ({ visit, video }),
    requestOf: ({ visit, video }: MixedThings) => ({ path: `/api/view/videos/${visit}/${video}/v720.m3u8` }),
  },
  'GET /m/c/:packId/:tag': {
    isViewers: true,
    isRefused: true,
    isSwappedWhole: true,
    bodyOf: ({ leaseUrl, leaseToken }) => ({ leaseUrl, leaseToken }),
    requestOf: ({ leaseUrl, leaseToken }: MixedThings) => ({ path: leaseUrl, headers: { 'pf-lease': leaseToken } }),
  },
  'GET /m/s/:packId/:part': {
    isViewers: true,
    isRefused: true,
    isSwappedWhole: true,
    bodyOf: ({ trackId, videoToken }) => ({ trackId, videoToken }),
    requestOf: ({ trackId, videoToken }: MixedThings) => ({
      path: `/m/s/${trackId}/init`,
      headers: { 'pf-lease': videoToken },
    }),
  },
  'POST /api/media/leases': {
    bodyOf: ({ medium }) => ({ items: [{ mediaId: medium, rendition: 'thumb512', with: 'keys' }] }),
    requestOf: posted('/api/media/leases'),
  },
  'POST /files': {
    isRefused: true,
    bodyOf: ({ album }) => ({ album }),
    requestOf: ({ album }: MixedThings) => ({
      path: '/files',
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': `albumId ${encoded(album)},filename ${encoded('a.jpg')},filetype ${encoded('image/jpeg')}`,
      },
    }),
  },
  'POST /api/traces': {
    isRefused: true,
    bodyOf: ({ album, trace }) => ({ album, trace }),
    requestOf: ({ album, trace }: MixedThings) => ({
      path: `/api/traces?albumId=${album}&with=${trace}`,
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'no picture',
    }),
  },
};

/** The raw routes, asked over a real port because some of them stream. */
export const rawQuestions = (url: string, origin: string): Mixed[] =>
  Object.entries(shapes).map(([name, { isViewers = false, isSwappedWhole = false, isRefused, bodyOf, requestOf }]) => ({
    name,
    isViewers,
    isSwappedWhole,
    hasDoors: false,
    ...(isRefused && { isRefused }),
    bodyOf,
    async ask(body: object, browser: Browser) {
      const { path, method = 'GET', headers, body: sent } = requestOf(body as never);
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { origin, ...headersOf(browser), ...headers } as Record<string, string>,
        body: sent ?? null,
        signal: AbortSignal.timeout(20_000),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, text: bytes.toString('latin1') + JSON.stringify([...answer.headers]) };
    },
  }));
