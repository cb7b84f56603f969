import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { canaries, makeThings, type Things, type World } from './matrix-world.ts';
import type { MixedThings } from './mixed-bodies.ts';

/** Somebody who asks with things of her own and of somebody else. */
export interface Side {
  name: string;
  isViewers: boolean;
  browser: Browser;
  /** Things that no call before has spent. */
  own(): Promise<MixedThings>;
  foreign: MixedThings;
  moreForeign(): Promise<MixedThings>;
  /** Of the creator whose things are foreign. */
  foreignBrowser: Browser;
  /** Every id of the foreign things, with those of their files and of their owner. */
  idsOf(foreign: MixedThings): Promise<readonly string[]>;
  /** Stands in what is the other's alone. */
  canary: string | undefined;
}

/** Ids, slugs and tokens, which stand for nothing else in a search. */
const isTelling = (text: string) => /^[\w-]{12,}$/.test(text);

/** What a viewer is lent of these things. */
export async function lend({ app, viewerApi }: World, things: Things, viewer: Browser): Promise<MixedThings> {
  const pictures = await viewerApi.lease(things.visit, [{ mediaId: things.medium, rendition: 'thumb512' }], viewer);
  const [lease] = pictures.head.leases;
  const wish = { visitId: things.visit, mediaId: things.video, tracks: [{ track: 'v720', from: 0, count: 1 }] };
  const [video] = (await app.call('viewing.videoKeys', wish, viewer)).body.leases;
  return { ...things, lease: lease.leaseId, leaseUrl: lease.url, leaseToken: lease.token, videoToken: video.token };
}
/** Done, as it must be for another copy to be weighed together with it. */
async function endTrace({ app }: World, things: Things): Promise<Things> {
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db.updateTable('traces').set({ state: 'done', outcome: 'no_match' }).where('id', '=', things.trace).execute(),
  );
  return things;
}
const unlent = (things: Things): MixedThings => ({
  ...things,
  lease: '',
  leaseUrl: '',
  leaseToken: '',
  videoToken: '',
});

const idsFinder =
  ({ app }: World, ...owners: string[]) =>
  async (foreign: MixedThings): Promise<readonly string[]> => {
    const packs = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db.selectFrom('packs').select('id').where('media_id', 'in', [foreign.medium, foreign.video]).execute(),
    );
    const { session: _, ...things } = foreign;
    return [...new Set([...owners, ...Object.values(things), ...packs.map(({ id }) => id)])].filter(isTelling);
  };

/** Berta and her viewer with things of Anna's, and a viewer of Anna's with what another link of hers opens. */
export async function makeSides(world: World): Promise<Side[]> {
  const { app, viewerApi, a, b, viewerOfA, viewerOfB } = world;
  await endTrace(world, a.things);
  const anna = { foreign: await lend(world, a.things, viewerOfA), foreignBrowser: a.person.browser };
  const moreForeign = async () => unlent(await world.fresh('A', false));
  const ofAnna = { ...anna, moreForeign, idsOf: idsFinder(world, a.person.userId), canary: canaries.A };
  const own = await lend(world, b.things, viewerOfB);
  const other = newBrowser();
  const others = await lend(world, await makeThings(app, viewerApi, a.person, 'A', other, a.things.session), other);
  const viewer = { isViewers: true, moreForeign };
  return [
    { ...ofAnna, ...viewer, name: 'viewer of B', browser: viewerOfB, own: async () => own },
    {
      ...ofAnna,
      ...viewer,
      name: 'viewer of another link of A',
      browser: other,
      own: async () => others,
      idsOf: idsFinder(world),
      canary: undefined,
    },
    {
      ...ofAnna,
      name: 'creator B',
      isViewers: false,
      browser: b.person.browser,
      own: async () => unlent(await endTrace(world, await world.fresh('B', false))),
    },
  ];
}
