import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { expect } from 'vitest';
import { readOutbox, type Sandbox } from '../developer.ts';
import { uploadMetadata } from '../media/send-file.ts';
import { type Browser, headersOf, keepCookies, newBrowser } from '../test-app.ts';
import { type Streamed, type ViewerApi, viewerApiAt } from '../viewer-api.ts';

/** A photo as its owner's album lists it. */
interface Item {
  id: string;
  state: string;
  failText: string | null;
}

/** What people do with a running server from outside, by its port alone. */
export interface Visitor {
  viewerApi: ViewerApi;
  /** One call as our own pages make it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(procedure: string, input: object, browser: Browser): Promise<{ status: number; body: any }>;
  /** The same, where only yes will do. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  must(procedure: string, input: object, browser: Browser): Promise<any>;
  /** A creator by the real way, the code from the outbox. */
  signUp(email: string): Promise<Browser>;
  /** Begins an upload, of a photo unless another type is said. @returns its id */
  beginUpload(browser: Browser, albumId: string, file: { length: number }, type?: string): Promise<string>;
  /** Sends bytes from an offset on; the body may be broken off. @returns the new offset that the server answered */
  sendFrom(browser: Browser, uploadId: string, bytes: Buffer, offset: number): Promise<number>;
  /** Returns how much of an upload the server says it has. */
  offsetOf(browser: Browser, uploadId: string): Promise<number>;
  /** The original as its owner downloads it. */
  download(browser: Browser, mediaId: string): Promise<Buffer>;
  /** Waits until every photo and video of an album is ready or failed; videos on a busy machine take longer than two minutes. */
  untilSettled(browser: Browser, albumId: string, minutes?: number): Promise<Item[]>;
}

const tus = { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc' };

/** Asks, and asks again when the machine is too busy, as the pages do. @returns another answer than that, or the last of many */
export async function comeAgain<A extends { status: number }>(ask: () => Promise<A>): Promise<A> {
  let answer = await ask();
  for (let tries = 0; answer.status === 503 && tries < 20; tries++) {
    await wait(1000);
    answer = await ask();
  }
  return answer;
}

/** The same for a stream, where only yes will do. */
export async function untilGiven(ask: () => Promise<Streamed>): Promise<Streamed> {
  const answer = await comeAgain(ask);
  if (answer.status !== 200) throw new Error(`The stream: ${answer.status} ${answer.text}`);
  return answer;
}

/** Stands before a running server. @param place its address; with its data folder where somebody signs up, who reads a mail */
export function visit(place: string | Sandbox): Visitor {
  const url = typeof place === 'string' ? place : place.url;
  const call: Visitor['call'] = async (procedure, input, browser) => {
    const answer = await fetch(`${url}/rpc/${procedure.replace('.', '/')}`, {
      method: 'POST',
      headers: { 'x-csrf-token': 'orpc', 'content-type': 'application/json', ...headersOf(browser) },
      body: JSON.stringify({ json: input }),
    });
    keepCookies(browser, answer.headers.getSetCookie());
    const body = (await answer.json()) as { json?: unknown };
    return { status: answer.status, body: body.json ?? body };
  };
  const must: Visitor['must'] = async (procedure, input, browser) => {
    const { status, body } = await comeAgain(() => call(procedure, input, browser));
    if (status !== 200) throw new Error(`${procedure}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    viewerApi: viewerApiAt(url, url),
    call,
    must,
    async signUp(email) {
      if (typeof place === 'string') throw new Error('Whoever signs up reads a mail: name the data folder, too.');
      return signUp(place, must, email);
    },
    ...uploadsAt(url),
    async untilSettled(browser, albumId, minutes = 2) {
      for (const until = performance.now() + 60_000 * minutes; performance.now() < until; await wait(100)) {
        const { items } = (await must('albums.one', { albumId }, browser)) as { items: Item[] };
        if (items.length > 0 && items.every(({ state }) => state === 'ready' || state === 'failed')) return items;
      }
      throw new Error(`Not all was ready or failed within ${minutes} minutes.`);
    },
  };
}

/** Sends files in parts to a server, and downloads them. */
const uploadsAt = (url: string): Pick<Visitor, 'beginUpload' | 'sendFrom' | 'offsetOf' | 'download'> => ({
  async beginUpload(browser, albumId, file, type = 'image/png') {
    const headers = {
      ...tus,
      ...headersOf(browser),
      'upload-length': String(file.length),
      'upload-metadata': uploadMetadata({ albumId, filename: type.replace('/', '.'), filetype: type }),
    };
    const answer = await fetch(`${url}/files`, { method: 'POST', headers });
    expect(answer.status).toBe(201);
    return answer.headers.get('location')?.split('/').at(-1) ?? '';
  },
  async sendFrom(browser, uploadId, bytes, offset) {
    const headers = {
      ...tus,
      ...headersOf(browser),
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
    const answer = await fetch(`${url}/files/${uploadId}`, { method: 'PATCH', headers, body: new Uint8Array(bytes) });
    expect(answer.status).toBe(204);
    return Number(answer.headers.get('upload-offset'));
  },
  async offsetOf(browser, uploadId) {
    const headers = { ...tus, ...headersOf(browser) };
    const answer = await fetch(`${url}/files/${uploadId}`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    return Number(answer.headers.get('upload-offset'));
  },
  async download(browser, mediaId) {
    const answer = await fetch(`${url}/api/media/${mediaId}/original`, { headers: headersOf(browser) });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  },
});

async function signUp(place: Sandbox, must: Visitor['must'], email: string): Promise<Browser> {
  const browser = newBrowser();
  await must('accounts.signUp', { email, isAdult: true }, browser);
  const emails = await readOutbox(place);
  const [, code = ''] = /^\s*(\d{6})$/m.exec(emails.find(({ to }) => to === email)?.text ?? '') ?? [];
  await must('accounts.confirm', { code }, browser);
  await must('accounts.setUpPassword', { password: 'three calm rivers' }, browser);
  const handle = email.replace(/\W.*$/, '');
  const profile = { displayName: 'Mia', handle, country: 'DE', timeZone: 'Europe/Berlin' };
  await must('accounts.setUpProfile', profile, browser);
  const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true, wantsNews: false };
  await must('accounts.setUpConsent', consent, browser);
  await must('accounts.finishSetup', {}, browser);
  return browser;
}

/** A photo of noise, stored without compression: 3 bytes a pixel. */
export function drawNoise(width: number, height: number): Promise<Buffer> {
  const pixels = randomBytes(3 * width * height);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
