import { pass } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { Ask } from './canary-asks.ts';
import type { Search } from './canary-search.ts';
import { Tally } from './canary-tally.ts';

/** Every so many, so that the short form has some of each kind. */
export const thin = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, n) => all[Math.floor(n * step)] as T);
};

/** Asks some at a time, because some answers wait; what each tells that it may not. */
export async function askAll(asks: readonly Ask[], search: Search, tally = new Tally()): Promise<string[]> {
  const found: string[] = [];
  const waiting = asks.values();
  const work = async () => {
    for (const ask of waiting) {
      const { name, asker, said, holds, send } = ask;
      const answer = await send();
      const { leaks, own } = search.judge(answer.text, asker, { holds, question: said });
      tally.add(ask, answer, own);
      found.push(...leaks.map((leak) => `${leak} in ${name}`));
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return found;
}

/** Ten letters a day go to one mailbox. */
const lettersApartMs = 2.5 * 3_600_000;
/**
 * Who was told to wait asks again when the window has passed, one at a time about the same thing. It comes after everything else:
 * visits end while the hours go by.
 */
export async function askAgain(app: TestApp, search: Search, tally: Tally): Promise<string[]> {
  const found: string[] = [];
  for (let round = 0; round < 60 && tally.listPutOff().length > 0; round++) {
    pass(app, lettersApartMs);
    const firsts = new Map(tally.listPutOff().map((ask) => [`${ask.name.split(' as ')[0]} ${ask.said}`, ask]));
    found.push(...(await askAll([...firsts.values()], search, tally)));
  }
  return found;
}

/** In the short form: each asker about their own things, those who have none at a link, and some of everything else. */
export function shorten(all: readonly Ask[]): Ask[] {
  const own = all.filter(({ name, asker: { owns, visits } }) => {
    const [, said, whose] = / as .* on (([AB])( by rpc)?)$/.exec(name) ?? [];
    return said !== undefined && (whose === owns || whose === visits || name.startsWith('POST /api/view/:slug/open '));
  });
  const some = new Set([...own, ...thin(all, 400)]);
  return all.filter((ask) => some.has(ask));
}
