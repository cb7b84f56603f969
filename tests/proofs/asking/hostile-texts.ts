import { router } from '#app/rooms.ts';
import { LeaseRequest, OpenRequest } from '#features/viewing/contract.ts';
import { anybodyBytes, readBodyLimits } from '#wire/body-limits.ts';
import { type Call, rpcCall } from './driver.ts';
import { listProcedures, type Schema, schemaOf } from './procedures.ts';

/** What makes patterns, folding and parsers work hard; each is repeated until it fills a body. */
export const hostileTexts: readonly { name: string; start: string; repeated: string; end: string }[] = [
  { name: 'dots behind an @', start: 'a@', repeated: '.', end: '@' },
  { name: 'an address with many parts', start: 'a@', repeated: 'a.', end: ' ' },
  { name: 'spaces', start: 'a', repeated: ' ', end: 'a' },
  { name: 'nested brackets', start: '', repeated: '([{<', end: '' },
  { name: 'marks to be put in order', start: 'a', repeated: '\u0301\u0316', end: 'é' },
  { name: 'nearly hex', start: '', repeated: '0a', end: 'g' },
  { name: 'nearly a moment', start: '2026-11-21T12:00:00.', repeated: '0', end: 'Y' },
  { name: 'nearly an id', start: '01900000-0000-7000-8000-000000000000', repeated: '-0', end: 'x' },
];

/** A text of about so many bytes. */
export const fill = ({ start, repeated, end }: (typeof hostileTexts)[number], bytes: number): string =>
  start + repeated.repeat(Math.floor(bytes / Buffer.byteLength(repeated))) + end;

/** Something that a JSON schema takes, as small as it may be, with `text` in every place where `path` ends. */
function build(schema: Schema, path: readonly string[], text: string): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined) return build(choices[Number(path[0] ?? 0)] ?? {}, path.slice(1), text);
  if (schema.type === 'array') return [build((schema.items as Schema) ?? {}, path.slice(1), text)];
  if (schema.type === 'object') return buildObject(schema, path, text);
  if (schema.type === 'string') return path[0] === 'text' ? text : exampleOf(schema);
  if ('const' in schema) return schema.const;
  return schema.type === 'boolean'
    ? true
    : schema.type === 'null'
      ? null
      : ((schema.minimum as number | undefined) ?? 1);
}

function buildObject(schema: Schema, [head = '', ...rest]: readonly string[], text: string): object {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name === head || required.includes(name))
      .map(([name, inner]) => [name, build(inner, name === head ? rest : [], text)]),
  );
}

function exampleOf({ enum: words, format, minLength = 0 }: Schema & { minLength?: number }): unknown {
  if (Array.isArray(words)) return words[0];
  return format === 'uuid' ? '01900000-0000-7000-8000-000000000000' : 'a'.repeat(minLength);
}

/** Every place of a JSON schema where a text of the sender's own may stand. */
function findTexts(schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined) return choices.flatMap((choice, n) => findTexts(choice, [...path, String(n)]));
  if (schema.type === 'string') return [[...path, 'text']];
  if (schema.type === 'array') return findTexts((schema.items as Schema) ?? {}, [...path, 'each']);
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([name, inner]) => findTexts(inner, [...path, name]));
}

/** One place where a text can be sent. */
export interface TextField {
  /** The longest that is read there, less what stands around it. */
  mostBytes: number;
  /** The calls that send it: as our own pages do, and by the door of everybody else, if it is one. */
  callsOf: (text: string) => readonly [Call, ...Call[]];
}

/** Room for what stands around a text. */
const aroundBytes = 2000;
/** Of everything together Node takes 16 KB of headers, the address among them. */
export const headerBytes = 12_000;

/** Every text field of every procedure and of the raw routes that read JSON. */
export function listTextFields(): TextField[] {
  const fieldsOf = (
    schema: Schema,
    bodyBytes: number,
    callsOf: (body: object) => readonly [Call, ...Call[]],
  ): TextField[] =>
    findTexts(schema).map((path) => ({
      mostBytes: bodyBytes - aroundBytes,
      callsOf: (text) => callsOf(build(schema, path, text) as object),
    }));
  const limitOf = readBodyLimits(router);
  const routes = [
    ['/api/view/nobody/open', OpenRequest],
    ['/api/view/leases', LeaseRequest],
  ] as const;
  return [
    ...listProcedures().flatMap((procedure) => {
      const { method } = procedure;
      const path = `/api/v1${procedure.path.replaceAll(/\{\w+\}/g, 'x')}`;
      return fieldsOf(procedure.input, method === 'GET' ? headerBytes : limitOf(method, path), (body) =>
        method === 'GET' ? [rpcCall(procedure, body)] : [rpcCall(procedure, body), { method, path, headers: {}, body }],
      );
    }),
    ...routes.flatMap(([path, type]) =>
      fieldsOf(schemaOf(type), anybodyBytes, (body) => [{ method: 'POST', path, headers: {}, body }]),
    ),
  ];
}

/** What a raw route is sent as the whole of its body, and what stands in each header that we read. */
export const readHeaders = [
  'cookie',
  'authorization',
  'range',
  'if-none-match',
  'accept-encoding',
  'user-agent',
  'origin',
  'pf-lease',
  'upload-metadata',
  'upload-length',
  'last-event-id',
  'sec-purpose',
] as const;
