import { randomBytes } from 'node:crypto';
import type { Actor } from '../asking/actors.ts';
import type { Letter } from '../asking/owners.ts';

/**
 * Something private, and who may receive it: its creator alone, also those who hold the link that shows it, its viewers, or
 * nobody at all.
 */
export interface Canary {
  /** `magic_links.note` */
  place: string;
  of: Letter;
  for: 'hers' | 'shown' | 'viewers' | 'desk' | 'nobody';
  secret: string | Buffer;
}

/** A word that stands in one private place and nowhere else. Small letters: addresses and handles keep them. */
export const newCanary = (): string => `cnry${randomBytes(10).toString('hex')}`;

/** Base64 of a part of a text depends on where it begins: without its first and last letters it does not. */
const innerBase64 = (bytes: Buffer, alphabet: 'base64' | 'base64url'): string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString(alphabet)
      .slice(4, -4),
  );

const escapes: readonly ((letter: string) => string)[] = [
  (letter) => `%${Buffer.from(letter).toString('hex')}`,
  (letter) => `%${Buffer.from(letter).toString('hex').toUpperCase()}`,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (letter) => `&#${letter.charCodeAt(0)};`,
  (letter) => `&#x${letter.charCodeAt(0).toString(16)};`,
];

/** The forms in which a secret may hide in an answer. */
function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const written =
    typeof secret === 'string'
      ? [
          secret,
          encodeURIComponent(secret),
          JSON.stringify(secret).slice(1, -1),
          ...escapes.map((write) => [...secret].map(write).join('')),
        ]
      : [bytes.toString('latin1'), bytes.join(',')];
  const forms = [
    ...written,
    hex,
    hex.toUpperCase(),
    ...innerBase64(bytes, 'base64'),
    ...innerBase64(bytes, 'base64url'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= startLength);
}

const startLength = 8;

/** Looks for many secrets at once: by the first letters of each of their forms. */
export class Search {
  readonly #byStart = new Map<string, { form: string; canary: Canary }[]>();
  readonly canaries: Canary[] = [];

  constructor(canaries: readonly Canary[]) {
    for (const canary of canaries) this.add(canary);
  }

  add(canary: Canary): void {
    this.canaries.push(canary);
    for (const form of formsOf(canary.secret)) {
      const start = form.slice(0, startLength);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { form, canary }]);
    }
  }

  /** Everything that a text holds. */
  find(text: string): Set<Canary> {
    const found = new Set<Canary>();
    for (let at = 0; at <= text.length - startLength; at++)
      for (const { form, canary } of this.#byStart.get(text.slice(at, at + startLength)) ?? [])
        if (text.startsWith(form, at)) found.add(canary);
    return found;
  }

  /**
   * What a text tells somebody: what they may not know, and what they came for.
   * @param holds whose link this answer opens for whoever asked
   * @param question what they said themselves may come back
   */
  judge(
    text: string,
    subscriber: Subscriber,
    { holds, question = '' }: Asked = {},
  ): { leaks: string[]; own: Canary[] } {
    const said = question === '' ? undefined : this.find(question);
    const reported = [...this.find(text)].filter((canary) => said?.has(canary) !== true);
    const own = reported.filter((canary) => mayHear(subscriber, canary, holds));
    const leaks = reported.filter((canary) => !own.includes(canary)).map(({ place, of }) => `${place} of ${of}`);
    return { leaks, own };
  }

  /** What a text tells somebody who may not know it. */
  leaksIn(text: string, subscriber: Subscriber, asked: Asked = {}): string[] {
    return this.judge(text, subscriber, asked).leaks;
  }
}

interface Asked {
  holds?: Letter | undefined;
  question?: string;
}

export type Subscriber = Pick<Actor, 'owns' | 'visits'> & { name?: string };
/** Somebody to whom nothing is told: a log, a file that everybody may load. */
export const nobody: Subscriber = { owns: undefined, visits: undefined };

function mayHear({ owns, visits, name }: Subscriber, canary: Canary, holds: Letter | undefined): boolean {
  if (canary.for === 'nobody') return false;
  if (canary.for === 'desk') return name === 'admin';
  if (owns === canary.of) return canary.for !== 'viewers';
  if (canary.for === 'hers') return false;
  return visits === canary.of || (canary.for === 'shown' && holds === canary.of);
}
