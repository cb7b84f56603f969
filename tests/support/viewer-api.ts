import { createDecipheriv, hkdfSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { readFrames, readPicture } from '#features/media/frames.ts';
import type { Lease, Opened, Refusal } from '#features/viewing/contract.ts';
import { type Browser, headersOf, keepCookies, type TestApp } from './test-app.ts';

/** A phone's browser: what a person holds. */
export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

export interface PictureFrame {
  n: number;
  keys: Buffer;
  /** Empty when only keys were asked for. */
  pack: Buffer;
}

/** An answer of `open` or `leases`, read to its end. */
export interface Streamed {
  status: number;
  headers: Headers;
  /** A refusal instead of a stream, or the text of anything else. */
  text: string;
  refusal: Refusal | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the head of either stream
  head: any;
  pictures: PictureFrame[];
  /** The frame of kind 2 in the middle of a stream. */
  cut: Refusal | undefined;
}

export interface ViewerApi {
  url: string;
  /** POST /api/view/:slug/open, once more where the cookie is asked for first, as the viewer app does. */
  tap(slug: string, body?: object, browser?: Browser): Promise<Streamed>;
  /** One call of it, as it leaves the browser. */
  open(slug: string, body: object, browser: Browser): Promise<Streamed>;
  /** POST /api/view/leases. */
  lease(visitId: string, items: object[], browser: Browser): Promise<Streamed>;
  /** POST /api/media/leases, as the studio does. */
  preview(items: object[], browser: Browser): Promise<Streamed>;
  /** Any call of this browser. */
  fetch(path: string, init: RequestInit | undefined, browser: Browser): Promise<Response>;
}

/** Opens a real port, because streams cannot be injected. */
export async function openViewerApi(app: TestApp): Promise<ViewerApi> {
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.fastify.server.address() as AddressInfo;
  return viewerApiAt(`http://127.0.0.1:${port}`, new URL(app.engines.installation.publicUrl).origin);
}

/** How a request goes out. */
export type Send = (
  address: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

/** The viewer app of a running server. @param send another way than a connection for each that is under way */
export function viewerApiAt(url: string, origin: string, send: Send = fetch): ViewerApi {
  const call = async (path: string, init: RequestInit | undefined, browser: Browser) => {
    const headers = { 'user-agent': phone, origin, ...headersOf(browser), ...init?.headers };
    const wanted = { ...init, headers } as Parameters<Send>[1];
    const answer = await send(`${url}${path}`, wanted);
    keepCookies(browser, answer.headers.getSetCookie());
    return answer;
  };
  const post = async (path: string, body: object, browser: Browser) =>
    readStream(
      await call(
        path,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        browser,
      ),
    );
  const open = (slug: string, body: object, browser: Browser) => post(`/api/view/${slug}/open`, body, browser);
  return {
    url,
    async tap(slug, body = {}, browser = { cookies: new Map() }) {
      const answer = await open(slug, body, browser);
      return answer.refusal?.reason === 'NEED_COOKIE' ? open(slug, body, browser) : answer;
    },
    open,
    lease: (visitId, items, browser) => post('/api/view/leases', { visitId, items }, browser),
    preview: (items, browser) => post('/api/media/leases', { items }, browser),
    fetch: call,
  };
}

/** Reads an answer of `open` or `leases` to its end. */
export async function readStream(answer: Response): Promise<Streamed> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { status, headers } = answer;
  const isStream = headers.get('content-type') === 'application/octet-stream';
  const frames = isStream ? readFrames(bytes) : [];
  const text = isStream ? '' : bytes.toString();
  const jsonOf = (kind: number) =>
    frames.filter((frame) => frame.kind === kind).map(({ body }) => JSON.parse(body.toString()))[0];
  const said = text.startsWith('{') ? JSON.parse(text) : undefined;
  return {
    status,
    headers,
    text,
    refusal: said?.code === 'LINK' ? said : undefined,
    head: jsonOf(0),
    pictures: frames.filter(({ kind }) => kind === 1).map(({ body }) => readPicture(body)),
    cut: jsonOf(2),
  };
}

/** Opens a tile as a browser does. @throws when the key is not its key */
export function openTile(pack: Buffer, keys: Buffer, index: number): Buffer {
  const tile = tileBytes(pack, readPackHeader(pack), index, 0);
  const decipher = createDecipheriv('aes-256-gcm', keys.subarray(32 * index, 32 * index + 32), Buffer.alloc(12));
  decipher.setAuthTag(tile.subarray(-16));
  return Buffer.concat([decipher.update(tile.subarray(0, -16)), decipher.final()]);
}

/** Returns which variant of each tile a composed pack holds, found by comparing it with the stored one. */
export function bitsOf(composed: Buffer, stored: Buffer): number[] {
  const [own, both] = [readPackHeader(composed), readPackHeader(stored)];
  return Array.from({ length: own.tiles }, (_, tile) => {
    const bytes = Buffer.from(tileBytes(composed, own, tile, 0));
    return bytes.equals(tileBytes(stored, both, tile, 1)) ? 1 : 0;
  });
}

/** The 16 random bytes of a pack, as keys are derived with them. */
export const deriveKey = (mediaKey: Buffer, pack: Buffer, track: string, slot: number, index: number): Buffer =>
  Buffer.from(hkdfSync('sha512', mediaKey, pack.subarray(16, 32), `pf1:${track}:${slot}:${index >> 8}`, 8192)).subarray(
    32 * (index % 256),
    32 * (index % 256) + 32,
  );

export type { Lease, Opened };
