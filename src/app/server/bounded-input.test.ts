import type { AnyContractRouter } from '@orpc/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { LeaseRequest, OpenRequest } from '#features/viewing/contract.ts';
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
