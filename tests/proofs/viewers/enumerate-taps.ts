import { advance } from '#tests/support/people.ts';
import { type Browser, copyOf, type TestApp } from '#tests/support/test-app.ts';
import type { Streamed } from '#tests/support/viewer-api.ts';

/** Returns what differs by nature: when an answer was given, its number, and a cookie that is new to everybody. */
const blurred = (text: string) =>
  text
    .replace(/"requestId":"[\w-]{36}"/g, '"requestId":"…"')
    .replace(/pf_(viewer|first)=[\w-]{43}/g, 'pf_$1=…')
    .replace(/pf_asked=\w{22}/g, 'pf_asked=…');
export const faceOf = (status: number, headers: Iterable<[string, unknown]>, text: string) =>
  blurred(
    JSON.stringify([status, [...headers].filter(([name]) => name !== 'date' && name !== 'keep-alive').sort(), text]),
  );
const faceOfTap = ({ status, headers, text }: Streamed) => faceOf(status, headers, text);

export const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
const spreadOf = (medians: readonly number[]) => (Math.max(...medians) - Math.min(...medians)) / Math.min(...medians);

/** A link that somebody taps, and in whose browser. */
export interface Tapped {
  name: string;
  slug: string;
  browser: Browser;
}

/** What a stranger may bring to a link. */
const brought: Readonly<Record<string, object>> = {
  nothing: {},
  password: { password: 'blue orchard', isAdult: true },
  code: { resumeCode: '0123456789' },
};
export const kinds = Object.keys(brought);
/** Before this many codes of one browser on one link nothing is put off. */
const codesPerWindow = 5;
type Tap = (slug: string, body: object, browser: Browser) => Promise<Streamed>;

/**
 * Taps all of them in turn, with nothing, a password and a code in the hand.
 * @returns what each answer looked like, and took, each kind of body apart: what one of them gives away is not lost among the others
 */
export async function tapAll(app: TestApp, cases: readonly Tapped[], rounds: number, tap: Tap) {
  const faces = new Set<string>();
  const times = kinds.map((kind) => ({ kind, of: new Map<string, number[]>(cases.map(({ name }) => [name, []])) }));
  for (let round = 0; round < rounds; round++) {
    if (round % (codesPerWindow * kinds.length) === 0) advance(app, 900_000);
    for (const n of cases.keys()) {
      const { name, slug, browser } = cases[(n + round) % cases.length] as Tapped;
      const { kind, of } = times[round % kinds.length] as (typeof times)[number];
      const asked = copyOf(browser);
      const began = performance.now();
      const answer = await tap(slug, brought[kind] ?? {}, asked);
      of.get(name)?.push(performance.now() - began);
      faces.add(faceOfTap(answer));
    }
  }
  return { faces: [...faces], times };
}
type Times = Awaited<ReturnType<typeof tapAll>>['times'];

/** No answer leaves before its time, whatever had to be looked up. @returns the links of which one did */
export const listEarly = (times: Times) =>
  times.flatMap(({ kind, of }) =>
    [...of].flatMap(([name, list]) => (Math.min(...list) >= 29 ? [] : [`${name} with ${kind}`])),
  );
export const mediansOf = (times: Times) => times.map(({ of }) => [...of.values()].map(median));
/** Returns how far apart links are whose answers must take the same time, with what tells most. */
export const widest = (times: Times) => Math.max(...mediansOf(times).map(spreadOf));
