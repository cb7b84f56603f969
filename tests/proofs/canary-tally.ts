import { expect } from 'vitest';
import type { Ask, Heard } from './canary-asks.ts';
import type { Canary } from './canary-search.ts';
import { countOf, isFull } from './counts.ts';
import type { Asker } from './matrix-world.ts';

type Status = Heard['status'];
const isFine = (status: Status = 0) => status >= 200 && status < 300;
const isPutOff = (status: Status) => status === 429 || status === 503;

/** How everybody was answered: where nobody is told a thing, nothing is found either. */
export class Tally {
  /** By its name: a question that is asked again counts with its last answer. */
  readonly #answers = new Map<string, { ask: Ask; status: Status }>();
  /** Canaries that came to those who may know them, by who was told. */
  readonly #told = new Map<string, Set<Canary>>();

  add(ask: Ask, { status }: Heard, own: readonly Canary[]): void {
    this.#answers.set(ask.name, { ask, status });
    this.#told.set(ask.asker.name, new Set([...(this.#told.get(ask.asker.name) ?? []), ...own]));
  }

  /** Questions whose line was closed without a word. */
  listSilent(): string[] {
    return this.#list((status) => status === undefined).map(({ name }) => name);
  }

  /** Questions whose asker was told to come again later. */
  listPutOff(): Ask[] {
    return this.#list(isPutOff);
  }

  /** How many answers gave each asker what is not served to everybody alike. */
  countFine(): Map<string, number> {
    const fine = new Map<string, number>();
    for (const { ask, status } of this.#answers.values())
      fine.set(ask.asker.name, (fine.get(ask.asker.name) ?? 0) + Number(isFine(status) && ask.isForAll !== true));
    return fine;
  }

  /** Private places of one of them that came to an asker who may know them. */
  listTold(asker: string, whose: Canary['of']): string[] {
    const told = [...(this.#told.get(asker) ?? [])].filter(({ of }) => of === whose);
    return [...new Set(told.map(({ place }) => place))];
  }

  /** Private places that anybody was told of who may know them. */
  countTold(): number {
    const told = [...this.#told.values()].flatMap((some) => [...some]);
    return new Set(told.map(({ place, of }) => `${place} of ${of}`)).size;
  }

  /** Of every hundred answers. */
  share(which: 'fine' | 'put off'): number {
    const count = this.#list(which === 'fine' ? isFine : isPutOff).length;
    return Math.round((1000 * count) / this.#answers.size) / 10;
  }

  #list(isMeant: (status: Status) => boolean): Ask[] {
    return [...this.#answers.values()].flatMap(({ ask, status }) => (isMeant(status) ? [ask] : []));
  }
}

/** What a link shows to whoever opens it. */
const shownWords = [
  ...['album_items.caption', 'albums.name', 'albums.watermark_text'],
  ...['magic_links.link_name', 'magic_links.welcome_text', 'users.display_name'],
];

/** Everybody was let in somewhere, nobody was only told to wait, and what is looked for came to those whose it is. */
export function expectHeard(tally: Tally, askers: readonly Asker[]): void {
  const fine = tally.countFine();
  const fewest = countOf(1, 10);
  expect([...fine].filter(([, count]) => count < fewest)).toEqual([]);
  expect([...fine.keys()]).toEqual(expect.arrayContaining(askers.map(({ name }) => name)));
  for (const { name, owns, visits } of askers) {
    if (owns === 'A' || owns === 'B') {
      expect(fine.get(name), name).toBeGreaterThan(countOf(20, 80));
      expect(tally.listTold(name, owns).length, name).toBeGreaterThanOrEqual(countOf(15, 20));
    }
    if (visits === undefined) continue;
    // In the short form each asks other questions, a few only: what they were told says more than how often.
    if (isFull) expect(fine.get(name), name).toBeGreaterThan(fine.get('viewer who is blocked') ?? 0);
    expect(tally.listTold(name, visits).toSorted()).toEqual(shownWords);
  }
  expect(tally.countTold()).toBeGreaterThanOrEqual(40);
  expect(tally.share('fine')).toBeGreaterThanOrEqual(10);
  const putOff = tally.listPutOff().map(({ name }) => name);
  expect(tally.share('put off'), putOff.slice(0, 5).join('; ')).toBeLessThanOrEqual(0.5);
}
