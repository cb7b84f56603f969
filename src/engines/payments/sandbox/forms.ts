/** What a form or an address says, nested as its names are: `a[b][0]=c` is { a: { b: ['c'] } }. */
export type Form = { [name: string]: string | Form | (string | Form)[] };

const unsafe = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws for a name that would reach into the language itself */
export function parseForm(text: string): Form {
  const root: Form = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(root, name.replaceAll(']', '').split('['), value);
  return tidy(root) as Form;
}

function put(root: Form, names: readonly string[], value: string): void {
  let place = root;
  for (const [at, name] of names.entries()) {
    if (unsafe.has(name)) throw new Error(`${name} is no field`);
    if (at === names.length - 1) place[name] = value;
    else {
      const inner = place[name];
      const next = typeof inner === 'object' && !Array.isArray(inner) ? inner : (Object.create(null) as Form);
      place[name] = next;
      place = next;
    }
  }
}

/** Fields that are numbers from 0 on are a list. */
function tidy(value: string | Form | (string | Form)[]): string | Form | (string | Form)[] {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, tidy(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at));
  return isList ? (entries.map(([, inner]) => inner) as (string | Form)[]) : Object.fromEntries(entries);
}
