import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type Browser, headersOf, keepCookies, type TestApp } from '../test-app.ts';
import { type Send, type ViewerApi, viewerApiAt } from '../viewer-api.ts';

/** A running app as many reach it who share a few connections, as behind a proxy. */
export interface Sockets {
  viewerApi: ViewerApi;
  /** One call as our own pages make it, over a socket and from the browser's own address. */
  call(procedure: string, input: object, from: Browser): Promise<Answer>;
  /** Returns how many connections were opened so far. */
  opened(): number;
  close(): void;
}

/**
 * Opens at most so many connections, which are kept and used again.
 * @param app it listens, and trusts this machine to say for whom it asks
 */
export function openSockets({ fastify, engines }: TestApp, count: number): Sockets {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count });
  const seen = new Set<number | undefined>();
  const { port } = fastify.server.address() as AddressInfo;
  const { origin, host } = new URL(engines.installation.publicUrl);
  const url = `http://127.0.0.1:${port}`;
  const send: Send = async (address, init) => {
    const { answer, localPort } = await sendOver(agent, address, init);
    seen.add(localPort);
    return responseOf(answer);
  };
  return {
    viewerApi: viewerApiAt(url, origin, send),
    async call(procedure, input, from) {
      const answer = await send(`${url}/rpc/${procedure.replace('.', '/')}`, {
        method: 'POST',
        headers: {
          'x-csrf-token': 'orpc',
          'content-type': 'application/json',
          host,
          ...(from.address !== undefined && { 'x-forwarded-for': from.address }),
          ...headersOf(from),
        },
        body: JSON.stringify({ json: input }),
      });
      keepCookies(from, answer.headers.getSetCookie());
      const text = await answer.text();
      const body = text === '' ? undefined : JSON.parse(text);
      return { status: answer.status, body: body?.json ?? body, headers: Object.fromEntries(answer.headers) };
    },
    opened: () => seen.size,
    close: () => agent.destroy(),
  };
}

/** Sends one request as soon as a connection is free. */
function sendOver(agent: http.Agent, address: string, { method = 'GET', headers, body }: Parameters<Send>[1]) {
  return new Promise<{ answer: http.IncomingMessage; localPort: number | undefined }>((done, failed) => {
    const request = http.request(address, { agent, method, headers });
    request.once('error', failed);
    request.once('response', (answer) => done({ answer, localPort: answer.socket.localPort }));
    request.end(body);
  });
}

async function responseOf(answer: http.IncomingMessage): Promise<Response> {
  const body = Buffer.concat(await answer.toArray());
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(name, value);
  return new Response(body.length > 0 ? body : null, { status: answer.statusCode ?? 0, headers });
}
