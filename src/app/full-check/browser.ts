import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { SimpleCsrfProtectionLinkPlugin } from '@orpc/client/plugins';
import type { RouterClient } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import type { router } from '../rooms.ts';

/** Every procedure of the product, as a browser calls it. */
export type Calls = RouterClient<typeof router>;

/** Where a browser stands, and what it says it is. */
export interface Device {
  address: string;
  userAgent: string;
}

/** What the server said. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  bytes: Buffer;
}

interface Asked {
  headers?: Record<string, string>;
  payload?: object | Buffer;
}

/** A browser of somebody whom the full check made up: it keeps its cookies, and has an address that nobody else has. */
export interface SyntheticBrowser {
  /** The procedures, by the names and shapes of the contract. */
  calls: Calls;
  /** Any other call. */
  ask(method: 'GET' | 'POST' | 'PATCH', url: string, more?: Asked): Promise<Answer>;
  /** The same, where only a yes will do. @throws with what was answered instead */
  must(method: 'GET' | 'POST' | 'PATCH', url: string, more?: Asked): Promise<Answer>;
}

/** Opens a browser before a server of this process. @param onPassed told the name of each procedure that did what it was asked */
export function openBrowser(
  server: Pick<FastifyInstance, 'inject'>,
  host: string,
  device: Device,
  onPassed: (procedure: string) => void,
): SyntheticBrowser {
  const jar = new Map<string, string>();
  const ask: SyntheticBrowser['ask'] = async (method, url, { headers, payload } = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server.inject({
      method,
      url,
      remoteAddress: device.address,
      headers: {
        host,
        'user-agent': device.userAgent,
        'x-csrf-token': 'orpc',
        ...(cookie !== '' && { cookie }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    keepCookies(jar, answer.headers['set-cookie']);
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
  };
  const must: SyntheticBrowser['must'] = async (method, url, more) => {
    const answer = await ask(method, url, more);
    if (answer.status >= 300)
      throw new Error(`${method} ${url.replace(/[\w-]{16,}/g, '…')}: ${describeAnswer(answer)}`);
    return answer;
  };
  const link = new RPCLink({
    url: `http://${host}/rpc`,
    plugins: [new SimpleCsrfProtectionLinkPlugin()],
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { status, headers, bytes } = await ask('POST', `${pathname}${search}`, {
        headers: { 'content-type': 'application/json' },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      const type = String(headers['content-type'] ?? 'application/json');
      if (status < 300) onPassed(pathname.replace('/rpc/', '').replaceAll('/', '.'));
      return new Response(new Uint8Array(bytes), { status, headers: { 'content-type': type } });
    },
  });
  return { calls: createORPCClient<Calls>(link), ask, must };
}

/** What an answer says, in short. */
export const describeAnswer = ({ status, bytes }: Pick<Answer, 'status' | 'bytes'>): string =>
  `${status} ${bytes.toString().slice(0, 200)}`;

function keepCookies(jar: Map<string, string>, setCookie: string | string[] | number | undefined): void {
  for (const line of [setCookie ?? []].flat().map(String)) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || /max-age=0\b/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}
