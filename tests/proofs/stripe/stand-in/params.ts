import { absentParam, badParam } from './errors.ts';

/** What was sent, as a tree of words. */
export interface Params {
  [name: string]: string | Params;
}

/** Reads `a[b][0]=c` as Stripe's own library writes it. */
export function readForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = [...name.matchAll(/[^[\]]+/g)].map(([step]) => step);
    const last = steps.pop() ?? name;
    let at = params;
    for (const step of steps) {
      const next = at[step];
      const branch = typeof next === 'object' ? next : {};
      at[step] = branch;
      at = branch;
    }
    at[last] = value;
  }
  return params;
}

const branchOf = (params: Params, step: string): Params => {
  const found = params[step];
  return typeof found === 'object' ? found : {};
};

/** The word at `a.b.c`; undefined where nothing was sent. */
export function wordAt(params: Params, where: string): string | undefined {
  const steps = where.split('.');
  const last = steps.pop() ?? '';
  const found = steps.reduce(branchOf, params)[last];
  return typeof found === 'object' ? undefined : found;
}

export const branchAt = (params: Params, where: string): Params | undefined => {
  const found = where
    .split('.')
    .reduce<Params | string | undefined>((at, step) => (typeof at === 'object' ? at[step] : undefined), params);
  return typeof found === 'object' ? found : undefined;
};

export function needWord(params: Params, where: string): string {
  const found = wordAt(params, where);
  if (found === undefined || found === '') throw absentParam(where);
  return found;
}

export function numberAt(params: Params, where: string): number | undefined {
  const found = wordAt(params, where);
  if (found === undefined || found === '') return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(found)) throw badParam(where, `Invalid number: ${found}`);
  return Number(found);
}

/** An amount of money, which is a whole number above zero. */
export function needAmount(params: Params, where = 'amount'): number {
  const found = numberAt(params, where);
  if (found === undefined) throw absentParam(where);
  if (!Number.isInteger(found) || found < 1) throw badParam(where, 'This value must be greater than or equal to 1.');
  return found;
}

/** The words below a branch; an empty one takes a word back. */
export const wordsAt = (params: Params, where: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(branchAt(params, where) ?? {}).flatMap(([name, word]) =>
      typeof word === 'string' && word !== '' ? [[name, word]] : [],
    ),
  );

/** Returns what was sent as `name[0]`, `name[1]` …, in order. */
export const listAt = (params: Params, where: string): (string | Params)[] =>
  Object.values(branchAt(params, where) ?? {});
