import compat from '@mdn/browser-compat-data' with { type: 'json' };
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { oldestBrowsers } from '../oldest-browsers.ts';

/** What a browser lacks, as MDN names it, and which of the oldest ones lack it. */
export interface Missing {
  feature: string;
  in: string[];
}

const names = Object.keys(oldestBrowsers) as (keyof typeof oldestBrowsers)[];

/** Returns which of the oldest browsers lack something. Behind a switch or a prefix is not having it. */
function listWithout({ support }: CompatStatement): string[] {
  return names.filter((name) => {
    const said = support[name];
    if (said === undefined) return false;
    return ![said].flat().some((one) => isThere(one, oldestBrowsers[name]));
  });
}

function isThere(
  { version_added: added, version_removed: removed, flags, prefix, alternative_name: other }: SimpleSupportStatement,
  wanted: string,
) {
  if (typeof added !== 'string' || flags || prefix || other || added === 'preview') return false;
  const isRemoved = typeof removed === 'string' && !isLater(removed, wanted);
  return !isRemoved && !isLater(added, wanted);
}

function isLater(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.replace('≤', '').split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const [a = 0, b = 0] = [one?.[i], other?.[i]];
    if (a !== b) return a > b;
  }
  return false;
}

/** Returns what is missing of a place in MDN's data; undefined when nothing is, or nothing is known. */
export function lookUp(...way: readonly string[]): Missing | undefined {
  let place: Identifier | undefined = compat as unknown as Identifier;
  for (const step of way) place = Object.hasOwn(place ?? {}, step) ? place?.[step] : undefined;
  if (place?.__compat === undefined) return undefined;
  const without = listWithout(place.__compat);
  return without.length > 0 ? { feature: way.join('.'), in: without } : undefined;
}

/** Returns whether MDN knows an interface of this name. */
export const isInterface = (name: string): boolean => Object.hasOwn(compat.api, name);

let members: Map<string, Missing | undefined> | undefined;

/** Interfaces whose objects pages hold under names of their own. */
const held =
  /^(HTML(?!Fenced).*Element|Element|Node|EventTarget|MediaSource|SourceBuffer|Blob|File|Response|Request|Headers|ReadableStream|AbortSignal|FormData|URL|URLSearchParams|Animation|IntersectionObserver|ResizeObserver|Storage)$/;

/** Returns what is missing of a member of which only the name is known: nothing, when another interface has it everywhere. */
export function lookUpMember(name: string): Missing | undefined {
  members ??= indexMembers();
  return members.get(name);
}

function indexMembers(): Map<string, Missing | undefined> {
  const found = new Map<string, Missing | undefined>();
  for (const [owner, its] of Object.entries(compat.api))
    for (const key of Object.keys(its)) {
      if (!held.test(owner) || key === '__compat' || key === owner || /_(static|event)$/.test(key)) continue;
      const missing = lookUp('api', owner, key);
      if (missing === undefined || !found.has(key)) found.set(key, missing);
    }
  return found;
}

const types = new Map<string, Missing | undefined>();

/** Returns what is missing of a function of CSS values, such as `color-mix`. */
export function lookUpType(name: string): Missing | undefined {
  if (types.size === 0) indexTypes(compat.css.types as unknown as Identifier, ['css', 'types']);
  return types.get(name);
}

function indexTypes(place: Identifier, way: string[]): void {
  for (const key of Object.keys(place)) {
    if (key === '__compat') continue;
    const inner = place[key];
    if (inner === undefined) continue;
    if (inner.__compat && !types.has(key)) types.set(key, lookUp(...way, key));
    indexTypes(inner, [...way, key]);
  }
}
