import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { builtInVideo } from '#features/marketing/demo-video.ts';
import { sitePages } from '#features/marketing/site-pages.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import type { Things } from '../asking/things.ts';

/** One thing to ask, and the status that shows that this kind of answer was really met. */
export interface Ask {
  what: string;
  /** A page that anybody may find, the door of a link, a built file, or an answer that is private. */
  kind: 'page' | 'door' | 'file' | 'private';
  path: string;
  expected: number;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

export const publicUrl = 'https://localhost:3000';
const json = { 'content-type': 'application/json', origin: publicUrl };
const tus = { 'tus-resumable': '1.0.0', origin: publicUrl };
export const nobodys = '01900000-0000-7000-8000-000000000000';

type More = Partial<Pick<Ask, 'kind' | 'method' | 'headers' | 'body'>>;
export const get = (what: string, address: string, expected = 200, more: More = {}): Ask => ({
  what,
  path: address,
  expected,
  kind: 'private',
  method: 'GET',
  headers: {},
  body: undefined,
  ...more,
});
export const post = (what: string, address: string, body: object | string, expected = 200, headers = {}): Ask => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return get(what, address, expected, { method: 'POST', headers: { ...json, ...headers }, body: text });
};
export const call = (what: string, procedure: string, input: object, expected = 200): Ask =>
  post(what, `/rpc/${procedure.replace('.', '/')}`, { json: input }, expected, { 'x-csrf-token': 'orpc' });
/** A call by the address that its contract gives it. */
export const rest = (what: string, method: string, address: string, input?: object): Ask =>
  get(what, `/api/v1${address}`, 200, {
    method,
    headers: { ...(input && json), 'x-csrf-token': 'orpc' },
    body: input && JSON.stringify(input),
  });
/** A file as the body, or none. */
export const file = (what: string, method: string, address: string, bytes?: Buffer, expected = 200): Ask =>
  get(what, address, expected, {
    method,
    headers: { origin: publicUrl, ...(bytes && { 'content-type': 'application/octet-stream' }) },
    body: bytes && new Uint8Array(bytes),
  });
export const send = (
  what: string,
  method: string,
  address: string,
  expected: number,
  headers = {},
  body?: string,
): Ask => get(what, address, expected, { method, headers: { ...tus, ...headers }, body });

const builtIn = (folder: string, ending: string) =>
  readdirSync(path.join('build', folder)).find((name) => name.endsWith(ending)) ?? '';

/** The demo video and its poster, where they were made. */
const listVideoFiles = () =>
  [builtInVideo.src, builtInVideo.poster].filter((file) => existsSync(path.join('build/client', file)));

