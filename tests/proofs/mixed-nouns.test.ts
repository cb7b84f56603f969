import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards, isFull, tellProof } from './counts.ts';
import { canaries, makeWorld, type World } from './matrix-world.ts';
import { listIdPlaces, placesOf, spellPlace, widestBodyOf } from './mixed-bodies.ts';
import { listMixed, runMixed } from './mixed-nouns.ts';
import { makeSides, type Side } from './mixed-sides.ts';

guards('src/**/contract.ts', 'src/**/api.ts', 'src/**/*store.ts');

/** Places for ids that no body of the drill fills. */
const unfilled = (bodyOf: typeof widestBodyOf) =>
  [...listIdPlaces()].flatMap(([name, places]) => {
    const filled = placesOf((things) => bodyOf(name, things)).map(spellPlace);
    return places.filter((place) => !filled.includes(place)).map((place) => `${name} ${place}`);
  });

test('R1: every place for an id in the contract is filled by a body of the drill', () => {
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
  let sides: Side[];
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: mode === 'a live installation' });
    world = await makeWorld(app);
    sides = await makeSides(world);
  }, 120_000);
  afterAll(() => app.close());

  test('R1: one’s own things with somebody else’s among them open, change and tell nothing of the other’s', {
    timeout: 3_600_000,
  }, async () => {
    const questions = listMixed(app, world.viewerApi.url);
    const { requests, leaks, bugs, untested } = await runMixed(app, questions, sides, { isFull });
    tellProof(`mixed nouns in ${mode}`, requests, {
      questions: questions.length,
      leaks: leaks.length,
      bugs: bugs.length,
    });
    expect({ leaks, bugs, untested }).toEqual({ leaks: [], bugs: [], untested: [] });
    expect(requests).toBeGreaterThan(100);
  });

  test('R1, planted: a row, an id, a key and a file of the other’s are found, and what was not reached', async () => {
    const ask = (names: readonly string[], side: Side, told: Partial<Side>) => {
      const questions = listMixed(app, world.viewerApi.url).filter(({ name }) => names.includes(name));
      return runMixed(app, questions, [{ ...side, ...told }], { isFull: false });
    };
    const [viewer, , creator] = sides as [Side, Side, Side];
    // What she is told to be the other's is her own.
    const [lent, spent] = [await viewer.own(), await creator.own()];
    const playlist = 'GET /api/view/videos/:visitId/:mediaId/:playlist';
    const asViewer = await ask(['viewing.videoKeys', 'POST /api/view/leases', playlist], viewer, { foreign: lent });
    const mine = { own: async () => spent, foreign: spent, canary: canaries.B };
    const asCreator = await ask(['albums.setCover', 'links.create'], creator, mine);
    for (const leak of [
      'viewing.videoKeys as viewer of B, .visitId own, .mediaId foreign: 200 with an id',
      'POST /api/view/leases as viewer of B, .visitId own, .items[].mediaId both: 200 with an id',
      `${playlist} as viewer of B, .visit foreign, .video own: 200`,
      'albums.setCover as creator B, .albumId own, .mediaId foreign: a row of albums',
      'albums.setCover as creator B, .albumId foreign, .mediaId own: a canary',
      'links.create as creator B, .albumIds[] both: a row of link_albums',
    ])
      expect([...asViewer.leaks, ...asCreator.leaks]).toContain(leak);
    const notHers = { own: async () => creator.foreign };
    expect((await ask(['albums.setCover'], creator, notHers)).untested).toEqual(['albums.setCover as creator B: 404']);
  });
});
