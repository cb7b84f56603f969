import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Demo, Product } from './product.ts';

/** A creator in their studio, over HTTP as a browser does it. */
export interface Studio {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every procedure
  call(procedure: string, input?: object): Promise<any>;
  makeAlbum(name: string): Promise<string>;
  /** Sends a file. @returns its medium, and when the last byte was acknowledged */
  upload(albumId: string, file: string): Promise<{ mediaId: string; endedAtMs: number }>;
  /** Sends bytes that never become a photo: one byte is left out, and then the upload is taken back. @returns seconds */
  uploadOnly(albumId: string, begin: Buffer, chunks: number): Promise<number>;
  /** Returns what the browser says who it is with. */
  cookie(): string;
  /** Waits for the news that a medium is ready. @returns when it came */
  untilReady(mediaId: string, seconds?: number): Promise<number>;
  /** Waits for the news that a video can be looked at. @returns when it came */
  untilPoster(mediaId: string): Promise<number>;
  /** A link to everything that is in these albums; it asks for no age unless it is told other rules. */
  makeLink(albumIds: readonly string[], rules?: object): Promise<string>;
  close(): void;
}

const tus = { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc' };
const patch = { 'content-type': 'application/offset+octet-stream' };
/** What our own page sends at once. */
export const chunkBytes = 8 * 1024 * 1024;

const mostTries = 3;

/** Sends to the product and keeps its cookies; any answer but 2xx throws. */
function openJar(url: string) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (where: string, init: RequestInit, tries = 1): Promise<Response> => {
    const answer = await fetch(`${url}${where}`, { ...init, headers: { ...init.headers, cookie: cookie() } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    if (answer.status === 503 && tries < mostTries) {
      // Busy for a moment, as at the turn of a minute: pages ask again as well, and the wait is theirs.
      await wait(1000);
      return send(where, init, tries + 1);
    }
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  return { send, cookie };
}

/** Signs in as the demo's creator. */
export async function enterStudio({ url }: Product, { email, password }: Demo): Promise<Studio> {
  const { send, cookie } = openJar(url);
  const call = async (procedure: string, input: object = {}) => {
    const answer = await send(`/rpc/${procedure.replace('.', '/')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
      body: JSON.stringify({ json: input }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every procedure
    const { json } = (await answer.json()) as { json: any };
    return json;
  };
  await call('accounts.signIn', { email, password });
  const news = await hearNews((signal) => send('/api/live', { signal }));
  const beginUpload = async (albumId: string, filename: string, sizeBytes: number) => {
    const filetype = filename.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg';
    const about = { albumId, filename, filetype };
    const metadata = Object.entries(about).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
    const headers = { ...tus, 'upload-length': String(sizeBytes), 'upload-metadata': metadata.join(',') };
    return (await send('/files', { method: 'POST', headers })).headers.get('location') ?? '';
  };
  const sendChunk = (place: string, offset: number, body: Buffer<ArrayBuffer>) =>
    send(place, { method: 'PATCH', headers: { ...tus, ...patch, 'upload-offset': String(offset) }, body });
  return {
    call,
    cookie,
    makeAlbum: async (name) => (await call('albums.create', { name, peopleConsent: 'only_me' })).id,
    untilReady: (mediaId, seconds) => news.until('media.ready', mediaId, seconds),
    untilPoster: (mediaId) => news.until('media.progress', mediaId),
    close: news.close,
    async upload(albumId, file) {
      const bytes = await readFile(file);
      const place = await beginUpload(albumId, path.basename(file), bytes.length);
      await sendChunk(place, 0, bytes);
      return { mediaId: path.basename(place), endedAtMs: performance.now() };
    },
    async uploadOnly(albumId, begin, chunks) {
      const chunk = Buffer.alloc(chunkBytes, 7);
      begin.copy(chunk);
      const place = await beginUpload(albumId, 'long.jpg', chunks * chunkBytes + 1);
      const beganMs = performance.now();
      for (let n = 0; n < chunks; n++) await sendChunk(place, n * chunkBytes, chunk);
      const seconds = (performance.now() - beganMs) / 1000;
      await send(place, { method: 'DELETE', headers: tus });
      return seconds;
    },
    async makeLink(albumIds, rules = { ageGate: false, blurWhenUnfocused: false }) {
      return (await call('links.create', { albumIds, linkName: 'Bench', expiry: { kind: 'never' }, rules })).slug;
    },
  };
}

/** Makes a link to everything that the demo has, and waits until nothing is being done. @returns its slug */
export async function shareDemo(product: Product): Promise<string> {
  const studio = await enterStudio(product, await product.demo());
  const albums = (await studio.call('albums.list')).albums as { id: string }[];
  const slug = await studio.makeLink(albums.map(({ id }) => id));
  studio.close();
  await product.untilIdle();
  return slug;
}

/** Listens to the studio's live events. */
async function hearNews(open: (signal: AbortSignal) => Promise<Response>) {
  const over = new AbortController();
  const heardAt = new Map<string, number>();
  const failed = new Set<string>();
  const waiting = new Set<() => void>();
  const hear = ({ kind, mediaId }: { kind: string; mediaId?: string }) => {
    if (mediaId === undefined) return;
    const news = `${kind} ${mediaId}`;
    if (!heardAt.has(news)) heardAt.set(news, performance.now());
    if (kind === 'media.failed') failed.add(mediaId);
    for (const look of waiting) look();
  };
  const { body } = await open(over.signal);
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data !== undefined) hear(JSON.parse(data));
      }
    }
  };
  read().catch((error: Error) => {
    if (!over.signal.aborted) throw error;
  });
  const until = (kind: string, mediaId: string, seconds = 120) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${mediaId}: no ${kind} in ${seconds} s.`)), 1000 * seconds);
      const look = () => {
        const at = heardAt.get(`${kind} ${mediaId}`);
        if (at === undefined && !failed.has(mediaId)) return;
        clearTimeout(timer);
        waiting.delete(look);
        if (at === undefined) reject(new Error(`${mediaId} was refused.`));
        else resolve(at);
      };
      waiting.add(look);
      look();
    });
  return { until, close: () => over.abort() };
}
