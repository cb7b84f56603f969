import type { Schema } from './procedures.ts';
import type { Things } from './things.ts';

/** What makes a body or a call out of somebody's things. */
export type Maker<T = object> = (things: Things) => T;
type Noun = keyof Things;

const markOf = (noun: string) => `‹${noun}›`;
/** The same with a mark for each thing. @returns it, and the nouns that it was made of */
function makeMarked(make: Maker): { made: object; nouns: Set<Noun> } {
  const nouns = new Set<Noun>();
  const marks = new Proxy({} as Things, {
    get(_, noun) {
      nouns.add(noun as Noun);
      return markOf(String(noun));
    },
  });
  return { made: make(marks), nouns };
}
export const nounsOf = (make: Maker): ReadonlySet<Noun> => makeMarked(make).nouns;

/** A way into a body: names and positions. */
type Place = readonly (string | number)[];

/** Where a body holds somebody's things, whole, by noun. */
function placesOf(make: Maker): [noun: Noun, place: Place][] {
  const walk = (value: unknown, at: Place): [Noun, Place][] => {
    if (typeof value === 'string') return /^‹\w+›$/.test(value) ? [[value.slice(1, -1) as Noun, at]] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) =>
      walk(inner, [...at, Array.isArray(value) ? Number(name) : name]),
    );
  };
  return walk(makeMarked(make).made, []);
}

/** Where a body holds somebody's things, as `.mediaIds[]`. @throws when one noun stands at two places, which would not be mixed */
export function spellPlaces(make: Maker): string[] {
  const places = placesOf(make);
  if (new Set(places.map(([noun]) => noun)).size < places.length) throw new Error('A noun stands at two places.');
  return places.map(([, place]) => place.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join(''));
}

/** Ids of what there is not yet: no link is made with one. */
const notYet = /^\.rules\.(agreementId|offers)/;

/** Where a contract takes ids, as `.mediaIds[]`. */
export function listIdPlaces(schema: Schema, at = ''): string[] {
  const {
    format,
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
  } = schema as {
    format?: string;
    properties?: Record<string, Schema>;
    items?: Schema;
    anyOf?: Schema[];
    oneOf?: Schema[];
  };
  const places = [
    ...(format === 'uuid' ? [at] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => listIdPlaces(inner, `${at}.${name}`)),
    ...(items === undefined ? [] : listIdPlaces(items, `${at}[]`)),
    ...[...anyOf, ...oneOf].flatMap((inner) => listIdPlaces(inner, at)),
  ];
  return [...new Set(places)].filter((place) => !notYet.test(place)).toSorted();
}

/** Whose thing stands for a noun; `both`: in a list, one's own and then the other's. */
export type Choice = 'own' | 'foreign' | 'both';
export type Chosen = ReadonlyMap<Noun, Choice>;

/** The innermost list in which a noun stands, and where in it. */
function listOf(make: Maker, noun: Noun): { list: Place; index: number } | undefined {
  const place = placesOf(make).find(([one]) => one === noun)?.[1] ?? [];
  const last = place.findLastIndex((step) => typeof step === 'number');
  return last < 0 ? undefined : { list: place.slice(0, last), index: Number(place[last]) };
}

/** Every way to mix, without the one in which all is one's own. */
export function listChoices(make: Maker): Chosen[] {
  const all = [...nounsOf(make)].reduce<[Noun, Choice][][]>(
    (begun, noun) => {
      const choices: Choice[] = listOf(make, noun) === undefined ? ['own', 'foreign'] : ['own', 'foreign', 'both'];
      return begun.flatMap((chosen) => choices.map((choice): [Noun, Choice][] => [...chosen, [noun, choice]]));
    },
    [[]],
  );
  return all.filter((chosen) => chosen.some(([, choice]) => choice !== 'own')).map((chosen) => new Map(chosen));
}

const at = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], body);

/** What is made of one's own things, with the other's where they were chosen. */
export function mix<T extends object>(make: Maker<T>, own: Things, foreign: Things, chosen: Chosen): T {
  const strange = (noun: Noun) => ({ [noun]: foreign[noun] });
  const swapped = [...chosen].flatMap(([noun, choice]) => (choice === 'foreign' ? [strange(noun)] : []));
  const things: Things = Object.assign({}, own, ...swapped);
  const mixed = structuredClone(make(things));
  for (const [noun, choice] of chosen) {
    const found = choice === 'both' ? listOf(make, noun) : undefined;
    if (found === undefined) continue;
    const element = (at(make({ ...things, ...strange(noun) }), found.list) as unknown[])[found.index];
    (at(mixed, found.list) as unknown[]).push(element);
  }
  return mixed;
}
