import type { AnyProcedure } from '@orpc/server';
import type { RouteOptions } from 'fastify';
import type { FunctionEntry } from '#wire/functions.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { router } from '../rooms.ts';

/** Addresses that stand for every procedure. */
const ofProcedures = new Set(['/rpc/*', '/api/v1/*']);

const describeProcedure = (name: string, procedure: AnyProcedure): FunctionEntry => {
  const { meta, route } = procedure['~orpc'];
  const { who, scopes = [] } = meta as ProcedureMeta;
  return { kind: 'procedure', name, address: `${route.method ?? 'POST'} /api/v1${route.path ?? ''}`, who, scopes };
};

/** Every procedure that a room promises. */
const procedures: readonly FunctionEntry[] = Object.entries(router).flatMap(([room, its]) =>
  Object.entries(its as Record<string, AnyProcedure>).map(([name, procedure]) =>
    describeProcedure(`${room}.${name}`, procedure),
  ),
);

/** Returns the name under which the calls of a raw route are counted; undefined for what is counted as a procedure, or answers nothing of ours. */
export const routeName = (method: string, pattern: string | undefined): string | undefined =>
  pattern === undefined || ofProcedures.has(pattern) || method === 'HEAD' ? undefined : `${method} ${pattern}`;

/** A list of all that can be called, which grows while routes are mounted. */
export function openFunctionList() {
  const routes = new Map<string, FunctionEntry>();
  return {
    noteRoute({ method, url, config }: RouteOptions): void {
      for (const one of [method].flat()) {
        const name = routeName(one, url);
        if (name !== undefined)
          routes.set(name, { kind: 'route', name, address: name, who: config?.who ?? [], scopes: [] });
      }
    },
    list: (): readonly FunctionEntry[] => [...procedures, ...routes.values()],
  };
}
