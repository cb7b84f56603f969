import fc from 'fast-check';
import { listProcedures, type Procedure, type Schema } from './procedures.ts';

/** A procedure with what a request to it may look like. */
export interface FuzzedProcedure extends Procedure {
  drawn: fc.Arbitrary<unknown>;
}

type Words = { ids: readonly string[] };

/** Returns what breaks programs: other types, other sizes, other alphabets, words that some layer below may take for its own. */
export const nasty = (ids: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(
      ...ids,
      null,
      undefined,
      true,
      0,
      -0,
      -1,
      0.5,
      2 ** 31,
      2 ** 53,
      Number.MAX_VALUE,
      Number.MIN_SAFE_INTEGER,
      '',
      ' ',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff\ud800',
      '\u202egpj.exe',
      'İ'.repeat(40),
      '👩‍👩‍👧‍👦'.repeat(30),
      'ﷺ'.repeat(200),
      "' or 1=1 --",
      '"; drop table users; --',
      '$1',
      '%00',
      '%',
      '_%',
      '\\',
      '../../etc/passwd',
      '{{7*7}}',
      '<script>alert(1)</script>',
      'NaN',
      'Infinity',
      '1e400',
      '2026-13-45T99:99:99Z',
      '+275760-09-13T00:00:00.001Z',
      '-271821-04-19T23:59:59.999Z',
      'Etc/GMT+99',
      'x'.repeat(20_000),
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '2026-11-21T12:00:00.000Z_01900000-0000-7000-8000-000000000000',
      [],
      {},
      [[]],
      { __proto__: null, constructor: { prototype: { isAdmin: true } } },
      JSON.parse('{"__proto__":{"isAdmin":true},"toString":1,"hasOwnProperty":null,"then":1}'),
    ),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.anything({ maxDepth: 3, withNullPrototype: false }),
    fc.constant(nest(300)),
  );

/** Arrays in arrays. */
function nest(depth: number): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < depth; level++) inner = [inner];
  return inner;
}

/** Values that a JSON schema allows, more or less: what it cannot say (an album that exists) is left to chance. */
function drawFrom(schema: Schema, words: Words): fc.Arbitrary<unknown> {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => drawFrom(choice, words)));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'object') return drawObject(schema, words);
  if (Array.isArray(schema.prefixItems))
    return fc.tuple(...(schema.prefixItems as Schema[]).map((part) => drawFrom(part, words)));
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = 5 } = schema as { minItems?: number; maxItems?: number };
    const of = drawFrom((schema.items as Schema | undefined) ?? {}, words);
    return fc.array(of, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 5)) });
  }
  return drawPlain(schema, words);
}

function drawObject(schema: Schema, words: Words): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
  const required = ((schema.required as string[] | undefined) ?? []) as never[];
  const record = Object.fromEntries(properties.map(([name, inner]) => [name, drawFrom(inner, words)]));
  return fc.record(record, { requiredKeys: required });
}

function drawPlain(schema: Schema, { ids }: Words): fc.Arbitrary<unknown> {
  const { type, format, pattern } = schema as { type?: string; format?: string; pattern?: string };
  const { minimum = -1000, maximum = 100_000 } = schema as { minimum?: number; maximum?: number };
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) });
  if (type !== 'string') return fc.constantFrom(...ids, '2027-01-01T00:00:00Z', 3, true);
  if (format === 'uuid') return fc.constantFrom(...ids);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'date') return fc.constantFrom('1990-02-28', '2004-02-29', '2025-01-01');
  if (pattern !== undefined && format === undefined) return fc.stringMatching(new RegExp(pattern));
  const { minLength = 0, maxLength = 60 } = schema as { minLength?: number; maxLength?: number };
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 100)) });
}

/** Spoils one place of a value that would be fine. */
const spoiled = (value: unknown, evil: unknown, at: number, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return evil;
  const copy: Record<string, unknown> = { ...(value as object) };
  const keys = Object.keys(copy);
  const key = at % 7 === 0 || keys.length === 0 ? name : (keys[at % keys.length] ?? name);
  const inner = Object.hasOwn(copy, key) ? copy[key] : undefined;
  const goesDeeper = at % 3 === 0 && typeof inner === 'object' && inner !== null;
  Object.defineProperty(copy, key, {
    value: goesDeeper ? spoiled(inner, evil, Math.floor(at / 3), name) : evil,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
};
const names = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'id', 'isAdmin', 'userId', '', '$');

export const listFuzzed = (ids: readonly string[]): FuzzedProcedure[] =>
  listProcedures().map((procedure) => {
    const fine = drawFrom(procedure.input, { ids });
    const bad = fc
      .tuple(fine, nasty(ids), fc.nat(1000), names)
      .map(([value, evil, at, name]) => spoiled(value, evil, at, name));
    const drawn = fc.oneof(
      { arbitrary: fine, weight: 3 },
      { arbitrary: bad, weight: 5 },
      { arbitrary: nasty(ids), weight: 1 },
    );
    return { ...procedure, drawn };
  });

/** Bodies that are no honest JSON, or not of the type that they say. */
export const oddBodies: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"',
  '{"json":}',
  '{"json":{},"json":[]}',
  '{"json":{"a":1,"a":2},"meta":[[0,"json","a"]]}',
  '{"json":{},"meta":[["date","linkId"]]}',
  '{"json":{"x":"1"},"meta":[[1,"__proto__","isAdmin"]]}',
  '{"json":null,"meta":[[3,"a","b","c"]]}',
  '{"json":{"a":1e400,"b":-1e400,"c":123456789012345678901234567890}}',
  '{"json":{"__proto__":{"isAdmin":true}}}',
  '{"json":"\\ud800"}',
  '{"json":"\\u0000"}',
  '\ufeff{"json":{}}',
  `{"json":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  `{"json":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  'json=%7B%7D&x[__proto__][isAdmin]=1',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n{}\r\n--x--',
];
export const oddTypes: readonly string[] = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'text/xml',
  'image/svg+xml',
  'x',
  'application/json, text/html',
];
