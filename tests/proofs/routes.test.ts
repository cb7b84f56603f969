import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, tellProof } from './counts.ts';
import { fingerprint } from './matrix.ts';
import type { Asker } from './matrix-world.ts';
import { RawRun } from './raw-run.ts';
import { listClosed, namesOf, type Shape, shapeOf } from './raw-shapes.ts';
import { openRawWorld, type RawWorld } from './raw-things.ts';

guards(
  'src/app/server.ts',
  'src/wire/raw.ts',
  'src/features/*/*route*.ts',
  'src/features/albums/uploads.ts',
  'src/features/media/**',
  'src/features/viewing/**',
  'src/features/tracing/**',
);

let app: TestApp;
let world: RawWorld;
let routes: RouteOptions[] = [];

/** Routes that do not say who may call them. */
const unsaid = (all: readonly RouteOptions[]) =>
  all.filter((route) => (route.config?.who ?? []).length === 0).flatMap(namesOf);

/** Those of the closed routes that have these names. */
const closedNamed = (...names: string[]) => listClosed(routes).filter(({ name }) => names.includes(name));
function namely(name: string): Asker {
  const asker = world.askers.find((one) => one.name === name);
  if (asker === undefined) throw new Error(`There is no ${name}.`);
  return asker;
}
/** Somebody of whom the drill does not know that anything is theirs. */
const stranger = (asker: Asker): Asker => ({ ...asker, owns: undefined, may: 'visitor', visits: undefined });

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: mode === 'a live installation' });
    world = await openRawWorld(app);
    routes = await collectRoutes(app.engines);
  }, 120_000);
  afterAll(() => app.close());

  test('every raw route says who may call it', () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(unsaid(routes)).toEqual([]);
    const forDevelopers = routes.filter(({ config }) => config?.who?.includes('developer' as never));
    expect(forDevelopers.length > 0).toBe(mode === 'a sandbox');
  });

  test('R1: raw routes give nobody what is not theirs: no byte, no lease, no name – however the address is spelt – and everybody what is', {
    timeout: countOf(120_000, 3_600_000),
  }, async () => {
    const run = new RawRun(world);
    const closed = listClosed(routes);
    const before = await fingerprintOfOthers();
    await run.askRefused(world.askers, closed);
    const after = await fingerprintOfOthers();
    const refused = run.finish().requests;
    await run.askAllowed(world.askers, closed);
    const { requests, leaks, falseDenials, untested } = run.finish();
    tellProof(`matrix of raw routes in ${mode}`, requests, {
      routes: closed.length,
      given: requests - refused,
      leaks: leaks.length,
      falseDenials: falseDenials.length,
    });
    expect({ leaks, falseDenials, untested }).toEqual({ leaks: [], falseDenials: [], untested: [] });
    expect(after).toEqual(before);
    expect(refused).toBeGreaterThan(300);
    expect(requests - refused).toBeGreaterThan(2 * closed.length);
  });

  /** Every row that a refused call must not change; how often somebody asked may be counted. */
  async function fingerprintOfOthers(): Promise<Record<string, string>> {
    const { rate_limits: _, ...hashes } = await fingerprint(world);
    return hashes;
  }

  test('R1, planted: a file and a lease given to somebody who is taken for a stranger are found, and a route without a word', async () => {
    const known = [stranger(namely('creator A')), stranger(namely('viewer of A'))];
    const original = 'GET /api/media/:mediaId/original';
    const run = new RawRun(world);
    await run.askRefused(known, closedNamed(original, 'POST /api/view/leases'));
    const { leaks } = run.finish();
    for (const leak of [`${original} as creator A on A: 200`, 'POST /api/view/leases as viewer of A on A: 200'])
      expect(leaks).toContain(leak);
    expect(leaks.some((leak) => leak.includes(' on B'))).toBe(false);
    for (const spelling of ['HEAD', 'a range', 'another method in a header']) {
      const spelt = new RawRun(world);
      const [asker] = known as [Asker];
      await spelt.refused({ name: original, asker, whose: 'A', things: world.things('A'), spelling });
      expect([spelling, spelt.finish().leaks[0]]).toEqual([
        spelling,
        `${original} as creator A on A, ${spelling}: 200`,
      ]);
    }
    const silent = [{ method: 'GET', url: '/api/planted', config: {} }] as unknown as RouteOptions[];
    expect(unsaid([...routes, ...silent])).toEqual(['GET /api/planted']);
    expect(() => shapeOf('GET /api/planted', world.things('A'))).toThrow('Give GET /api/planted a line');
  });

  test('R1, planted: ciphertext for whoever asks, and a piece that a stranger sent are found', async () => {
    const tokens = world.tokensOf(namely('viewer of A'), 'A');
    const run = new RawRun({ ...world, tokensOf: () => tokens });
    await run.askRefused([namely('creator B')], closedNamed('GET /m/c/:packId/:tag', 'GET /m/s/:packId/:part'));
    const { leaks } = run.finish();
    expect(leaks).toContain('GET /m/c/:packId/:tag as creator B on A: 200');
    expect(leaks).toContain('GET /m/s/:packId/:part as creator B on A: 206');
    const written = new RawRun(world);
    await written.askRefused([stranger(namely('creator A'))], closedNamed('PATCH /files/:id'));
    await written.askAllowed([namely('creator A')], closedNamed('HEAD /files/:id'));
    expect(written.finish().leaks).toEqual(
      expect.arrayContaining([
        'PATCH /files/:id as creator A on A: 204',
        'HEAD /files/:id as creator A on A: somebody else has written into it',
      ]),
    );
  });

  /** What is found when calls are made in another way. */
  async function findWith(change: (shape: Shape) => Shape, ...names: string[]) {
    const run = new RawRun(world, change);
    await run.askRefused([namely('visitor'), namely('creator B')], closedNamed(...names));
    await run.askAllowed(world.askers, closedNamed(...names));
    return run.finish();
  }

  test('R1, planted: an address that has moved, a token that is none and a form that nobody could pass are found', async () => {
    const [own, lent] = ['GET /api/media/:mediaId/video/:playlist', 'GET /api/view/videos/:visitId/:mediaId/:playlist'];
    const moved = await findWith((shape) => ({ ...shape, path: shape.path.replace('v720', 'video') }), own, lent);
    const [picture, video] = ['GET /m/c/:packId/:tag', 'GET /m/s/:packId/:part'];
    const madeUp = { 'pf-lease': 'A'.repeat(94) };
    const idle = await findWith((shape) => ({ ...shape, headers: { ...shape.headers, ...madeUp } }), picture, video);
    for (const { leaks, untested, falseDenials } of [moved, idle]) {
      // Everybody was refused, and yet nothing was shown by it.
      expect({ leaks, untested }).toEqual({ leaks: [], untested: [] });
      expect(falseDenials.filter((found) => found.endsWith(': nobody was given anything'))).toHaveLength(2);
    }
    for (const cell of [`${own} as creator A on A`, `${lent} as viewer of B on B`])
      expect(moved.falseDenials.some((found) => found.startsWith(`${cell}: 404`))).toBe(true);
    for (const cell of [`${picture} as viewer of A on A`, `${video} as creator B on B`])
      expect(idle.falseDenials.some((found) => found.startsWith(`${cell}: 404`))).toBe(true);
    const leases = 'POST /api/view/leases';
    const formless = await findWith((shape) => ({ ...shape, body: {} }), leases);
    expect(formless.untested).toEqual([`${leases} as visitor`, `${leases} as creator B`]);
  });

  test('R1, planted: a route that gives nobody anything is found', async () => {
    const name = 'GET /api/media/:mediaId/original';
    const [found] = closedNamed(name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    const run = new RawRun(world);
    await run.askAllowed(world.askers, [{ name, route: { ...found.route, config: { who: ['admin'] } } }]);
    expect(run.finish().falseDenials).toEqual([`${name}: nobody was given anything`]);
  });
});
