import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './self-signed.ts';

/** What a push service was told in one request. */
interface HeardPush {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A push service behind TLS, as those of the browsers are, and the browsers that subscribe there. */
export interface PushService {
  /** Its host as the allow-list names it. */
  host: string;
  origin: string;
  /** Trusts its certificate. */
  agent: Agent;
  received: HeardPush[];
  /** What it answers from now on; default 201. */
  answer(status: number, headers?: Record<string, string>): void;
  subscribe(): BrowserInTest;
  close(): Promise<void>;
}

export async function openPushService(): Promise<PushService> {
  const { key, cert } = makeCertificate();
  const received: HeardPush[] = [];
  let answer = { status: 201, headers: {} as Record<string, string> };
  const server = createServer({ key, cert });
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, answer.headers).end('what nobody reads');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ ca: cert });
  return {
    host,
    origin: `https://${host}`,
    agent,
    received,
    answer: (status, headers = {}) => {
      answer = { status, headers };
    },
    subscribe: () => makeBrowser(`https://${host}`),
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A browser's side of a subscription: what it tells the server, and how it reads what comes. */
export interface BrowserInTest {
  subscription: { endpoint: string; p256dh: string; auth: string };
  /** @throws when it is not for this browser, or was changed */
  decrypt(body: Buffer): string;
}

function makeBrowser(origin: string): BrowserInTest {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint: `${origin}/push/${randomBytes(12).toString('base64url')}`,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
    },
    // RFC 8188 and 8291, in one record.
    decrypt(body) {
      const [salt, idLength] = [body.subarray(0, 16), body[20] ?? 0];
      const serverKey = body.subarray(21, 21 + idLength);
      const sealed = body.subarray(21 + idLength);
      const derive = (secret: Uint8Array, by: Uint8Array, info: Uint8Array, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, by, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, serverKey]);
      const secret = derive(pair.computeSecret(serverKey), auth, info, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString();
    },
  };
}

/** Returns what a request's `Authorization` says, checked as push services check it (RFC 8292). @throws when it is not signed by its own key */
export function readVapid(authorization: unknown): { key: string; aud: string; exp: number; sub: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(authorization)) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const by = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), by, Buffer.from(signature, 'base64url'));
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  if (!isSigned || alg !== 'ES256') throw new Error('the token of the push is not signed by the key that it names');
  return { key, ...JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}
