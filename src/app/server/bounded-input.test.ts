import type { AnyContractRouter } from '@orpc/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { MetricsEnvelope, metricsPath } from '#features/audit/page-metrics.ts';
import { LeaseRequest, OpenRequest } from '#features/viewing/contract.ts';
import { CheckoutRequest } from '#features/viewing/sale-contract.ts';
import { router } from '../rooms.ts';

type Shape = Record<string, unknown>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;

/** Every text and list of a JSON schema that may be as long as somebody wishes. */
function findUnbounded(shape: unknown, where: string): string[] {
  if (Array.isArray(shape)) return shape.flatMap((part, n) => findUnbounded(part, `${where}/${n}`));
  if (!isShape(shape)) return [];
  const isBounded =
    shape.type === 'array'
      ? 'maxItems' in shape || 'prefixItems' in shape
      : shape.type !== 'string' || ['maxLength', 'format', 'pattern', 'enum', 'const'].some((word) => word in shape);
  const inside = Object.entries(shape).flatMap(([name, part]) => findUnbounded(part, `${where}/${name}`));
  return isBounded ? inside : [where, ...inside];
}

/** Forms that the library checks with a pattern of its own, which can match in one way only. */
const plainForms = new Set(['uuid', 'date', 'datetime']);

/** What Zod keeps of a schema; the few words that are read here. */
interface Definition {
  type?: string;
  format?: string;
  checks?: { _zod: { def: { check: string; abort?: boolean } } }[];
}

/** Every text of a schema whose pattern or rule looks at it before its length has been checked. */
function findEager(schema: unknown, where: string, seen = new Set<unknown>()): string[] {
  if (!isShape(schema) || seen.has(schema)) return [];
  seen.add(schema);
  if (!('_zod' in schema))
    return Object.entries(schema).flatMap(([name, part]) => findEager(part, `${where}/${name}`, seen));
  const { def } = schema._zod as { def: Definition };
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  // Trimming and lower case take a text once from end to end.
  const first = checks.find(({ check }) => check !== 'overwrite');
  const isSafe =
    first === undefined || (first.check === 'max_length' && first.abort === true) || plainForms.has(def.format ?? '');
  const parts = Object.entries(def).filter(([name]) => name !== 'checks');
  const inside = parts.flatMap(([name, part]) => findEager(part, name === 'shape' ? where : `${where}/${name}`, seen));
  return def.type !== 'string' || isSafe ? inside : [where, ...inside];
}

/** The input of every procedure, by its name. */
function listInputs(part: AnyContractRouter, name = ''): [string, z.ZodType][] {
  const procedure: unknown = part;
  if (isShape(procedure) && '~orpc' in procedure) {
    const { inputSchema } = procedure['~orpc'] as { inputSchema?: z.ZodType };
    return inputSchema === undefined ? [] : [[name, inputSchema]];
  }
  return Object.entries(part).flatMap(([key, inner]) => listInputs(inner as AnyContractRouter, `${name}.${key}`));
}

const inputs: [string, z.ZodType][] = [
  ...listInputs(router as unknown as AnyContractRouter),
  ['POST /api/view/:slug/open', OpenRequest],
  ['POST /api/view/leases', LeaseRequest],
  ['POST /api/view/:slug/checkout', CheckoutRequest],
  [`POST ${metricsPath}`, MetricsEnvelope],
];

test('every text and every list that the API takes has a longest length', () => {
  expect(inputs.length).toBeGreaterThan(50);
  const schemas = inputs.map(
    ([name, input]) => [name, z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })] as const,
  );
  expect(schemas.flatMap(([name, schema]) => findUnbounded(schema, name))).toEqual([]);
});

test('the length of every text is checked before a pattern or a rule looks at it', () => {
  expect(inputs.flatMap(([name, input]) => findEager(input, name))).toEqual([]);
  const eager = z.object({ a: z.string().trim().regex(/a/).max(3), b: z.array(z.string().max(3).regex(/b/)) });
  expect(findEager(eager, 'eager')).toEqual(['eager/a', 'eager/b/element']);
});

/** Fields whose text may have several lines. */
const proseFields = [
  'audience',
  'benefits',
  'bio',
  'body',
  'brief',
  'description',
  'details',
  'message',
  'note',
  'postalAddress',
  'reason',
  'stack',
  'untoldBecause',
  'text',
  'thanks',
  'welcomeText',
  'wontDo',
];
/** Fields that are compared as they were typed and never stored as text. */
const secretFields = ['password', 'currentPassword', 'newPassword'];

interface Leaf {
  where: string;
  field: string;
  schema: z.ZodType;
}

/** Every text of a schema that is not a choice among words, with the name of its field. */
function listTexts(schema: unknown, where: string, field: string, seen = new Set<unknown>()): Leaf[] {
  if (!isShape(schema)) return [];
  if (!('_zod' in schema))
    return Object.entries(schema).flatMap(([name, part]) =>
      listTexts(part, `${where}/${name}`, /^\d+$/.test(name) ? field : name, seen),
    );
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod as { def: Definition };
  if (def.type === 'string') return [{ where, field, schema: schema as unknown as z.ZodType }];
  return Object.entries(def)
    .filter(([name]) => name !== 'checks')
    .flatMap(([name, part]) => listTexts(part, name === 'shape' ? where : `${where}/${name}`, field, seen));
}

const texts = inputs.flatMap(([name, input]) => listTexts(input, name, ''));
/** Texts that a brief, a name, an address and a word are made of. */
const hostile = [
  'Hello\u0001 there\u000b you\u001b\ufffe\uffff',
  'a\u0001b@example.com',
  'A\u001b',
  'Mia\r\nPay\u2028here\u0085now\rto\fday',
];

/** Returns what comes through the texts whose field is none of these, and has something in it that it may not have. */
const findThrough = (but: readonly string[], unwanted: RegExp) =>
  texts
    .filter(({ field }) => !but.includes(field))
    .flatMap(({ where, schema }) => hostile.map((text) => [where, schema.safeParse(text).data] as const))
    .filter(([, text]) => typeof text === 'string' && unwanted.test(text));

test('nothing that XML forbids comes through a text of the API', () => {
  expect(texts.length).toBeGreaterThan(100);
  expect(findThrough(secretFields, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)).toEqual([]);
});

test('a text of the API is one line, unless it is prose', () => {
  expect(findThrough([...proseFields, ...secretFields], /[\n\r\v\f\u0085\u2028\u2029]/)).toEqual([]);
});

test('the fields that are left out are there', () => {
  const names = new Set(texts.map(({ field }) => field));
  expect([...proseFields, ...secretFields].filter((field) => !names.has(field))).toEqual([]);
});
