import { expect } from 'vitest';
import { advance } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { Actor } from '../asking/actors.ts';
import { eachOf } from '../asking/driver.ts';
import type { Ask, Said } from '../asking/everything.ts';
import type { World } from '../asking/world.ts';
import { countOf, isFull } from '../counts.ts';
import { whileBroken } from '../crashes/break-installation.ts';
import { type Canary, newCanary, nobody, type Search } from './canary-search.ts';

type Status = Said['status'];
const isFine = (status: Status = 0) => status >= 200 && status < 300;
const isPutOff = (status: Status) => status === 429 || status === 503;

/** How everybody was answered: where nobody is told a thing, nothing is found either. */
export class Tally {
  /** By its name: a question that is asked again counts with its last answer. */
  readonly #answers = new Map<string, { ask: Ask; status: Status }>();
  /** Canaries that came to those who may know them, by who was told. */
  readonly #told = new Map<string, Set<Canary>>();

  add(ask: Ask, { status }: Said, own: readonly Canary[]): void {
    this.#answers.set(ask.name, { ask, status });
    this.#told.set(ask.actor.name, new Set([...(this.#told.get(ask.actor.name) ?? []), ...own]));
  }

  /** Questions whose line was closed without a word. */
  listSilent(): string[] {
    return this.#list((status) => status === undefined).map(({ name }) => name);
  }

  /** Questions whose actor was told to come again later. */
  listPutOff(): Ask[] {
    return this.#list(isPutOff);
  }

  /** Returns how many answers gave each actor what is not served to everybody alike. */
  countFine(): Map<string, number> {
    const fine = new Map<string, number>();
    for (const { ask, status } of this.#answers.values())
      fine.set(ask.actor.name, (fine.get(ask.actor.name) ?? 0) + Number(isFine(status) && ask.isForAll !== true));
    return fine;
  }

  /** Private places of one of them that came to an actor who may know them. */
  listTold(actor: string, whose: Canary['of']): string[] {
    const reported = [...(this.#told.get(actor) ?? [])].filter(({ of }) => of === whose);
    return [...new Set(reported.map(({ place }) => place))];
  }

  /** Private places that anybody was told of who may know them. */
  countTold(): number {
    const reported = [...this.#told.values()].flatMap((some) => [...some]);
    return new Set(reported.map(({ place, of }) => `${place} of ${of}`)).size;
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
  ...['magic_links.welcome_text', 'users.display_name'],
];
/** What whoever has paid or asked for something is shown besides: whom they paid or asked, for what, and where it opens. */
const boughtWords = [
  ...['checkout_orders.creator_name', 'magic_links.slug'],
  ...['fan_subscriptions.creator_name', 'fan_subscriptions.tier_name'],
  ...['custom_requests.creator_name', 'custom_requests.title', 'album_access_requests.decision_text'],
];

/** Everybody was let in somewhere, nobody was only told to wait, and what is looked for came to those whose it is. */
export function expectHeard(tally: Tally, actors: readonly Actor[]): void {
  const fine = tally.countFine();
  const fewest = countOf(1, 10);
  expect([...fine].filter(([, count]) => count < fewest)).toEqual([]);
  expect([...fine.keys()]).toEqual(expect.arrayContaining(actors.map(({ name }) => name)));
  for (const { name, owns, visits } of actors) {
    if (owns === 'A' || owns === 'B') {
      expect(fine.get(name), name).toBeGreaterThan(countOf(20, 80));
      expect(tally.listTold(name, owns).length, name).toBeGreaterThanOrEqual(countOf(15, 20));
    }
    if (visits === undefined) continue;
    // In the short form each asks other questions, a few only: what they were told says more than how often.
    if (isFull) expect(fine.get(name), name).toBeGreaterThan(fine.get('viewer who is blocked') ?? 0);
    const reported = tally.listTold(name, visits).filter((place) => !boughtWords.includes(place));
    expect(reported.toSorted()).toEqual(shownWords);
  }
  expect(tally.countTold()).toBeGreaterThanOrEqual(40);
  expect(tally.share('fine')).toBeGreaterThanOrEqual(10);
  const putOff = tally.listPutOff().map(({ name }) => name);
  expect(tally.share('put off'), putOff.slice(0, 5).join('; ')).toBeLessThanOrEqual(0.5);
}

/** Every so many, so that the short form has some of each kind. */
export const thin = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, n) => all[Math.floor(n * step)] as T);
};

/** Asks some at a time, because some answers wait; what each tells that it may not. */
export async function askAll(asks: readonly Ask[], search: Search, tally = new Tally()): Promise<string[]> {
  const found: string[] = [];
  await eachOf(asks, async (ask) => {
    const { name, actor, said, holds, send } = ask;
    const answer = await send();
    const { leaks, own } = search.judge(answer.text, actor, { holds, question: said });
    tally.add(ask, answer, own);
    found.push(...leaks.map((leak) => `${leak} in ${name}`));
  });
  return found;
}

/** Ten emails a day go to one mailbox. */
const emailsApartMs = 2.5 * 3_600_000;
/**
 * Who was told to wait asks again when the window has passed, one at a time about the same thing. It comes after everything else:
 * visits end while the hours go by.
 */
export async function askAgain(app: TestApp, search: Search, tally: Tally): Promise<string[]> {
  const found: string[] = [];
  for (let round = 0; round < 60 && tally.listPutOff().length > 0; round++) {
    advance(app, emailsApartMs);
    const firsts = new Map(tally.listPutOff().map((ask) => [`${ask.name.split(' as ')[0]} ${ask.said}`, ask]));
    found.push(...(await askAll([...firsts.values()], search, tally)));
  }
  return found;
}

/** In the short form: each actor about their own things, those who have none at a link, and some of everything else. */
export function shorten(all: readonly Ask[]): Ask[] {
  const own = all.filter(({ name, actor: { owns, visits } }) => {
    const [, said, whose] = / as .* on (([AB])( by rpc)?)$/.exec(name) ?? [];
    return said !== undefined && (whose === owns || whose === visits || name.startsWith('POST /api/view/:slug/open '));
  });
  const some = new Set([...own, ...thin(all, 400)]);
  return all.filter((ask) => some.has(ask));
}

/** A database that refuses a row says the whole row; a bug is logged and nothing of it is said. */
export async function meetBugs({ app, a, b }: World, search: Search): Promise<string[]> {
  const found: string[] = [];
  for (const [table, procedure, input, person] of [
    ['magic_links', 'links.create', { albumIds: [b.things.album], isLaxConfirmed: true }, b.person],
    ['users', 'accounts.setPublicPage', { isOn: true }, a.person],
    ['viewer_aliases', 'insights.renameViewer', { viewerId: a.things.viewer, name: newCanary() }, a.person],
  ] as const) {
    const refusing = {
      plant: `alter table ${table} add constraint planted check (false) not valid`,
      mend: `alter table ${table} drop constraint planted`,
    };
    const answer = await whileBroken(app, refusing, () => app.call(procedure, input, person.browser));
    expect([table, answer.status]).toEqual([table, 500]);
    found.push(...search.leaksIn(JSON.stringify(answer), nobody).map((leak) => `${leak} in a bug of ${procedure}`));
  }
  return found;
}