/** Returns what needs nobody to be signed in. */
export const openAsks = (slug: string): Ask[] => [
  ...sitePages.map(({ address }) => get(`the public page ${address}`, address, 200, { kind: 'page' })),
  get('the service worker', '/sw.js'),
  get('the way out of emails', '/unsubscribe/nobody'),
  post('the way out of emails, by nobody', '/unsubscribe/nobody', {}, 404),
  post('what a gallery shares where there is no worker', '/share-target', {}, 404),
  post("a mail provider's report, where none is taken", '/api/hooks/mail', {}, 404),
  get('a public page that nobody has', '/@nobody_has_this', 404),
  get('a picture that nobody has', `/api/avatars/${'A'.repeat(32)}`, 404),
  ...['/auth', '/albums', '/profile'].map((page) => get(`the shell of ${page}`, page)),
  ...['/admin/nothing', '/nothing/here', '//', '//['].map((page) => get(`the page where none is, ${page}`, page, 404)),
  get('an invitation', '/free-join/open'),
  get('an invitation that has ended', '/free-join/ended', 410),
  get('the page of a link', `/view/${slug}`, 200, { kind: 'door' }),
  get('the page of a slug that nobody has', '/view/nobody-has-this', 200, { kind: 'door' }),
  get('the page of a link with a slash behind it', `/view/${slug}/`, 200, { kind: 'door' }),
  get('HEAD of the page of a link', `/view/${slug}`, 200, { kind: 'door', method: 'HEAD' }),
  get('a script', `/assets/${builtIn('client/assets', '.js')}`, 200, { kind: 'file' }),
  get('a style', `/assets/${builtIn('client/assets', '.css')}`, 200, { kind: 'file' }),
  get('a script of the preview', `/preview/assets/${builtIn('preview/assets', '.js')}`, 200, { kind: 'file' }),
  get('a script of the viewer app', `/viewer/assets/${builtIn('viewer/assets', '.js')}`, 200, { kind: 'file' }),
  get('a file that is not there', '/assets/nothing.js', 404),
  get('the words to robots', '/robots.txt', 200, { kind: 'page' }),
  get('the map for robots', '/sitemap.xml', 200, { kind: 'page' }),
  ...listVideoFiles().map((file) => get(`of the demo video, ${file}`, file, 200, { kind: 'page' })),
  ...['', '-neutral'].map((look) => get('a manifest', `/manifest${look}.webmanifest`)),
  get('an icon', '/icons/usual-192.png'),
  get('an icon that is not there', '/icons/nothing.png', 404),
  get('health', '/api/health'),
  get('life', '/healthz'),
  get('the OpenAPI document', '/api/openapi.json'),
  get('who am I', '/api/me'),
  get('an address of the API that is not there', '/api/nothing', 404),
  call('a procedure that is not there', 'no.thing', {}, 404),
  get("developers' pages", '/dev/outbox', 404),
  get('an address that cannot be read', '/api/%zz', 422),
  get('a slug that is too long', `/view/${'x'.repeat(400)}`, 404),
  get('a method that nobody knows here', '/api/health', 404, { method: 'PATCH' }),
  call('a call without sign-in', 'links.list', {}, 401),
  call('a malformed call', 'accounts.signUp', {}, 422),
  post('a call from another site', '/api/media/leases', {}, 403, { origin: 'https://evil.example' }),
  post('a body that is no JSON', '/api/media/leases', '{', 422),
  post('a body of another type', '/api/media/leases', '<a/>', 415, { 'content-type': 'text/xml' }),
  post('a body that is too big', '/api/media/leases', { a: 'x'.repeat(1_100_000) }, 413),
  post('the end of a link', '/api/view/nobody-has-this/open', {}, 410),
  get('a pack without a lease', '/m/c/x/y', 404),
  get('a piece of a video without a lease', '/m/s/x/0', 404),
  get('an original without sign-in', '/api/media/x/original', 401),
  get('a stream without sign-in', '/api/live', 401),
  send('an upload without sign-in', 'POST', '/files', 401),
  call('asking for an account', 'accounts.signUp', { email: 'headers@example.com', isAdult: true }),
  call('asking again too soon', 'accounts.signUp', { email: 'headers@example.com', isAdult: true }, 429),
];

/** What a signed-in creator asks. */
export const ownAsks = ({ album }: Things): Ask[] => [
  get("the studio's shell at /", '/'),
  call('her links', 'links.list', {}),
  get('her links, read', `/rpc/links/list?data=${encodeURIComponent('{"json":{}}')}`, 200, {
    headers: { 'x-csrf-token': 'orpc' },
  }),
  call('something that is not hers', 'links.one', { linkId: nobodys }, 404),
  beginUpload('an upload that is too big', album, 99_999_999_999, 413),
  send('an upload of another version', 'POST', '/files', 400, { 'tus-resumable': '0.1' }),
  send('what uploads can', 'OPTIONS', '/files', 204),
  send('an upload that is not there', 'HEAD', `/files/${nobodys}`, 404),
];

/** What a viewer asks beside the raw routes. */
export function viewerAsks({ visit, video, trackId, videoToken = '' }: Things): Ask[] {
  const headers = { 'pf-lease': videoToken };
  return [
    call('a renewal', 'viewing.renew', { visitId: visit, samples: [], idleMs: 0 }),
    get('a playlist that is none', `/api/view/videos/${visit}/${video}/v1080.m3u8`, 404),
    get('the beginning of a video', `/m/s/${trackId}/init`, 200, { headers }),
    get('a video without a range', `/m/s/${trackId}/0`, 422, { headers }),
  ];
}

export const beginUpload = (what: string, albumId: string, sizeBytes: number, expected: number): Ask =>
  send(what, 'POST', '/files', expected, {
    'upload-length': String(sizeBytes),
    'upload-metadata': uploadMetadata({ albumId }),
  });

/** The rest of an upload of four bytes. */
export function uploadAsks(location: string): Ask[] {
  const piece = (offset: number) => ({
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  });
  return [
    send('where an upload is', 'HEAD', location, 200),
    send('a piece at the wrong place', 'PATCH', location, 409, piece(3), 'ab'),
    send('the first piece', 'PATCH', location, 204, piece(0), 'ab'),
    send('the last piece', 'PATCH', location, 204, piece(2), 'cd'),
    send('an upload that is whole', 'HEAD', location, 200),
    send('what an upload can', 'OPTIONS', location, 204),
  ];
}
