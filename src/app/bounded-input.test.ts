import type { AnyContractRouter } from '@orpc/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { router } from './rooms.ts';

/** A rule of its own looks at these and takes 30 characters at most. */
const isRuled = (where: string) => where.endsWith('/properties/handle');

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
  return isBounded || isRuled(where) ? inside : [where, ...inside];
}

/** The input of every procedure, by its name. */
function listInputs(part: AnyContractRouter, name = ''): [string, unknown][] {
  const procedure: unknown = part;
  if (isShape(procedure) && '~orpc' in procedure) {
    const { inputSchema } = procedure['~orpc'] as { inputSchema?: z.ZodType };
    return inputSchema === undefined
      ? []
      : [[name, z.toJSONSchema(inputSchema, { io: 'input', unrepresentable: 'any' })]];
  }
  return Object.entries(part).flatMap(([key, inner]) => listInputs(inner as AnyContractRouter, `${name}.${key}`));
}

test('every text and every list that the API takes has a longest length', () => {
  const inputs = listInputs(router as unknown as AnyContractRouter);
  expect(inputs.length).toBeGreaterThan(50);
  expect(inputs.flatMap(([name, shape]) => findUnbounded(shape, name))).toEqual([]);
});
