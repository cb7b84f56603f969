import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../engines.ts';
import { checkConnected } from './accounts.ts';
import { type Books, type InBooks, SandboxError } from './books.ts';
import { type Call, Declined } from './calls.ts';
import { endpoints } from './endpoints.ts';
import { parseForm } from './forms.ts';
import { newObjectId } from './objects.ts';
import { type Answered, answerOnce } from './repeating.ts';
import { findObjects, platform } from './store.ts';
import type { Troubles } from './troubles.ts';

/** One question and its answer, for whoever checks that both are as the provider's. */
export interface Exchange {
  endpoint: string;
  /** As they were sent, words of a form not yet read as numbers. */
  params: unknown;
  status: number;
  body: object;
}

export interface ServerSettings {
  secretKey: string;
  pages: string;
  inBooks: InBooks;
  log: Pick<Log, 'error'>;
  troubles: Troubles;
  /** Called when a call has been answered. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

const mostBytes = 256 * 1024;

/** Listens on loopback for the provider's own library. */
export async function listen(settings: ServerSettings): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => void answer(settings, request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { port, close: () => closeServer(server) };
}

const closeServer = (server: Server) =>
  new Promise<void>((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > mostBytes) throw new SandboxError(413, 'parameter_invalid', 'The request is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

async function answer(settings: ServerSettings, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body, isRepeated } = await answerTo(settings, request).catch((error: unknown) =>
    asError(error, settings.log),
  );
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': newObjectId('req'),
    ...(isRepeated && { 'idempotent-replayed': 'true' }),
  });
  response.end(JSON.stringify(body));
}

/** The provider's way to say no; what is no such thing is a fault of the sandbox. */
function asError(error: unknown, log: Pick<Log, 'error'>): Answered {
  const isSaid = error instanceof SandboxError;
  if (!isSaid) log.error({ engine: 'payments', err: error }, 'the sandbox failed');
  const { status, code, message } = isSaid
    ? error
    : { status: 500, code: 'sandbox_fault', message: 'Something went wrong in the sandbox.' };
  const type = code === 'idempotency_error' ? 'idempotency_error' : 'invalid_request_error';
  return { status, body: { error: { type, ...(code !== '' && { code }), message } } };
}

async function answerTo(settings: ServerSettings, request: IncomingMessage): Promise<Answered> {
  checkKey(settings, request.headers.authorization);
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const text = await readBody(request);
  const isJson = request.headers['content-type']?.includes('json') === true;
  const params =
    request.method === 'GET' ? parseForm(url.search.slice(1)) : isJson ? JSON.parse(text) : parseForm(text);
  const [endpoint, id] = endpointOf(`${request.method} ${url.pathname}`);
  settings.troubles.check(endpoint);
  const account = String(request.headers['stripe-account'] ?? platform);
  const call: Call = { params, id, account, pages: settings.pages };
  const key = request.headers['idempotency-key'];
  // The library makes a key of its own for a write without one, which is no wish to have it repeated.
  const isWanted = () => !request.socket.destroyed;
  const act = async (books: Books) => {
    if (account !== platform) await checkConnected(books, account);
    return run(books, endpoint, call);
  };
  const isKeyed = request.method !== 'GET' && typeof key === 'string';
  const said = await (isKeyed
    ? answerOnce(
        settings.inBooks,
        { key, endpoint, request: `${account} ${endpoint} ${id} ${text}` },
        { run: act, asAnswer: (error) => asError(error, settings.log), isWanted },
      )
    : settings.inBooks(act, isWanted));
  if (said.status === 200) settings.onExchange?.({ endpoint, params, status: said.status, body: said.body });
  return said;
}

function checkKey({ secretKey }: ServerSettings, authorization = ''): void {
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${secretKey}`)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new SandboxError(401, 'api_key_invalid', 'Invalid API Key provided.');
}

/** "GET /v1/charges/ch_1" as "GET /v1/charges/:id" and the id. */
function endpointOf(asked: string): [endpoint: string, id: string] {
  if (Object.hasOwn(endpoints, asked)) return [asked, ''];
  const parts = asked.split('/');
  for (let at = parts.length - 1; at > 1; at--) {
    const endpoint = parts.with(at, ':id').join('/');
    if (Object.hasOwn(endpoints, endpoint)) return [endpoint, decodeURIComponent(parts[at] ?? '')];
  }
  throw new SandboxError(501, 'sandbox_unsupported', `The sandbox does not implement ${asked}.`);
}

async function run(books: Books, endpoint: string, call: Call): Promise<Answered> {
  const body = await endpoints[endpoint]?.(books, call);
  if (body === undefined) throw new SandboxError(501, 'sandbox_unsupported', endpoint);
  if (body instanceof Declined) return { status: 402, body };
  const { expand = [] } = call.params as { expand?: string[] };
  for (const path of expand) await expandPath(books, body as Expandable, path.split('.'));
  return { status: 200, body };
}

interface Expandable {
  [field: string]: unknown;
}

/** Puts the objects themselves where their ids stand. */
async function expandPath(books: Books, holder: Expandable, path: readonly string[]): Promise<void> {
  for (let holders = [holder], at = 0; at < path.length && holders.length > 0; at++)
    holders = await expandField(books, holders, path[at] ?? '');
}

/** @returns what stands there then */
async function expandField({ tx }: Books, holders: readonly Expandable[], field: string): Promise<Expandable[]> {
  const ids = holders.flatMap(({ [field]: value }) => (typeof value === 'string' ? [value] : []));
  const found = ids.length === 0 ? new Map<string, object>() : await findObjects(tx, ids);
  return holders.flatMap((holder) => {
    const value = holder[field];
    const inner = typeof value === 'string' ? found.get(value) : value;
    if (inner === undefined || inner === null) return [];
    holder[field] = inner;
    return (Array.isArray(inner) ? inner : [inner]) as Expandable[];
  });
}
