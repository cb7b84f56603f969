import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '#tests/proofs/asking/target.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { askAllowed, askRefused, Judge, proveAuthorization } from '../judging/authorization.ts';
import { type Actor, asStranger } from './actors.ts';
import type { Call } from './driver.ts';
import { listClosed, namesOf, shapeOf } from './routes.ts';
import { thingsOf } from './whose.ts';
import { openWorld, type World } from './world.ts';

guards(
  'src/app/server/server.ts',
  'src/wire/raw.ts',
  'src/features/*/*route*.ts',
  'src/features/albums/uploads.ts',
  'src/features/albums/uploads/admission.ts',
  'src/features/media/**',
  'src/features/viewing/**',
  'src/features/tracing/**',
);

/** Routes that do not say who may call them. */
const unsaid = (all: readonly RouteOptions[]) =>
  all.filter((route) => (route.config?.who ?? []).length === 0).flatMap(namesOf);

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  let app: TestApp;
  let world: World;
  let routes: RouteOptions[];
  let closed: Target[];
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: mode === 'a live installation' });
    world = await openWorld(app);
    routes = await collectRoutes(app.engines);
    closed = listClosed(routes);
  });
  afterAll(() => app.close());

  const named = (...names: string[]) => closed.filter(({ name }) => names.includes(name));

  test('every raw route says who may call it', () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(unsaid(routes)).toEqual([]);
    const forDevelopers = routes.filter(({ config }) => config?.who?.includes('developer' as never));
    expect(forDevelopers.length > 0).toBe(mode === 'a sandbox');
  });

  test('raw routes give nobody what is not theirs: no byte, no lease, no name – however the address is spelt – and everybody what is', {
    timeout: countOf(120_000, 3_600_000),
  }, async () => {
    const verdicts = await proveAuthorization(world, { targets: closed, isFull });
    const { requests, given, leaks, falseDenials, bugs, untested } = verdicts;
    printProof(`matrix of raw routes in ${mode}`, requests, {
      routes: closed.length,
      given,
      leaks: leaks.length,
      falseDenials: falseDenials.length,
    });
    expect({ leaks, falseDenials, bugs, untested }).toEqual({ leaks: [], falseDenials: [], bugs: [], untested: [] });
    expect(requests - given).toBeGreaterThan(300);
    expect(given).toBeGreaterThan(2 * closed.length);
  });

  /** What is found when these actors are refused these routes, and these others are given them. */
  async function find(
    refused: readonly Actor[],
    allowed: readonly Actor[],
    targets: readonly Target[],
    change?: (call: Call) => Call,
    of = world,
  ) {
    const judge = new Judge(of, change);
    await askRefused(judge, of, { targets, actors: refused, isFull: false });
    await askAllowed(judge, of, { targets, actors: allowed, isFull: false });
    return judge.finish();
  }

  test('planted: a file and a lease given to somebody who is taken for a stranger are found, and a route without a word', async () => {
    const known = [asStranger(world.actorOf('creator A')), asStranger(world.actorOf('viewer of A'))] as const;
    const original = 'GET /api/media/:mediaId/original';
    const { leaks } = await find(known, [], named(original, 'POST /api/view/leases'));
    for (const leak of [`${original} as creator A on A: 200`, 'POST /api/view/leases as viewer of A on A: 200'])
      expect(leaks).toContain(leak);
    expect(leaks.some((leak) => leak.includes(' on B'))).toBe(false);
    const [actor] = known;
    const spellings = { HEAD: 200, 'a range': 206, 'another method in a header': 200 };
    for (const [spelling, status] of Object.entries(spellings)) {
      const judge = new Judge(world);
      for (const target of named(original))
        await judge.refuse({ target, actor, whose: 'A', door: 'raw', things: thingsOf(world, 'A', actor), spelling });
      expect(judge.finish().leaks).toContain(`${original} as creator A on A, ${spelling}: ${status}`);
    }
    const silent = [{ method: 'GET', url: '/api/planted', config: {} }] as unknown as RouteOptions[];
    expect(unsaid([...routes, ...silent])).toEqual(['GET /api/planted']);
    expect(() => shapeOf('GET /api/planted', world.a.things)).toThrow('Give GET /api/planted a line');
  });

  test('planted: ciphertext for whoever asks, and a piece that a stranger sent are found', async () => {
    const [picture, video] = ['GET /m/c/:packId/:tag', 'GET /m/s/:packId/:part'];
    const leaky = { ...world, b: { ...world.b, lent: world.a.lent } };
    const { leaks } = await find([world.actorOf('creator B')], [], named(picture, video), undefined, leaky);
    expect(leaks).toContain(`${picture} as creator B on A: 200`);
    expect(leaks).toContain(`${video} as creator B on A: 206`);
    const creator = world.actorOf('creator A');
    const [patched, asked] = [named('PATCH /files/:id'), named('HEAD /files/:id')];
    const judge = new Judge(world);
    await askRefused(judge, world, { targets: patched, actors: [asStranger(creator)], isFull: false });
    await askAllowed(judge, world, { targets: asked, actors: [creator], isFull: false });
    expect(judge.finish().leaks).toEqual(
      expect.arrayContaining([
        'PATCH /files/:id as creator A on A: 204',
        'HEAD /files/:id as creator A on A: somebody else has written into it',
      ]),
    );
  });

  test('planted: an address that has moved, a token that is none and a form that nobody could pass are found', async () => {
    /** What is found when calls are made in another way. */
    const findWith = (change: (call: Call) => Call, ...names: string[]) =>
      find([world.actorOf('visitor'), world.actorOf('creator B')], world.actors, named(...names), change);
    const [own, lent] = ['GET /api/media/:mediaId/video/:playlist', 'GET /api/view/videos/:visitId/:mediaId/:playlist'];
    const moved = await findWith((call) => ({ ...call, path: call.path.replace('v720', 'video') }), own, lent);
    const [picture, video] = ['GET /m/c/:packId/:tag', 'GET /m/s/:packId/:part'];
    const madeUp = { 'pf-lease': 'A'.repeat(94) };
    const idle = await findWith((call) => ({ ...call, headers: { ...call.headers, ...madeUp } }), picture, video);
    for (const { leaks, untested, falseDenials } of [moved, idle]) {
      // Everybody was refused, and yet nothing was shown by it.
      expect({ leaks, untested }).toEqual({ leaks: [], untested: [] });
      expect(falseDenials.filter((found) => found.endsWith(': nobody was given anything'))).toHaveLength(2);
    }
    for (const question of [`${own} as creator A on A`, `${lent} as viewer of B on B`])
      expect(moved.falseDenials.some((found) => found.startsWith(`${question}: 404`))).toBe(true);
    for (const question of [`${picture} as viewer of A on A`, `${video} as creator B on B`])
      expect(idle.falseDenials.some((found) => found.startsWith(`${question}: 404`))).toBe(true);
    const leases = 'POST /api/view/leases';
    const formless = await findWith((call) => ({ ...call, body: {} }), leases);
    // Whose answer comes first is nobody's promise.
    expect(formless.untested.toSorted()).toEqual([`${leases} as creator B`, `${leases} as visitor`]);
  });

  test('planted: a route that gives nobody anything is found', async () => {
    const name = 'GET /api/media/:mediaId/original';
    const closedToAll = named(name).map((target) => ({ ...target, meta: { ...target.meta, who: ['admin'] } }));
    expect((await find([], world.actors, closedToAll)).falseDenials).toEqual([`${name}: nobody was given anything`]);
  });
});
