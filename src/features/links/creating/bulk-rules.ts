import { isolate } from '#kit/text.ts';

/** Names of a list from which links are made at once. */
export const mostNames = 100;
/** Letters of whom a link is for. */
export const longestRecipient = 60;
/** Letters that a list of names may have while it is being written. */
export const longestList = 20_000;

/** A name as it is compared: whoever is written in two ways is one person. */
const same = (name: string) => name.normalize('NFC').toLowerCase();

/** The names that stand in a list more than once, each as it is written first. */
export function findDoubles(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  const doubles = new Set<string>();
  for (const name of names) {
    const known = first.get(same(name));
    if (known === undefined) first.set(same(name), name);
    else doubles.add(known);
  }
  return [...doubles];
}

/** "Bob" stands there more than once. */
export function describeDoubles(doubles: readonly string[]): string {
  const first = doubles.slice(0, 3).map((name) => `“${isolate(name)}”`);
  const others = doubles.length - first.length;
  const names = others > 0 ? [...first, `${others} more`] : first;
  const [last, before] = [names.at(-1), names.slice(0, -1)];
  const list = before.length === 0 ? last : `${before.join(', ')} and ${last}`;
  return `${list} ${doubles.length === 1 ? 'is' : 'are'} in the list more than once. A link is for one person.`;
}

/** What a pasted list says. */
export interface ReadNames {
  names: string[];
  doubles: string[];
  tooLong: string[];
  /** Names beyond as many as are made at once. */
  tooMany: number;
}

/** Reads a list of names, one a line; lines without one are left out. */
export function readNames(text: string): ReadNames {
  const names = text
    .slice(0, longestList)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    names,
    doubles: findDoubles(names),
    tooLong: names.filter((name) => name.length > longestRecipient),
    tooMany: Math.max(0, names.length - mostNames),
  };
}
