import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import * as z from 'zod';
import { router } from '#app/rooms.ts';
import type { Browser } from '#tests/support/test-app.ts';
import { bodyOf } from './matrix-bodies.ts';
import type { Things } from './matrix-world.ts';

/** What a viewer holds beside ids: a picture's lease, its address and its token, and the token of a video. */
export interface MixedThings extends Things {
  lease: string;
  leaseUrl: string;
  leaseToken: string;
  videoToken: string;
}

/** A procedure or a raw route that takes ids of several things. */
export interface Mixed {
  name: string;
  /** Asked by viewers; otherwise by creators. */
  isViewers: boolean;
  /** With all of its ids the other's, it is asked elsewhere. */
  isSwappedWhole: boolean;
  bodyOf(things: MixedThings): object;
  /** @param turn which door, when there are two */
  ask(body: object, browser: Browser, turn: number): Promise<{ status: number; text: string }>;
  /** Raw routes have one door. */
  hasDoors?: false;
  /** Nothing mixed may ever succeed. */
  isRefused?: true;
}

/** Bodies with an id at every place that takes one, also where it may be left out. */
const wider: Record<string, (things: MixedThings) => object> = {
  'links.list': ({ album }) => ({ albumId: album }),
  'tracing.list': ({ album }) => ({ albumId: album }),
  'viewing.renew': ({ visit, medium, video, lease }) => ({
    visitId: visit,
    samples: [{ mediaId: medium, visibleMs: 1000 }],
    lookingAt: video,
    idleMs: 0,
    tokensFor: [lease],
  }),
};
export const widestBodyOf = (name: string, things: MixedThings): object =>
  wider[name]?.(things) ?? bodyOf(name, things);

/** Ids of what the app does not have yet: no link is made with one. */
const notYet = /^\.rules\.(agreementId|offers)/;

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
function listIds({ format, properties = {}, items, anyOf = [], oneOf = [] }: Schema, at = ''): string[] {
  return [
    ...(format === 'uuid' ? [at] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => listIds(inner, `${at}.${name}`)),
    ...(items === undefined ? [] : listIds(items, `${at}[]`)),
    ...[...anyOf, ...oneOf].flatMap((inner) => listIds(inner, at)),
  ];
}

/** Where each procedure takes ids, by its contract: `.mediaIds[]`. */
export function listIdPlaces(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (!isContractProcedure(contract)) return;
    const { inputSchema } = (contract as AnyContractProcedure)['~orpc'];
    const schema =
      inputSchema && z.toJSONSchema(inputSchema as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const ids = listIds((schema ?? {}) as Schema).filter((place) => !notYet.test(place));
    places.set(path.join('.'), [...new Set(ids)].toSorted());
  });
  return places;
}

/** A way into a body: names and positions. */
export type Place = readonly (string | number)[];
export const spellPlace = (place: Place): string =>
  place.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');

const marks = new Proxy({} as MixedThings, { get: (_, noun) => `‹${String(noun)}›` });

/** Where a body holds somebody's things. */
export function placesOf(bodyFor: (things: MixedThings) => object): Place[] {
  const walk = (value: unknown, at: Place): Place[] => {
    if (typeof value === 'string') return /^‹\w+›$/.test(value) ? [at] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) =>
      walk(inner, [...at, Array.isArray(value) ? Number(name) : name]),
    );
  };
  return walk(bodyFor(marks), []);
}

/** Whose thing stands at a place; `both`: in a list, one's own and then the other's. */
export type Choice = 'own' | 'foreign' | 'both';

/** Every way to mix, without the one in which all is one's own. */
export function listChoices(places: readonly Place[]): Choice[][] {
  const all = places.reduce<Choice[][]>(
    (begun, place) => {
      const isListed = place.some((step) => typeof step === 'number');
      const choices: Choice[] = isListed ? ['own', 'foreign', 'both'] : ['own', 'foreign'];
      return begun.flatMap((chosen) => choices.map((choice) => [...chosen, choice]));
    },
    [[]],
  );
  return all.filter((chosen) => chosen.some((choice) => choice !== 'own'));
}

type Node = Record<string | number, unknown>;
const at = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>((inner, step) => (inner as Node)[step], body);
const put = (body: unknown, place: Place, value: unknown): void => {
  (at(body, place.slice(0, -1)) as Node)[place.at(-1) ?? ''] = value;
};

/** One's own body with the other's things where they were chosen. */
export function mix(own: object, foreign: object, places: readonly Place[], chosen: readonly Choice[]): object {
  const mixed = structuredClone(own);
  for (const [n, place] of places.entries()) {
    const strange = at(foreign, place);
    if (chosen[n] === 'foreign') put(mixed, place, strange);
    if (chosen[n] !== 'both') continue;
    const last = place.findLastIndex((step) => typeof step === 'number');
    const element = { one: structuredClone(at(own, place.slice(0, last + 1))) };
    put(element, ['one', ...place.slice(last + 1)], strange);
    (at(mixed, place.slice(0, last)) as unknown[]).push(element.one);
  }
  return mixed;
}
