import type { World } from './world.ts';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts whole objects where only their names stand, along each path. */
export function expandInto(world: World, answer: unknown, paths: readonly string[]): unknown {
  const copy: unknown = structuredClone(answer);
  for (const path of paths) expandOne(world, copy, path.split('.'));
  return copy;
}

function expandOne(world: World, at: unknown, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  if (Array.isArray(at)) {
    for (const one of at) expandOne(world, one, [step, ...rest]);
    return;
  }
  if (!isFields(at)) return;
  const value = at[step];
  if (typeof value === 'string') at[step] = structuredClone(world.findAny(value) ?? value);
  expandOne(world, at[step], rest);
}

interface ListParams {
  limit?: number | undefined;
  after?: string | undefined;
  url: string;
}

/** One page of a list that stands newest first. */
export function pageOf<T extends { id: string }>(all: readonly T[], { limit = 10, after, url }: ListParams) {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  return { object: 'list' as const, url, has_more: all.length > from + limit, data: all.slice(from, from + limit) };
}
