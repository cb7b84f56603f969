import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { makeCertificate } from '../servers/self-signed.ts';

/** What a browser gets at the addresses of Stripe, and at a wallet's, in place of the real ones. */
export interface StripeHosts {
  /** By which Chromium comes here for those names, and gets nowhere else but to this machine. */
  flag: string;
  /** What was asked for so far, as `host/path`. */
  asked: Set<string>;
  /** What the frame of the checkout has said, in its order. */
  reported: string[];
  close(): Promise<void>;
}

const textOf = (name: string) => readFileSync(path.join(import.meta.dirname, 'pages', name), 'utf8');
const [script, page] = ['text/javascript', 'text/html; charset=utf-8'];

/** Which file stands where. */
const files: Readonly<Record<string, readonly [type: string, file: string]>> = {
  'js.stripe.com/endive/stripe.js': [script, 'stripe.js'],
  'js.stripe.com/endive/part.js': [script, 'part.js'],
  'b.js.stripe.com/endive/part.js': [script, 'part.js'],
  'js.stripe.com/v3/controller.html': [page, 'bare.html'],
  'hooks.stripe.com/3d_secure_2/authenticate': [page, 'bare.html'],
  'checkout.stripe.com/c/embedded': [page, 'checkout.html'],
  'pay.google.com/wallet': [page, 'wallet.html'],
  'pay.google.com/window': [page, 'wallet.html'],
};

/** Listens for all of them at one port, with a certificate that nobody trusts. */
export async function openStripeHosts(): Promise<StripeHosts> {
  const asked = new Set<string>();
  const reported: string[] = [];
  const server = createServer(makeCertificate(), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://stripe.com');
    const place = `${request.headers.host}${pathname}`;
    if (place === 'checkout.stripe.com/told') return void receive(request, response, reported);
    asked.add(place);
    const [type, file] = files[place] ?? [];
    response.writeHead(200, { 'content-type': type ?? 'application/json', 'access-control-allow-origin': '*' });
    response.end(file === undefined ? '{}' : textOf(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rules = ['*.stripe.com', 'pay.google.com'].map((name) => `MAP ${name} ${here}`);
  return {
    flag: `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'].join(',')}`,
    asked,
    reported,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage, response: ServerResponse, reported: string[]): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  reported.push(Buffer.concat(parts).toString('utf8'));
  response.end();
}
