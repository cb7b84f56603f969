import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import * as z from 'zod';
import { router } from '#app/rooms.ts';
import type { ProcedureMeta } from '#wire/promise.ts';

/** A JSON schema. */
export type Schema = Record<string, unknown>;

/** One procedure as its own contract declares it. */
export interface Procedure {
  /** `links.create` */
  name: string;
  meta: ProcedureMeta;
  /** Its address behind the second door, /api/v1, with `{ids}`. */
  method: string;
  path: string;
  /** Codes that it declares to refuse with. */
  codes: ReadonlySet<string>;
  /** What it takes. */
  input: Schema;
}

/** What a type of Zod takes. */
export const schemaOf = (type: unknown): Schema =>
  z.toJSONSchema(type as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Every procedure of the product; nothing is listed by hand. */
export function listProcedures(): Procedure[] {
  const procedures: Procedure[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (!isContractProcedure(contract)) return;
    const { meta, route, errorMap, inputSchema } = (contract as AnyContractProcedure)['~orpc'];
    const name = path.join('.');
    if (route.method === undefined || route.path === undefined) throw new Error(`${name} has no address of its own.`);
    procedures.push({
      name,
      meta: meta as ProcedureMeta,
      method: route.method,
      path: route.path,
      codes: new Set(Object.keys(errorMap)),
      input: inputSchema === undefined ? {} : schemaOf(inputSchema),
    });
  });
  return procedures;
}

/** What ends the asker's own links, visit or session, in the order in which it is asked, after everything else: who is out hears less. */
export const endings = [
  'viewing.closeScreen',
  'links.lockEverything',
  'accounts.signOutEverywhere',
  'accounts.signOut',
] as const;

/** Those that end something come last. */
export const endingsLast = (procedures: readonly Procedure[]): Procedure[] => {
  const placeOf = ({ name }: Procedure) => endings.indexOf(name as (typeof endings)[number]);
  return procedures.toSorted((one, other) => placeOf(one) - placeOf(other));
};
