import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from './errors.ts';
import { expandInto } from './expanding.ts';
import { listAt, type Params, readForm } from './params.ts';
import { findRoute, type Route } from './routes.ts';
import { type Fault, openWorld, type World } from './world.ts';

/** One call and its answer, as another may judge it. */
export interface Call {
  endpoint: string;
  params: unknown;
  status: number;
  body: unknown;
}

export interface StandIn {
  host: string;
  port: number;
  secretKey: string;
  close(): Promise<void>;
}

/** What was answered to each key first. */
type Keys = Map<string, { about: string; status: number; text: string }>;

const secretKey = 'sk_test_standin';

/** Speaks as Stripe does in what it has published, on a port of this machine. */
export async function openStandIn(more: {
  faults?: readonly Fault[];
  onCall?: (call: Call) => void;
}): Promise<StandIn> {
  const world = openWorld(new Set(more.faults));
  const keys: Keys = new Map();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer = answerOnce(world, keys, readCall(request, body));
      more.onCall?.({ ...answer, body: JSON.parse(answer.text) });
      send(response, answer, wordOf(request.headers['stripe-version']) ?? '');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    host: '127.0.0.1',
    port,
    secretKey,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

interface Answer {
  endpoint: string;
  params: Params;
  status: number;
  text: string;
  isReplayed?: boolean;
}

const send = (response: ServerResponse, { status, text, isReplayed = false }: Answer, version: string): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_standin',
    'stripe-version': version,
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
  });
  response.end(text);
};

const wordOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

interface Asked extends Pick<Answer, 'endpoint' | 'params'> {
  request: IncomingMessage;
  route: Route | undefined;
  path: string;
  account: string | undefined;
  /** By which a call that is made again is known. */
  key: string | undefined;
  /** All that a key stands for. */
  about: string;
}

function readCall(request: IncomingMessage, body: string): Asked {
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const method = request.method ?? 'GET';
  const isJson = path.startsWith('/v2/');
  const query = readForm(search.slice(1));
  const sent: Params = isJson ? JSON.parse(body === '' ? '{}' : body) : readForm(body);
  const params = { ...query, ...sent };
  const account = wordOf(request.headers['stripe-account']);
  const route = findRoute(method, path);
  const word = method === 'GET' ? undefined : wordOf(request.headers['idempotency-key']);
  return {
    request,
    route,
    path,
    params,
    account,
    endpoint: `${method} ${route?.path ?? path}`,
    key: word === undefined ? undefined : `${account ?? ''} ${word}`,
    about: JSON.stringify([method, path, params]),
  };
}

/** A key keeps its first answer, a no as well as a yes, and belongs to what was sent with it. */
function answerOnce(world: World, keys: Keys, asked: Asked): Answer {
  const { key, about, endpoint, params } = asked;
  const kept = key === undefined || world.faults.has('forgets_keys') ? undefined : keys.get(key);
  const keep = (answer: { status: number; text: string }, isKept: boolean): Answer => {
    if (key !== undefined && isKept && !keys.has(key)) keys.set(key, { about, ...answer });
    return { endpoint, params, ...answer };
  };
  for (const act of world.later.splice(0)) act();
  try {
    allow(world, asked);
    if (kept !== undefined && kept.about !== about) throw otherParams(key ?? '');
    if (kept !== undefined) return { endpoint, params, ...kept, isReplayed: true };
    return keep({ status: 200, text: run(world, asked) }, true);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return keep({ status: error.status, text: JSON.stringify(error.body) }, !error.isUnstarted);
  }
}

const otherParams = (key: string) =>
  new Refusal(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    true,
  );

/** Who has no key, or one that may not, gets no further. */
function allow(world: World, { request, route }: Asked): void {
  const [, bearer] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (bearer !== secretKey && route?.isPage !== true)
    throw new Refusal(401, { message: `Invalid API Key provided: ${bearer?.slice(0, 8) ?? ''}***` }, true);
  if (route === undefined)
    throw new Refusal(404, { message: `Unrecognized request URL (${request.method}: ${request.url}).` }, true);
  if (!world.faults.has('no_permission') || !route.path.startsWith('/v1/disputes')) return;
  const words = `The provided key does not have the required permissions for this endpoint. Having the 'rak_dispute_write' permission would allow this request to continue.`;
  throw new Refusal(403, { code: 'more_permissions_required', message: words }, true);
}

function run(world: World, { route, path, params, account }: Asked): string {
  const ids = (route?.pattern.exec(path) ?? []).slice(1).map(decodeURIComponent);
  const found = route?.answer({ world, params, account, id: ids[0] ?? '', ids });
  const wanted = listAt(params, 'expand').filter((one) => typeof one === 'string');
  return JSON.stringify(expandInto(world, found, wanted));
}
