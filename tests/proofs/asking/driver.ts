import { type Browser, copyOf, headersOf, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import type { Actor } from './actors.ts';
import { bodyOf } from './bodies.ts';
import type { Procedure } from './procedures.ts';
import { shapeOf } from './routes.ts';
import { spell } from './spellings.ts';
import type { Door, Target } from './target.ts';
import type { Stage, Things } from './things.ts';

/** One call of somebody about somebody's things. */
export interface Question {
  target: Target;
  actor: Actor;
  /** Whose things it names, in words. */
  whose: string;
  door: Door;
  things: Things;
  /** What a procedure is told instead of a body about these things. */
  input?: object;
  /** Another way of saying its address. */
  spelling?: string | undefined;
  /** What the address names a second time, with these values. */
  beside?: Things;
}

/** No two questions have the same name. */
export const nameOf = ({ target, actor, whose, door, spelling, beside }: Question): string =>
  [
    `${target.name} as ${actor.name} on ${whose}${door === 'raw' ? '' : ` by ${door}`}`,
    ...(spelling === undefined ? [] : [spelling]),
    ...(beside === undefined ? [] : ['named twice']),
  ].join(', ');

/** A call as it is sent. */
export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object | string | undefined;
}

/** What came back: its head, and all that it says, head and body, as one text. */
export interface Heard {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
  /** Why not, as a refusal says it. */
  code: string | undefined;
}

/** The call that a question makes. */
export function callOf({
  target,
  door,
  things,
  input: reported,
  beside,
  spelling,
}: Omit<Question, 'actor' | 'whose'>): Call {
  const { name, procedure } = target;
  if (procedure === undefined) {
    const [method = 'GET'] = name.split(' ');
    const { path, body, headers = {} } = shapeOf(name, things);
    return spell({ method, path, body, headers }, spelling);
  }
  const input = reported ?? bodyOf(name, things);
  if (door === 'rpc') return spell(rpcCall(procedure, input), spelling);
  if (beside === undefined) return spell(restCall(procedure, input), spelling);
  return spell(twiceCall(procedure, input, bodyOf(name, beside)), spelling);
}

export const rpcCall = ({ name }: Pick<Procedure, 'name'>, input: object): Call => ({
  method: 'POST',
  path: `/rpc/${name.replace('.', '/')}`,
  headers: {},
  body: { json: input },
});

const queryOf = (said: Iterable<readonly [string, unknown]>) =>
  new URLSearchParams([...said].map(([name, value]): [string, string] => [name, String(value)])).toString();
const namesInPath = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
export const hasIdInPath = ({ procedure }: Target): boolean => namesInPath(procedure?.path ?? '').length > 0;

/** A call as the contract's own address wants it: ids in the path, the rest in the query or in the body. */
export function restCall({ method, path }: Pick<Procedure, 'method' | 'path'>, input: object): Call {
  const rest = new Map<string, unknown>(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const url = `/api/v1${filled}`;
  if (method !== 'GET') return { method, path: url, headers: {}, body: Object.fromEntries(rest) };
  const query = queryOf(rest);
  return { method, path: query === '' ? url : `${url}?${query}`, headers: {} };
}

/**
 * A call by its address that names the ids of its path a second time, with other values: in its query and, where it has one, in
 * its body.
 */
function twiceCall({ method, path }: Procedure, input: object, other: object): Call {
  const [own, strange] = [new Map(Object.entries(input)), new Map(Object.entries(other))];
  const again = namesInPath(path).map((name) => [name, String(strange.get(name))] as const);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(own.get(name))));
  const query = method === 'GET' ? '' : `?${queryOf(again)}`;
  return restCall({ method, path: `${filled}${query}` }, { ...input, ...Object.fromEntries(again) });
}

/** Asks, in a copy of the browser: what an answer changes in it stays with that answer. @param change how the call is made otherwise */
export function ask(stage: Stage, question: Question, change = (call: Call) => call): Promise<Heard> {
  const call = change(callOf(question));
  const browser = copyOf(question.actor.browser);
  if (question.door !== 'raw') return sendInside(stage.app, call, browser);
  return sendOver(stage.viewerApi.url, call, { origin: stage.app.engines.installation.publicUrl, ...plain(browser) });
}

const plain = (browser: Browser) => headersOf(browser) as Record<string, string>;
const sentBody = ({ body }: Call): string | Uint8Array<ArrayBuffer> | null => {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
};
const typeOf = ({ body }: Call): Record<string, string> =>
  typeof body === 'object' ? { 'content-type': 'application/json' } : {};

/** What our own pages say with each call. */
const usual: Readonly<Record<string, string>> = { 'x-csrf-token': 'orpc', host: 'localhost:3000' };

/** One call without a line, from the browser's own address. @param said with every call, before its own headers */
export async function sendInside({ fastify }: TestApp, call: Call, browser: Browser, said = usual): Promise<Heard> {
  const answer = await fastify.inject({
    method: call.method as 'GET',
    url: call.path,
    ...(browser.address !== undefined && { remoteAddress: browser.address }),
    headers: { ...said, ...typeOf(call), ...plain(browser), ...call.headers },
    ...(call.method !== 'GET' && call.body !== undefined && { payload: sentBody(call) as string }),
  });
  return heardOf(answer.statusCode, new Headers(pairsOf(answer.headers)), answer.rawPayload);
}
const pairsOf = (headers: Record<string, string | string[] | number | undefined>) =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)] as [string, string]),
  );

/** One call over a real port, because some routes stream; a stream of news is let go of after its head. @param headers said before the call's own */
export async function sendOver(url: string, call: Call, headers: Record<string, string>): Promise<Heard> {
  const cut = new AbortController();
  const isBodiless = call.method === 'GET' || call.method === 'HEAD';
  const send = () =>
    fetch(`${url}${call.path}`, {
      redirect: 'manual',
      method: call.method,
      headers: { 'user-agent': phone, ...headers, ...typeOf(call), ...call.headers },
      body: isBodiless ? null : sentBody(call),
      signal: AbortSignal.any([cut.signal, AbortSignal.timeout(20_000)]),
    });
  // A refused upload closes its line; who was just about to use it again takes another one.
  const answer = await send().catch(send);
  const isNews = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const bytes = isNews ? Buffer.alloc(0) : Buffer.from(await answer.arrayBuffer());
  cut.abort();
  return heardOf(answer.status, answer.headers, bytes);
}

function heardOf(status: number, headers: Headers, bytes: Buffer): Heard {
  const body = bytes.toString('latin1');
  const isJson = headers.get('content-type')?.startsWith('application/json') === true && body !== '';
  const said = isJson ? JSON.parse(bytes.toString()) : undefined;
  return {
    status,
    headers,
    bytes,
    text: `${body}${JSON.stringify([...headers])}`,
    code: said?.json?.code ?? said?.code,
  };
}

/** Does something with all of them, some at a time, because some answers wait. */
export async function eachOf<T>(all: Iterable<T>, work: (one: T) => Promise<unknown>, atOnce = 6): Promise<void> {
  const waiting = all[Symbol.iterator]();
  const go = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, go));
}
