import { readRows } from '#tests/support/people.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { type Maker, nounsOf } from '../asking/mixtures.ts';
import { canaries } from '../asking/owners.ts';
import { lend, makeThings, nouns, type Things } from '../asking/things.ts';
import type { World } from '../asking/world.ts';

/** Somebody who asks with things of her own and of somebody else. */
export interface MixedAsker {
  name: string;
  isViewers: boolean;
  browser: Browser;
  /** Things for a call. @param make what it is made of */
  own(make: Maker): Promise<Things>;
  /** @param isSpent whether the call before it spends them */
  foreign(make: Maker, isSpent: boolean): Promise<Things>;
  /** Of the creator whose things are foreign. */
  foreignBrowser: Browser;
  /** Every id of the foreign things, with those of their files and of their owner. */
  idsOf(foreign: Things): Promise<readonly string[]>;
  /** Stands in what is the other's alone. */
  canary: string | undefined;
}

/** Ids, slugs and tokens, which stand for nothing else in a search. */
const isTelling = (text: string) => /^[\w-]{12,}$/.test(text);

const idsFinder =
  ({ app }: World, ...owners: string[]) =>
  async (foreign: Things): Promise<readonly string[]> => {
    const packs = await readRows(app, 'select id from packs where media_id = any($1)', [
      [foreign.medium, foreign.video],
    ]);
    const { session: _, ...things } = foreign;
    const named = [...nouns, 'lease', 'tag', 'leaseToken', 'videoToken'] as const;
    const ids = named.flatMap((noun) => (noun === 'session' ? [] : (things[noun] ?? [])));
    return [...new Set([...owners, ...ids, ...packs.map(({ id }) => String(id))])].filter(isTelling);
  };

/** Berta and her viewer with things of Anna's, and a viewer of Anna's with what another link of hers opens. */
export async function makeMixedAskers(world: World): Promise<MixedAsker[]> {
  const { a, b } = world;
  const anna = {
    foreign: async (make: Maker, isSpent: boolean) => (isSpent ? await world.fresh('A', nounsOf(make)) : a.things),
    foreignBrowser: a.person.browser,
    idsOf: idsFinder(world, a.person.userId),
    canary: canaries.A,
  };
  const other = newBrowser();
  const ids = await makeThings(world, { ...a, viewer: other }, { ids: a.things, nouns: new Set(['medium', 'video']) });
  const others = { ...ids, ...(await lend(world, ids, other)) };
  return [
    { ...anna, name: 'viewer of B', isViewers: true, browser: b.viewer, own: async () => b.things },
    {
      ...anna,
      name: 'viewer of another link of A',
      isViewers: true,
      browser: other,
      own: async () => others,
      idsOf: idsFinder(world),
      canary: undefined,
    },
    {
      ...anna,
      name: 'creator B',
      isViewers: false,
      browser: b.person.browser,
      own: (make) => world.fresh('B', nounsOf(make)),
    },
  ];
}
