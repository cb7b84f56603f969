import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards, isFull, printProof } from '../counts.ts';
import { listMixed, proveMixed } from '../judging/mixed.ts';
import { type MixedAsker, makeMixedAskers } from '../judging/mixed-askers.ts';
import { widestBodyOf } from './bodies.ts';
import { listIdPlaces, spellPlaces } from './mixtures.ts';
import { canaries } from './owners.ts';
import { listProcedures } from './procedures.ts';
import { openWorld, type World } from './world.ts';

guards('src/**/*contract.ts', 'src/**/*api.ts', 'src/**/*store.ts', 'tests/proofs/judging/**');

/** Places for ids that no body of ours fills. What an administrator calls may be about anybody's things. */
const unfilled = (bodyOf: typeof widestBodyOf) =>
  listProcedures().flatMap(({ name, input, meta }) => {
    if (meta.scopes !== undefined) return [];
    const filled = spellPlaces((things) => bodyOf(name, things));
    return listIdPlaces(input)
      .filter((place) => !filled.includes(place))
      .map((place) => `${name} ${place}`);
  });

test('every place for an id in the contract is filled by a body of ours', () => {
  expect(unfilled(widestBodyOf)).toEqual([]);
  expect(unfilled((name, things) => (name === 'albums.moveItems' ? {} : widestBodyOf(name, things)))).toEqual([
    'albums.moveItems .albumId',
    'albums.moveItems .mediaIds[]',
    'albums.moveItems .toAlbumId',
  ]);
});

describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  let app: TestApp;
  let world: World;
  let askers: MixedAsker[];
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: mode === 'a live installation' });
    world = await openWorld(app, { hasActors: false });
    askers = await makeMixedAskers(world);
  });
  afterAll(() => app.close());

  test("one's own things with somebody else's among them open, change and tell nothing of the other's", {
    timeout: 3_600_000,
  }, async () => {
    const questions = listMixed(world);
    const { requests, leaks, bugs, untested } = await proveMixed(world, questions, askers, { isFull });
    printProof(`mixed nouns in ${mode}`, requests, {
      questions: questions.length,
      leaks: leaks.length,
      bugs: bugs.length,
    });
    expect({ leaks, bugs, untested }).toEqual({ leaks: [], bugs: [], untested: [] });
    expect(requests).toBeGreaterThan(100);
  });

  test("planted: a row, an id, a key and a file of the other's are found, and what was not reached", async () => {
    const ask = (names: readonly string[], asker: MixedAsker, reported: Partial<MixedAsker>) => {
      const questions = listMixed(world).filter(({ name }) => names.includes(name));
      return proveMixed(world, questions, [{ ...asker, ...reported }], { isFull: false });
    };
    const [viewer, , creator] = askers as [MixedAsker, MixedAsker, MixedAsker];
    // What she is told to be the other's is her own.
    const [lent, spent] = [world.b.things, await creator.own(({ album, medium }) => ({ album, medium }))];
    const playlist = 'GET /api/view/videos/:visitId/:mediaId/:playlist';
    const reported = { foreign: async () => lent };
    const asViewer = await ask(['viewing.videoKeys', 'POST /api/view/leases', playlist], viewer, reported);
    const mine = { own: async () => spent, foreign: async () => spent, canary: canaries.B };
    const asCreator = await ask(['albums.setCover', 'links.create'], creator, mine);
    for (const leak of [
      'viewing.videoKeys as viewer of B, visit own, video foreign: 200 with an id',
      'POST /api/view/leases as viewer of B, visit own, medium both: 200 with an id',
      `${playlist} as viewer of B, visit foreign, video own: 200`,
      'albums.setCover as creator B, album own, medium foreign: a row of albums',
      'albums.setCover as creator B, album foreign, medium own: a canary',
      'links.create as creator B, album both: a row of link_albums',
    ])
      expect([...asViewer.leaks, ...asCreator.leaks]).toContain(leak);
    const notHers = { own: async () => world.a.things };
    expect((await ask(['albums.setCover'], creator, notHers)).untested).toEqual(['albums.setCover as creator B: 404']);
  });
});
