import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { type AnyRouter, traverseContractProcedures } from '@orpc/server';
import * as z from 'zod';
import { readAddresses } from './procedure-at.ts';
import type { ProcedureMeta } from './promise.ts';

/** The longest body behind which no account stands. */
export const anybodyBytes = 65_536;
/** The longest body of any call, and the limit of one that takes hardly anything. */
const [mostBytes, leastBytes] = [1_000_000, 8192];

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** Letters beyond ASCII take three bytes at most a UTF-16 unit, a line break two. */
const bytesPerUnit = 3;
const plainBytes: Readonly<Record<string, number>> = { boolean: 5, null: 4, number: 25, integer: 17 };

/** Returns how long a value that fits a schema can become as JSON; endless where the schema names no bound. */
function longestOf(schema: Schema): number {
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return Math.max(...choices.map(longestOf));
  const words = (schema.enum ?? ('const' in schema ? [schema.const] : undefined)) as readonly unknown[] | undefined;
  if (words !== undefined) return Math.max(...words.map((word) => Buffer.byteLength(JSON.stringify(word) ?? '')));
  if (schema.type === 'array') return longestList(schema);
  if (schema.type === 'object') return longestObject(schema);
  if (typeof schema.maxLength === 'number') return 2 + bytesPerUnit * schema.maxLength;
  return plainBytes[String(schema.type)] ?? 64;
}

function longestList({ items, prefixItems = [], maxItems = Number.POSITIVE_INFINITY }: Schema): number {
  const placesBytes = (prefixItems as readonly Schema[]).reduce((sum, place) => sum + longestOf(place) + 1, 0);
  if (typeof items !== 'object' || items === null) return 2 + placesBytes;
  return 2 + placesBytes + (longestOf(items as Schema) + 1) * Number(maxItems);
}

const longestObject = ({ properties = {} }: Schema): number =>
  Object.entries(properties as Record<string, Schema>).reduce(
    (sum, [name, value]) => sum + name.length + 4 + longestOf(value),
    2,
  );

/** Returns whether somebody without an account can succeed with a procedure. */
export const isForAnybody = ({ who }: Pick<ProcedureMeta, 'who'>): boolean =>
  who.some((one) => one === 'visitor' || one === 'viewer');

/** How many bytes the body of a call may have: a little more than the longest input that its procedure takes. */
function bodyLimitOf({ meta, inputSchema }: AnyContractProcedure['~orpc']): number {
  if (inputSchema === undefined) return leastBytes;
  const schema = z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  const neededBytes = Math.ceil(1.25 * longestOf(schema as Schema)); // dates, and what our own pages wrap it in
  const most = isForAnybody(meta as ProcedureMeta) ? anybodyBytes : mostBytes;
  return Math.min(Math.max(leastBytes, neededBytes), most);
}

/** The limit of a call by its method and path; of one that no procedure answers, the least. */
export type BodyLimits = (method: string, pathname: string) => number;

/** Reads the limit of each procedure off its contract, for both of its addresses. */
export function readBodyLimits(router: AnyRouter): BodyLimits {
  const procedureAt = readAddresses(router);
  const limits = new Map<string, number>();
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (isContractProcedure(contract))
      limits.set(path.join('.'), bodyLimitOf((contract as AnyContractProcedure)['~orpc']));
  });
  return (method, pathname) => limits.get(procedureAt(method, pathname)?.name ?? '') ?? leastBytes;
}
