import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import type { Call } from './driver.ts';
import { type FuzzedProcedure, nasty, oddBodies, oddTypes } from './fuzzed-inputs.ts';

/** One request of the proof. */
export interface FuzzedRequest extends Call {
  body: string | undefined;
  /** The procedure whose refusals it may answer; raw routes have their own words. */
  codes: ReadonlySet<string> | undefined;
}

/** Returns what can be written into a header at all: one line of Latin letters. */
const inHeader = (value: unknown) =>
  String(value)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 3000)
    .trim();

const asText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return 'null'; // bigints and circles are no JSON
  }
};

/** Text as a part of an address; a letter without its other half has no form there. */
const inAddress = (value: unknown) => encodeURIComponent(String(asPlain(value)).toWellFormed()).slice(0, 4000);
const asPlain = (value: unknown) =>
  typeof value === 'object' ? asText(value) : typeof value === 'symbol' ? '' : value;

const nastyHeaders = (ids: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'cookie',
          'authorization',
          'range',
          'if-none-match',
          'accept',
          'accept-language',
          'accept-encoding',
          'last-event-id',
          'user-agent',
          'referer',
          'origin',
          'x-forwarded-for',
          'x-forwarded-host',
          'x-http-method-override',
          'sec-purpose',
          'pf-lease',
          'tus-resumable',
          'upload-offset',
          'upload-length',
          'upload-metadata',
          'upload-concat',
          'upload-defer-length',
          'x-csrf-token',
        ),
        nasty(ids).map((value) => inHeader(asPlain(value))),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => Object.fromEntries(pairs));

const cookieNames = [
  'pf.session_token',
  '__Secure-pf.session_token',
  '__Host-pf.session_token',
  'pf_viewer',
  '__Host-pf_viewer',
  'pf_first',
  'pf_asked',
];
const nastyCookies = (ids: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...cookieNames), nasty(ids))
    .map(([name, value]) => ({ cookie: `${name}=${inHeader(asPlain(value))}` }));

/** Headers: mostly none of note, sometimes odd ones, sometimes odd cookies. */
const someHeaders = (ids: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { arbitrary: fc.constant<Record<string, string>>({}), weight: 6 },
    { arbitrary: nastyHeaders(ids), weight: 2 },
    { arbitrary: nastyCookies(ids), weight: 1 },
  );

const json = { 'content-type': 'application/json', 'x-csrf-token': 'orpc' };

/** A procedure by our own pages' door, its input as JSON or as something that only claims to be. */
const byRpc = ({ name, drawn, codes }: FuzzedProcedure, ids: readonly string[]): fc.Arbitrary<FuzzedRequest> =>
  fc
    .tuple(
      fc.oneof(
        { arbitrary: drawn.map((value) => asText({ json: value })), weight: 8 },
        { arbitrary: fc.constantFrom(...oddBodies), weight: 1 },
      ),
      fc.oneof({ arbitrary: fc.constant('application/json'), weight: 10 }, fc.constantFrom(...oddTypes)),
      fc.oneof({ arbitrary: fc.constant('POST'), weight: 12 }, fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH')),
      someHeaders(ids),
    )
    .map(([body, type, method, headers]) => {
      const url = `/rpc/${name.replace('.', '/')}`;
      const isGet = method === 'GET';
      return {
        method,
        path: isGet ? `${url}?data=${inAddress(body)}` : url,
        headers: { ...json, 'content-type': type, ...headers },
        body: isGet ? undefined : body,
        codes,
      };
    });

/** The same by the door of everybody else: ids in the path, the rest in the query or the body. */
const byRest = ({ method, path, drawn, codes }: FuzzedProcedure, ids: readonly string[]): fc.Arbitrary<FuzzedRequest> =>
  fc.tuple(drawn, nasty(ids), someHeaders(ids)).map(([value, evil, headers]) => {
    const given: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : { value };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inAddress(given[name] ?? evil) || 'x');
    const query = Object.entries(given)
      .map(([name, one]) => `${inAddress(name)}=${inAddress(one)}`)
      .join('&')
      .slice(0, 8000);
    const isGet = method === 'GET';
    return {
      method,
      path: `/api/v1${address}${isGet && query !== '' ? `?${query}` : ''}`,
      headers: { ...json, ...headers },
      body: isGet ? undefined : asText(value),
      codes,
    };
  });

/** A raw route: odd ids in its path, odd queries, odd bodies. */
const byRaw = (method: string, url: string, ids: readonly string[]): fc.Arbitrary<FuzzedRequest> =>
  fc
    .tuple(
      fc.array(nasty(ids), { minLength: 3, maxLength: 3 }),
      fc.oneof(fc.constantFrom(...oddBodies), nasty(ids).map(asText)),
      fc.constantFrom(...oddTypes),
      nastyHeaders(ids),
      nasty(ids),
    )
    .map(([params, body, type, headers, evil]) => {
      let n = 0;
      const address = url.replaceAll(/:\w+|\*/g, () => inAddress(params[n++ % 3]) || 'x');
      const query = `?visit=${inAddress(evil)}&days=${inAddress(params[0])}&cursor=${inAddress(params[1])}`;
      const isEmpty = ['GET', 'HEAD', 'OPTIONS'].includes(method);
      return {
        method,
        path: n % 2 === 0 ? address + query : address,
        headers: { 'content-type': type, 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc', ...headers },
        body: isEmpty ? undefined : body,
        codes: undefined,
      };
    });

/** Any request to any door. */
export function anyRequest(
  procedures: readonly FuzzedProcedure[],
  routes: readonly RouteOptions[],
  ids: readonly string[],
): fc.Arbitrary<FuzzedRequest> {
  const raw = routes
    .filter(({ url, config }) => !/^\/(rpc|api\/v1)\//.test(url) && config?.who?.[0] !== 'developer')
    .flatMap(({ method, url }) => [method].flat().map((one) => byRaw(String(one), url, ids)));
  return fc.oneof(
    { arbitrary: fc.oneof(...procedures.map((procedure) => byRpc(procedure, ids))), weight: 5 },
    { arbitrary: fc.oneof(...procedures.map((procedure) => byRest(procedure, ids))), weight: 3 },
    { arbitrary: fc.oneof(...raw), weight: 3 },
  );
}
