import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import { router } from '#app/rooms.ts';
import { type Answer, type Browser, headersOf, keepCookies, type TestApp } from '#tests/support/test-app.ts';
import type { ProcedureMeta } from '#wire/promise.ts';

/** One procedure as its own contract declares it. */
export interface MatrixRow {
  /** `links.create` */
  name: string;
  meta: ProcedureMeta;
  /** Its address behind the second door, /api/v1. */
  method: string;
  path: string;
}

/** Every procedure of the product; nothing is listed by hand. */
export function listRows(): MatrixRow[] {
  const rows: MatrixRow[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (!isContractProcedure(contract)) return;
    const { meta, route } = (contract as AnyContractProcedure)['~orpc'];
    if (route.method === undefined || route.path === undefined)
      throw new Error(`${path.join('.')} has no address of its own.`);
    rows.push({ name: path.join('.'), meta: meta as ProcedureMeta, method: route.method, path: route.path });
  });
  return rows;
}

/** Our own pages call by RPC, everybody else by the OpenAPI address. */
export const doors = ['rpc', 'rest'] as const;
export type Door = (typeof doors)[number];

interface Call {
  method: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string;
}

const json = { 'content-type': 'application/json' };

/** A call as the contract's own address wants it: ids in the path, the rest in the query or in the body. */
function restCall({ method, path }: MatrixRow, input: object): Call {
  const rest = new Map<string, unknown>(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const url = `/api/v1${filled}`;
  if (method !== 'GET') return { method, url, headers: json, payload: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(
    [...rest].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return { method, url: query === '' ? url : `${url}?${query}` };
}

const namesInPath = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Whether a procedure's address holds ids. */
export const hasIdInPath = ({ path }: MatrixRow): boolean => namesInPath(path).length > 0;

/**
 * A call by its address that names the ids of its path a second time, with other values: in its query and, where it has one, in
 * its body.
 */
export function sayTwice(row: MatrixRow, input: object, other: object): { row: MatrixRow; input: object } {
  const [own, strange] = [new Map(Object.entries(input)), new Map(Object.entries(other))];
  const again = namesInPath(row.path).map((name): [string, string] => [name, String(strange.get(name))]);
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(own.get(name))));
  const query = row.method === 'GET' ? '' : `?${new URLSearchParams(again)}`;
  return { row: { ...row, path: `${path}${query}` }, input: { ...input, ...Object.fromEntries(again) } };
}

const rpcCall = ({ name }: MatrixRow, input: object): Call => ({
  method: 'POST',
  url: `/rpc/${name.replace('.', '/')}`,
  headers: json,
  payload: JSON.stringify({ json: input }),
});

const onPath = (url: string, change: (path: string) => string) => {
  const [path = '', query] = url.split('?');
  return query === undefined ? change(path) : `${change(path)}?${query}`;
};
const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** Other ways of saying the same address: none of them may open what the plain one does not. */
const spellings: Record<string, (url: string) => string> = {
  'trailing slash': (url) => onPath(url, (path) => `${path}/`),
  'doubled slash': (url) => onPath(url, (path) => path.replace(/^(\/\w+)\//, '$1//')),
  'doubled slash at the end': (url) => onPath(url, (path) => `${path}//`),
  'encoded letter': (url) => onPath(url, (path) => path.replace(/\w(?=\w*$)/, percent)),
  'encoded first letter': (url) => url.replace(/^\/(\w)/, (_, letter: string) => `/${percent(letter)}`),
  'upper case': (url) => onPath(url, (path) => path.replace(/^\/[\w/]+?\/(?=[^/]*$)/, (text) => text.toUpperCase())),
  'up and down': (url) => onPath(url, (path) => path.replace(/^(\/\w+)\//, '$1/..%2f$1/')),
  'encoded slash': (url) => onPath(url, (path) => path.replace(/(?<=.)\/([^/]*)$/, '%2f$1')),
  'a semicolon': (url) => onPath(url, (path) => `${path};.css`),
  'a method in the query': (url) => `${url}${url.includes('?') ? '&' : '?'}_method=GET`,
  'a query twice': (url) => `${url}${url.includes('?') ? '&' : '?'}id=1&id=2`,
};
/** Headers by which some servers take a call for another one. */
const disguises: Record<string, Record<string, string>> = {
  'another method in a header': { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
  'another address in a header': { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' },
  'a range': { range: 'bytes=0-0' },
};
export const spellingNames: readonly string[] = [...Object.keys(spellings), ...Object.keys(disguises)];
export type Spelling = string;

/** A call said in another way: its address, and what its headers add. */
export const spell = (
  url: string,
  spelling: Spelling | undefined,
): { url: string; headers: Record<string, string> } => ({
  url: (spelling === undefined ? undefined : spellings[spelling])?.(url) ?? url,
  headers: (spelling === undefined ? undefined : disguises[spelling]) ?? {},
});

/** Asks one procedure through one door; `spelling` says its address in another way. */
export async function askThrough(
  app: TestApp,
  door: Door,
  row: MatrixRow,
  input: object,
  from: Browser,
  spelling?: Spelling,
): Promise<Answer> {
  const { method, url, headers, payload } = door === 'rpc' ? rpcCall(row, input) : restCall(row, input);
  const said = spell(url, spelling);
  const answer = await app.fastify.inject({
    method: method as 'GET',
    url: said.url,
    ...(from.address !== undefined && { remoteAddress: from.address }),
    headers: { 'x-csrf-token': 'orpc', host: 'localhost:3000', ...headers, ...said.headers, ...headersOf(from) },
    ...(payload !== undefined && { payload }),
  });
  keepCookies(from, answer.headers['set-cookie']);
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { status: answer.statusCode, body: isJson ? JSON.parse(answer.body) : answer.body, headers: answer.headers };
}
