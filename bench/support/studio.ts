import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Demo, Product } from './product.ts';

/** A creator in her studio, over HTTP as a browser does it. */
export interface Studio {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every procedure
  call(procedure: string, input?: object): Promise<any>;
  makeAlbum(name: string): Promise<string>;
  /** Sends a file. @returns its medium, and when the last byte was acknowledged */
  upload(albumId: string, file: string): Promise<{ mediaId: string; endedAtMs: number }>;
  /** Waits for the news that a medium is ready. @returns when it came */
  untilReady(mediaId: string): Promise<number>;
  /** A link without an age gate, to everything that is in these albums. */
  makeLink(albumIds: readonly string[]): Promise<string>;
  close(): void;
}

/** Signs in as the demo's creator. */
export async function enterStudio({ url }: Product, { email, password }: Demo): Promise<Studio> {
  const jar = new Map<string, string>();
  const send = async (where: string, init: RequestInit) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${url}${where}`, { ...init, headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
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
  return {
    call,
    makeAlbum: async (name) => (await call('albums.create', { name })).id,
    untilReady: news.untilReady,
    close: news.close,
    async upload(albumId, file) {
      const bytes = await readFile(file);
      const about = { albumId, filename: path.basename(file), filetype: 'image/jpeg' };
      const metadata = Object.entries(about).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
      const tus = { 'tus-resumable': '1.0.0' };
      const made = await send('/files', {
        method: 'POST',
        headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata.join(',') },
      });
      const place = made.headers.get('location') ?? '';
      await send(place, {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: bytes,
      });
      return { mediaId: path.basename(place), endedAtMs: performance.now() };
    },
    async makeLink(albumIds) {
      const rules = { ageGate: false, blurWhenUnfocused: false };
      return (await call('links.create', { albumIds, linkName: 'Bench', expiry: { kind: 'never' }, rules })).slug;
    },
  };
}

/** Listens to the studio's live events. */
async function hearNews(open: (signal: AbortSignal) => Promise<Response>) {
  const over = new AbortController();
  const readyAt = new Map<string, number>();
  const failed = new Set<string>();
  const waiting = new Set<() => void>();
  const hear = ({ kind, mediaId }: { kind: string; mediaId?: string }) => {
    if (mediaId === undefined) return;
    if (kind === 'media.ready') readyAt.set(mediaId, performance.now());
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
  const untilReady = (mediaId: string) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${mediaId} was not ready within two minutes.`)), 120_000);
      const look = () => {
        const at = readyAt.get(mediaId);
        if (at === undefined && !failed.has(mediaId)) return;
        clearTimeout(timer);
        waiting.delete(look);
        if (at === undefined) reject(new Error(`${mediaId} is no photo.`));
        else resolve(at);
      };
      waiting.add(look);
      look();
    });
  return { untilReady, close: () => over.abort() };
}
